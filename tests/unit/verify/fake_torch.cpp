// What a test extension needs of torch's libraries.
#ifdef C10
namespace c10 {
void throw_error() {}
} // namespace c10
#endif
#ifdef TORCH_CPU
namespace at {
int empty(int size) {
    return size;
}
} // namespace at
#endif
