// A library with a weak name, for which linkers look for a strong one at its address.
extern "C" {
int real_function() {
    return 1;
}
__attribute__((weak, alias("real_function"))) int fixture_function();
}
