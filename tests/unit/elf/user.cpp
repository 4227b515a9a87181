// An object that uses plain.cpp's library.
extern "C" {
extern int plain_used();
extern long plain_data[2];
extern thread_local int plain_thread_data;
int plain_defined_by_both() {
    return 7;
}
int user() {
    return plain_used() + static_cast<int>(plain_data[0]) + plain_thread_data;
}
}
