"""A project whose headers are awkward in every way that could make a precompiled header, or a compile in passes, mean
something else than the text does: one kernel component or source for each way."""

HIP, HALF = "#include <hip/hip_runtime.h>\n", "#include <hip/hip_fp16.h>\n"


def code(name, body="out[threadIdx.x] = 1.0f;", before=""):
    """A kernel and what launches it."""
    return (f"{before}__global__ void {name}_kernel(float* out) {{ {body} }}\n"
            f"void {name}(float* out) {{ {name}_kernel<<<1, 64>>>(out); }}\n")


HALF_BODY = "out[threadIdx.x] = __half2float(__float2half(out[0]));"
SUM_BODY = "__half a = __float2half(out[0]); out[0] = __half2float(__hadd(a, a));"

# Sources of the component without flags, by their path.
PLAIN = {
    "plain/basic.hip": HIP + code("basic"),
    "plain/implied.hip": "__device__ float implied(float in) { return fabs(in); }\n",  # the compiler includes a header by itself
    "plain/quoted.hip": '#include "hip/hip_runtime.h"\n#include "hip/hip_fp16.h"\n' + code("quoted", HALF_BODY),
    "plain/macro_before.hip": "#define HIP_ENABLE_WARP_SYNC_BUILTINS\n" + HIP + HALF + code(
        "macro_before", "\n#ifdef HIP_ENABLE_WARP_SYNC_BUILTINS\nout[0] = 2.0f;\n#endif\n"),
    "plain/own_macro.hip": "#define ONLY_OURS 3.0f\n" + HIP + code("own_macro", "out[0] = ONLY_OURS;"),
    "plain/conditional.hip": HIP + "#ifdef __HIP_DEVICE_COMPILE__\n" + HALF + "#else\n#include <vector>\n#endif\n"
    + code("conditional", "\n#ifdef __HIP_DEVICE_COMPILE__\n" + HALF_BODY + "\n#endif\n"),
    "plain/middle.hip": HIP + "static const float kBefore = 4.0f;\n" + HALF + code("middle", "out[0] = kBefore;"),
    "plain/guard_of_sdk.hip": '#include "guard_of_sdk.h"\n' + HIP + HALF + code("guard_of_sdk", "out[0] = kOwn;"),
    "plain/guard_of_sdk.h": "#ifndef HIP_INCLUDE_HIP_HIP_FP16_H\n#define HIP_INCLUDE_HIP_HIP_FP16_H\n"
    "constexpr float kOwn = 5.0f;\n#endif\n",
    "plain/guard_met.hip": HIP + HALF + '#include "guard_met.h"\n' + code("guard_met", "out[0] = kMet;"),
    "plain/guard_met.h": "#ifndef HIP_INCLUDE_HIP_HIP_FP16_H\n#define HIP_INCLUDE_HIP_HIP_FP16_H\n"
    "#include <hip/hip_complex.h>\n#endif\nconstexpr float kMet = 5.0f;\n",
    "plain/guard_is_word.hip": '#include "guard_is_word.h"\n' + HIP + HALF + code("guard_is_word", HALF_BODY),
    "plain/guard_is_word.h": "#ifndef noinline\n#define noinline\n#include <cstddef>\n#endif\n",
    "plain/once.hip": '#include "once.h"\n#include "once.h"\n' + HALF + code("once", "out[0] = counted();"),
    "plain/once.h": "#include <hip/hip_runtime.h>\n#pragma once\n__device__ inline float counted() { return 1; }\n",
    "plain/mutual.hip": '#include "mutual_a.h"\n' + HALF + code("mutual", "out[0] = first() + second();"),
    "plain/mutual_a.h": '#pragma once\n#include <hip/hip_runtime.h>\n#include "mutual_b.h"\n'
    "__device__ inline float first() { return 1; }\n",
    "plain/mutual_b.h": '#pragma once\n#include "mutual_a.h"\n#include <hip/hip_complex.h>\n'
    "__device__ inline float second() { return 2; }\n",
    "plain/templates.hip": HIP + '#include "templates.h"\n' + code("templates", "out[0] = Twice<float, 3>::of(out[1]);"),
    "plain/templates.h": "template <typename T, int N> struct Twice {\n"
    "    static __host__ __device__ T of(T x) { return Twice<T, N - 1>::of(x + x); }\n};\n"
    "template <typename T> struct Twice<T, 0> { static __host__ __device__ T of(T x) { return x; } };\n",
    "plain/counter.hip": HIP + "#define PASTE_(a, b) a##b\n#define PASTE(a, b) PASTE_(a, b)\n"
    + code("counter", "out[0] = __COUNTER__ + 10 * __COUNTER__;",
           "__device__ float PASTE(numbered_, __COUNTER__);\n__device__ float PASTE(numbered_, __COUNTER__);\n"),
    "plain/place.hip": HIP + "#include <cassert>\n#undef NDEBUG\n#include <cassert>\n"
    + code("place", 'assert(out != nullptr); out[0] = __LINE__; printf("%s %s", __FILE__, __func__);')
    + "const char* file_of_place() { return __FILE__; }\nint level_of_place() { return __INCLUDE_LEVEL__; }\n",
    "plain/statics.hip": HIP + "static __device__ float hidden;\nstatic __constant__ float table[4] = {1, 2, 3, 4};\n"
    "namespace {\n__device__ float nameless;\n__global__ void inner(float* out) { out[0] = hidden + nameless; }\n}\n"
    + code("statics", "hidden = out[0]; nameless = table[threadIdx.x & 3];")
    + "void launch_inner(float* out) { inner<<<1, 1>>>(out); }\n"
    "void* hidden_address() { void* at = nullptr; (void)hipGetSymbolAddress(&at, HIP_SYMBOL(hidden)); return at; }\n",
    "plain/statics_too.hip": HIP + "static __device__ float hidden;\nnamespace {\n__device__ float nameless;\n}\n"
    + code("statics_too", "hidden = out[0]; nameless = out[1];"),
    "plain/computed.hip": "#define HEADER <hip/hip_fp16.h>\n#include HEADER\n" + HIP + code("computed", HALF_BODY),
    "plain/continued.hip": HIP + "// a comment goes on \\\n#include <hip/hip_fp16.h>\n"
    + code("continued", "\n#ifdef HIP_INCLUDE_HIP_HIP_FP16_H\nout[0] = 7.0f;\n#endif\n"),
    "plain/comment_in_text.hip": '#define OPEN "/*"\n#define HIP_ENABLE_WARP_SYNC_BUILTINS\n#define CLOSE "*/"\n' + HIP
    + code("comment_in_text"),
    "plain/windows.hip": (HIP + HALF + code("windows", HALF_BODY)).replace("\n", "\r\n"),
    "plain/windows_continued.hip": (HIP + "#define MACRO \\\n#include <hip/hip_fp16.h>\n" + code(
        "windows_continued", "\n#ifdef HIP_INCLUDE_HIP_HIP_FP16_H\nout[0] = 7.0f;\n#endif\n")).replace("\n", "\r\n"),
    "plain/marked.hip": "\ufeff" + HIP + HALF + code("marked", HALF_BODY),
    "plain/größe (x, y).hip": HIP + code("odd_name"),
    "plain/pragma.hip": "#pragma clang fp contract(off)\n" + HIP + HALF + code("pragma", "out[0] = out[1] * out[2] + out[3];"),
}

DEFINED = HIP + HALF + '#include "guarded.h"\n'
GUARDED = "#ifndef IN_NO_HEADER\n#define IN_NO_HEADER\n#include <hip/hip_complex.h>\n#endif\n"

# Components with flags: (name, other keys of build.toml, sources).
COMPONENTS = [
    ("mentioned", 'cxx-flags = ["-D__HIP_NO_HALF_OPERATORS__", "-DHIP_ENABLE_WARP_SYNC_BUILTINS=1"]',
     {"mentioned/a.hip": HIP + HALF + code("mentioned", SUM_BODY)}),
    ("unmentioned", 'cxx-flags = ["-DIN_NO_HEADER=3"]',
     {"unmentioned/a.hip": DEFINED + code("unmentioned", "out[0] = IN_NO_HEADER;\n"
                                          "#ifdef HIP_INCLUDE_HIP_HIP_COMPLEX_H\nout[1] = 1;\n#endif\n"),
      "unmentioned/guarded.h": GUARDED + HALF}),
    ("guard_defined", 'cxx-flags = ["-DIN_NO_HEADER"]',
     {"guard_defined/a.hip": '#include "guarded.h"\n' + HALF + code(
         "guard_defined", "\n#ifdef HIP_INCLUDE_HIP_HIP_COMPLEX_H\nout[1] = 1;\n#endif\n"),
      "guard_defined/guarded.h": GUARDED}),
    ("standard17", 'hip-flags = ["-std=c++17"]',
     {"standard17/a.hip": HIP + HALF + code("standard17", "out[0] = __cplusplus;")}),
    ("standard20", 'hip-flags = ["-std=c++20"]',
     {"standard20/a.hip": HIP + HALF + code("standard20", "out[0] = __cplusplus;")}),
    ("shadow_hip", 'include = ["shadow_hip"]',
     {"shadow_hip/a.hip": HIP + HALF + code("shadow_hip", "out[0] = kOwnHalf;"),
      "shadow_hip/hip/hip_fp16.h": "constexpr float kOwnHalf = 8.0f;\n"}),
    ("shadow_inner", 'include = ["shadow_inner"]',  # found by a header of the SDK, not by the source
     {"shadow_inner/a.hip": HIP + HALF + code("shadow_inner", "\n#ifdef OWN_VERSION\nout[0] = 9.0f;\n#endif\n"),
      "shadow_inner/hip/hip_version.h": "#define OWN_VERSION\n#include_next <hip/hip_version.h>\n"}),
    ("shadow_std", 'include = ["shadow_std"]',
     {"shadow_std/a.hip": HIP + "#include <vector>\n" + HALF + code("shadow_std", "out[0] = OWN_VECTOR;"),
      "shadow_std/vector": "#define OWN_VECTOR 10.0f\n#include_next <vector>\n"}),
    ("many_archs", 'rocm-archs = ["gfx942", "gfx90a", "gfx1100"]',
     {"many_archs/a.hip": HIP + code("many_archs", "out[0] = warpSize;")
      + "static __device__ float hidden_in_archs;\n"}),
    ("debug", 'cxx-flags = ["-g", "-O1"]',
     {"debug/a.hip": HIP + HALF + code("debug", SUM_BODY)}),
    ("fast", 'hip-flags = ["-ffast-math", "-munsafe-fp-atomics"]',
     {"fast/a.hip": HIP + HALF + code("fast", "atomicAdd(out, sqrtf(out[1]) / out[2]);")}),
    ("xarch", 'hip-flags = ["-Xarch_device", "-DON_DEVICE=11"]',
     {"xarch/a.hip": HIP + HALF + code("xarch", "\n#ifdef ON_DEVICE\nout[0] = ON_DEVICE;\n#endif\n")}),
    ("separate", 'cxx-flags = ["-D", "IN_TWO_WORDS=12"]',
     {"separate/a.hip": HIP + HALF + code("separate", "out[0] = IN_TWO_WORDS;")}),
    ("undefined", 'cxx-flags = ["-U__HIP_PLATFORM_NVIDIA__", "-UNDEBUG"]',
     {"undefined/a.hip": HIP + HALF + code("undefined", "\n#ifndef NDEBUG\nout[0] = 13.0f;\n#endif\n")}),
]


def write(project, components=None):
    """Writes the project; `components` as COMPONENTS."""
    components = [("plain", "", PLAIN), *COMPONENTS] if components is None else components
    text = ('[general]\nname = "awkward"\nversion = 1\nedition = 5\nlicense = "Apache-2.0"\nbackends = ["rocm"]\n\n'
            '[general.hub]\nrepo-id = "kernels-test/awkward"\n\n[torch]\nsrc = ["torch-ext/torch_binding.cpp"]\n')
    for name, keys, files in components:
        for path, content in files.items():
            (project / path).parent.mkdir(parents=True, exist_ok=True)
            (project / path).write_bytes(content.encode())
        sources = ", ".join(f'"{path}"' for path in sorted(files))
        archs = "" if "rocm-archs" in keys else 'rocm-archs = ["gfx942"]\n'
        text += f'\n[kernel.{name}]\nbackend = "rocm"\n{archs}depends = ["torch"]\nsrc = [{sources}]\n{keys}\n'
    (project / "build.toml").write_text(text)
    binding = project / "torch-ext/torch_binding.cpp"
    binding.parent.mkdir(exist_ok=True)
    binding.write_text('#include "registration.h"\n\nREGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n')
    package = project / "torch-ext/awkward/__init__.py"
    package.parent.mkdir(exist_ok=True)
    package.write_text("from ._ops import ops\n")
    return project
