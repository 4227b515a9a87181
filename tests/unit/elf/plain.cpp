// A library as the stubs of a torch are: it needs no other, and its names have no versions.
extern "C" {
int plain_used() {
    return 1;
}
int plain_defined_by_both() {
    return 2;
}
int plain_of_nobody() {
    return 3;
}
long plain_data[2] = {4, 5};
__thread int plain_thread_data = 6;
}
