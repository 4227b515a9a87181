// Two kernels with known figures; no HIP header is needed to compile them.
#define KERNEL __attribute__((global))
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

// What clang's host side of a kernel calls.
struct dim3 {
    unsigned x, y, z;
};
extern "C" int __hipPopCallConfiguration(dim3*, dim3*, unsigned long*, void**);
extern "C" int hipLaunchKernel(const void*, dim3, dim3, void**, unsigned long, void*);

// 1200 bytes of LDS, work-groups of at most 256.
extern "C" KERNEL __attribute__((amdgpu_flat_work_group_size(64, 256))) void JOIN(NAME, _shares)(float* x, float s) {
    __attribute__((shared)) float tile[300];
    tile[__builtin_amdgcn_workitem_id_x()] = x[3];
    __builtin_amdgcn_s_barrier();
    x[__builtin_amdgcn_workgroup_id_x()] = tile[s > 2 ? 7 : 9] * s;
}

// An array that is indexed at run time lives in scratch memory.
extern "C" KERNEL void JOIN(NAME, _scratches)(float* x, int n) {
    float a[64];
    for (int i = 0; i < 64; ++i)
        a[i] = x[i * n];
    for (int k = 0; k < n; ++k)
        a[(k * 7) % 64] += a[k % 64];
    for (int i = 0; i < 64; ++i)
        x[i] = a[i];
}
