#include "library_names.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::verify;
using kbuild::model::Backend;

TEST_CASE("who brings a library is told from its name, with or without version") {
    CHECK(owner_of("libtorch.so") == LibraryOwner::torch);
    CHECK(owner_of("libtorch_cpu.so") == LibraryOwner::torch);
    CHECK(owner_of("libtorch_hip.so") == LibraryOwner::torch_hip);
    CHECK(owner_of("libc10_hip.so") == LibraryOwner::torch_hip);
    CHECK(owner_of("libtorch_python.so") == LibraryOwner::torch_python);
    CHECK(owner_of("libtorch_cuda_linalg.so") == LibraryOwner::cuda);
    CHECK(owner_of("libcudart.so.13") == LibraryOwner::cuda);
    CHECK(owner_of("libcuda.so.1") == LibraryOwner::cuda);
    CHECK(owner_of("libamdhip64.so.7") == LibraryOwner::hip_runtime);
    CHECK(owner_of("librocblas.so.5") == LibraryOwner::rocm);
    CHECK(owner_of("libhipblaslt.so.1") == LibraryOwner::rocm);
    CHECK(owner_of("libpython3.11.so.1.0") == LibraryOwner::python);
    CHECK(owner_of("libstdc++.so.6") == LibraryOwner::system);
    CHECK(owner_of("libc.so.6") == LibraryOwner::system);
    CHECK(owner_of("ld-linux-x86-64.so.2") == LibraryOwner::system);
    CHECK(owner_of("libcrypto.so.3") == LibraryOwner::unknown);
    CHECK(owner_of("libtorchvision.so") == LibraryOwner::unknown);
}

TEST_CASE("each backend may need its own platform's libraries only") {
    CHECK(may_need(Backend::rocm, LibraryOwner::torch_hip));
    CHECK_FALSE(may_need(Backend::cpu, LibraryOwner::torch_hip));
    CHECK_FALSE(may_need(Backend::rocm, LibraryOwner::cuda));
    CHECK(may_need(Backend::cuda, LibraryOwner::cuda));
    for (const auto backend : {Backend::cpu, Backend::rocm, Backend::cuda}) {
        CHECK(may_need(backend, LibraryOwner::system));
        CHECK(may_need(backend, LibraryOwner::torch));
        CHECK_FALSE(may_need(backend, LibraryOwner::python));
        CHECK_FALSE(may_need(backend, LibraryOwner::torch_python));
    }
}
