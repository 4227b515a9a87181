"""kbuild's figures of kernels beside two other readings of the same code: what the SDK's `llvm-readelf --notes` prints,
and what the compiler said itself while it made the code (`-Rpass-analysis=kernel-resource-usage`); plain and
compressed.
"""

import json
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

import kbuild_driver as driver

HERE = Path(__file__).resolve().parent
ARCHS = ["gfx90a", "gfx942"]
WAYS = {"plain": [], "compressed": ["--offload-compress"]}

# Beside the kernels of real_code.hip: matrix cores with accumulators, and more values than there are registers.
MORE = """
typedef float f32x16 __attribute__((ext_vector_type(16)));

template <int N>
KERNEL __attribute__((amdgpu_flat_work_group_size(64, 64))) void multiplies(float* x, float a, float b) {
    f32x16 sums[N] = {};
    for (int i = 0; i < 64; ++i)
        for (int n = 0; n < N; ++n)
            sums[n] = __builtin_amdgcn_mfma_f32_32x32x2f32(a * i, b + n, sums[n], 0, 0, 0);
    for (int n = 0; n < N; ++n)
        for (int k = 0; k < 16; ++k)
            x[n * 16 + k] = sums[n][k];
}
template KERNEL void multiplies<2>(float*, float, float);
template KERNEL void multiplies<20>(float*, float, float);

// One size of work-group each, and LDS, so that each limits in turn.
#define GROUPS(LDS, THREADS)                                                                                     \\
    extern "C" KERNEL __attribute__((amdgpu_flat_work_group_size(THREADS, THREADS)))                              \\
    void JOIN(NAME, _groups_##LDS##_##THREADS)(int* x, int i) {                                                   \\
        __attribute__((shared)) static int tile[LDS / 4];                                                         \\
        tile[i] = x[i];                                                                                           \\
        __builtin_amdgcn_s_barrier();                                                                             \\
        x[i + 1] = tile[i + 5];                                                                                   \\
    }
GROUPS(32768, 256)
GROUPS(20480, 256)
GROUPS(65536, 64)
GROUPS(65536, 1024)
GROUPS(4096, 64)
GROUPS(4, 704)

extern "C" KERNEL __attribute__((amdgpu_flat_work_group_size(64, 64))) void JOIN(NAME, _scalars)(const long* x) {
    long values[47];
#pragma unroll
    for (int i = 0; i < 47; ++i)
        asm volatile("s_load_dwordx2 %0, %1, %2" : "=s"(values[i]) : "s"(x), "i"(i * 8));
#pragma unroll
    for (int i = 0; i < 47; ++i)
        asm volatile("; use %0" ::"s"(values[i]));
}

extern "C" KERNEL __attribute__((amdgpu_flat_work_group_size(1024, 1024))) void JOIN(NAME, _spills)(float* x, int n) {
    float values[160];
    for (int i = 0; i < 160; ++i)
        values[i] = x[i * n];
    for (int k = 0; k < 9; ++k) {
        __builtin_amdgcn_s_barrier();
        for (int i = 0; i < 160; ++i)
            values[i] = values[i] * values[(i + 53) % 160] + x[n + i];
    }
    for (int i = 0; i < 160; ++i)
        x[i] = values[i];
}
"""


def sdks():
    found = json.loads(driver.run_kbuild("toolchain", "list", "--format", "json").stdout)["rocm"]
    return {sdk["name"]: Path(sdk["root"]) for sdk in found}


@pytest.fixture(scope="module", params=["rocm@6.4", "rocm@7.2"])
def tools(request):
    root = sdks().get(request.param)
    if root is None:
        pytest.skip(f"there is no SDK {request.param}")
    return root / "llvm/bin"


def remarks_of(text):
    """What the compiler said, by architecture and kernel; it compiles one architecture after the other."""
    remarks, arch, figures = {}, -1, None
    for line in text.splitlines():
        match = re.search(r"remark: (?:[^:]+:\d+:\d+: )?\s*([^:\[]+?)(?: \[[^\]]*\])?: (\S+) \[-Rpass-analysis", line)
        if not match:
            continue
        key, value = match.groups()
        if key == "Function Name":
            figures = remarks.setdefault(value, [])
            figures.append({})
        elif figures is not None:
            figures[-1][key] = value
    return {(ARCHS[number], name): found for name, list_ in remarks.items() for number, found in enumerate(list_)}


@pytest.fixture(scope="module", params=WAYS)
def compiled(request, tools, tmp_path_factory):
    folder = tmp_path_factory.mktemp("figures")
    source = folder / "kernels.hip"
    source.write_text((HERE.parent / "unit/inspect/real_code.hip").read_text() + MORE)
    result = subprocess.run(
        [tools / "clang++", "-x", "hip", "-nogpuinc", "-nogpulib", "-fPIC", "-O3", "-fno-gpu-rdc", "-DNAME=test",
         *(f"--offload-arch={arch}" for arch in ARCHS), "-Rpass-analysis=kernel-resource-usage", *WAYS[request.param],
         "-c", source, "-o", folder / "kernels.o"], text=True, capture_output=True)
    assert result.returncode == 0, result.stderr
    subprocess.run(["gcc", "-shared", "-nostdlib", folder / "kernels.o", "-o", folder / "kernels.so"], check=True)
    document = json.loads(driver.run_kbuild("inspect", "--format", "json", folder / "kernels.so", cwd=folder).stdout)
    (file,) = document["files"]
    kernels = {(obj["arch"], kernel["name"]): kernel for obj in file["code_objects"] for kernel in obj["kernels"]}
    return SimpleNamespace(folder=folder, file=file, kernels=kernels, remarks=remarks_of(result.stderr),
                           is_compressed=request.param == "compressed")


KERNELS = 12


def occupancy_of_compiler(kernel):
    """Waves per SIMD as the compiler counts them. `waves_per_simd` of kbuild is what registers allow, `waves_per_cu` counts
    whole work-groups of a compute unit; the compiler takes the smaller of the first and, without regard to registers, the
    work-groups that fit by size and LDS, at least one, spread over four SIMDs. That is so for work-groups of one size; where
    a kernel allows a range, newer compilers also look at smaller sizes, which are not in the file."""
    waves = -(-kernel["max_work_group_size"] // kernel["wave_size"])
    groups = 32 // waves
    if kernel["lds_bytes"]:
        groups = max(1, min(groups, 65536 // kernel["lds_bytes"]))
    return min(kernel["occupancy"]["waves_per_simd"], -(-groups * waves // 4))


def test_all_kernels_are_there(compiled):
    assert compiled.file["archs"] == ARCHS
    assert compiled.file["compressed_bundles"] == (1 if compiled.is_compressed else 0)
    assert len(compiled.kernels) == KERNELS * len(ARCHS)
    assert set(compiled.remarks) == set(compiled.kernels)


def test_figures_are_those_that_the_compiler_said(compiled):
    for name, said in compiled.remarks.items():
        kernel = compiled.kernels[name]
        vgprs, agprs = int(said["VGPRs"]), int(said["AGPRs"])
        # The remark counts the two kinds apart; from gfx90a on they are one file, AGPRs at a multiple of 4.
        total = (vgprs + 3) // 4 * 4 + agprs if agprs else vgprs
        assert kernel["vgprs"] == total, name
        assert kernel["agprs"] == agprs, name
        assert kernel["sgprs"] == int(said.get("TotalSGPRs", said.get("SGPRs"))), name
        assert kernel["scratch_bytes"] == int(said["ScratchSize"]), name
        assert kernel["dynamic_stack"] == (said["Dynamic Stack"] == "True"), name
        assert kernel["sgpr_spills"] == int(said["SGPRs Spill"]), name
        assert kernel["vgpr_spills"] == int(said["VGPRs Spill"]), name
        assert kernel["lds_bytes"] == int(said["LDS Size"]), name
        assert occupancy_of_compiler(kernel) == int(said["Occupancy"]), name


def test_the_kernels_are_of_all_kinds(compiled):
    kernels = compiled.kernels.values()
    assert any(kernel["agprs"] > 0 for kernel in kernels)
    assert any(kernel["vgpr_spills"] > 0 for kernel in kernels)
    assert any(kernel["lds_bytes"] > 0 for kernel in kernels)
    assert any(kernel["scratch_bytes"] > 0 for kernel in kernels)
    assert any(kernel["instructions"]["mfma"] > 0 for kernel in kernels)
    limits = {kernel["occupancy"]["limit"] for kernel in kernels}
    assert limits == {"wave slots", "VGPRs", "SGPRs", "LDS", "work-group size"}
    assert any(occupancy_of_compiler(kernel) < kernel["occupancy"]["waves_per_simd"] for kernel in kernels)


NOTE_KEYS = {".vgpr_count": "vgprs", ".agpr_count": "agprs", ".sgpr_count": "sgprs", ".vgpr_spill_count": "vgpr_spills",
             ".sgpr_spill_count": "sgpr_spills", ".group_segment_fixed_size": "lds_bytes",
             ".private_segment_fixed_size": "scratch_bytes", ".kernarg_segment_size": "kernarg_bytes",
             ".max_flat_workgroup_size": "max_work_group_size", ".wavefront_size": "wave_size"}


def notes_of(text):
    """The kernels in what `llvm-readelf --notes` prints: YAML with one key a line, two blanks deep below a kernel."""
    kernels, figures = {}, {}
    for line in text.splitlines():
        if re.match(r"  - \.", line):
            figures = {}
        match = re.match(r"(?:  - |    )(\.\w+):\s+(\S.*)$", line)
        if match:
            figures[match.group(1)] = match.group(2).strip("'\"")
            if match.group(1) == ".name":
                kernels[figures[".name"]] = figures
    return kernels


def test_figures_are_those_of_llvm_readelf(compiled, tools):
    section = compiled.folder / "fatbin"
    subprocess.run(["objcopy", f"--dump-section=.hip_fatbin={section}", compiled.folder / "kernels.so", "/dev/null"],
                   check=True)
    for arch in ARCHS:
        code = compiled.folder / f"{arch}.co"
        subprocess.run([tools / "clang-offload-bundler", "--unbundle", "--type=o", f"--input={section}",
                        f"--output={code}", f"--targets=hipv4-amdgcn-amd-amdhsa--{arch}"], check=True)
        result = subprocess.run([tools / "llvm-readelf", "--notes", code], check=True, text=True, capture_output=True)
        notes = notes_of(result.stdout)
        assert len(notes) == KERNELS, result.stdout
        for name, figures in notes.items():
            kernel = compiled.kernels[arch, name]
            for key, figure in NOTE_KEYS.items():
                assert kernel[figure] == int(figures[key]), (arch, name, key)
