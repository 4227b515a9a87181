/* Functions of libstdc++ that cannot be taken from the host's libstdc++.a, because what they work on has another layout
   or another owner in an older libstdc++.so.6. kbuild compiles the ones that a baseline lacks (docs/decisions/0030). */

#ifdef KBUILD_RANDOM_DEVICE_ENTROPY
/* double std::random_device::_M_getentropy() const: it would read members that the system's _M_init set. Zero means
   "unknown", which callers must expect. */
double random_device_entropy(const void *) __asm__("_ZNKSt13random_device13_M_getentropyEv");
double random_device_entropy(const void *device) {
    (void)device;
    return 0.0;
}
#endif

#ifdef KBUILD_IOS_INIT
/* void std::ios_base_library_init(): since GCC 13 <iostream> refers to it and leaves the set-up of std::cout to
   libstdc++.so.6. An older one wants std::ios_base::Init objects, as each file that includes <iostream> had before. */
extern void construct_init(void *) __asm__("_ZNSt8ios_base4InitC1Ev");
extern void destroy_init(void *) __asm__("_ZNSt8ios_base4InitD1Ev");
static char init;
__attribute__((constructor(101))) static void set_up(void) { construct_init(&init); }
__attribute__((destructor(101))) static void flush(void) { destroy_init(&init); }
void ios_base_library_init(void) __asm__("_ZSt21ios_base_library_initv");
void ios_base_library_init(void) {}
#endif
