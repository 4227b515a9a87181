// An object that uses plain.cpp's library.
extern "C" {
extern int plain_used();
extern long plain_data[2];
extern __thread int plain_thread_data;
int plain_defined_by_both() {
    return 7;
}
// A name with a version in it.
extern int plain_of_old();
__asm__(".symver plain_of_old, plain_old@OLD_1");
int user() {
    return plain_used() + plain_of_old() + static_cast<int>(plain_data[0]) + plain_thread_data;
}
}
