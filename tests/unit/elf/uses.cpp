// A library that uses a name of whoever loads it.
extern "C" {
int callback();
int fixture_function() {
    return callback();
}
}
