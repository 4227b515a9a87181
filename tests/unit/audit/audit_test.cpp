#include "variant_folder.hpp"

#include "kbuild/audit/audit.hpp"
#include "kbuild/support/strings.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using test::ElfImage;
using test::kCpuName;
using test::kRocmName;
using test::VariantFolder;

namespace {

/// A variant that nothing can be said against.
VariantFolder complete(const std::string& name = kRocmName) {
    VariantFolder variant(name);
    variant.metadata.provenance = layout::Provenance{
        "kbuild 1", std::nullopt, layout::CommitState{std::string(40, 'a')}, {}, {}};
    return variant;
}

/// Writes it, with the digest of its files.
void finish(VariantFolder& variant) {
    variant.write_library();
    variant.metadata.digest = *layout::digest_folder(variant.path());
    variant.write_metadata();
}

audit::Report audit_of(const std::vector<const VariantFolder*>& variants) {
    std::vector<std::filesystem::path> folders;
    for (const auto* const variant : variants)
        folders.push_back(variant->path());
    return audit::audit(folders, [](const auto&) { return verify::Expectations(); });
}

audit::Report audit_of(VariantFolder& variant) {
    finish(variant);
    return audit_of({&variant});
}

/// Codes of what is worse than a note, worst first.
std::vector<std::string> codes(const audit::Report& report) {
    std::vector<std::string> list;
    for (const auto& finding : report.findings)
        if (finding.what.severity != diag::Severity::note)
            list.push_back(finding.what.code);
    return list;
}

std::string text_of(const audit::Report& report, const std::string& code) {
    for (const auto& finding : report.findings)
        if (finding.what.code == code)
            return finding.what.message + "\n" + support::join(finding.what.notes, "\n");
    return {};
}

test::json calm_kernel(const std::string& name) {
    auto kernel = test::kernel_metadata(name);
    for (const auto* const key :
         {".vgpr_spill_count", ".sgpr_spill_count", ".private_segment_fixed_size"})
        kernel[key] = 0;
    return kernel;
}

/// A code object of kernels that spill nothing; `word` is all of the code of each.
std::string calm_code(const std::string& arch,
                      const std::vector<std::string>& kernels,
                      std::uint32_t word = 0x7e000280) {
    auto metadata = test::code_metadata(arch, kernels);
    for (auto& kernel : metadata["amdhsa.kernels"])
        kernel = calm_kernel(kernel[".name"]);
    auto image = test::code_object_image(kernels, test::amdgpu_note(test::message_pack(metadata)));
    std::string text;
    for (const auto& name : kernels) {
        test::ElfSymbol function{name, true};
        function.value = 0x1000 + text.size();
        function.size = 8;
        image.symbols.push_back(function);
        test::append(text, word);
        test::append(text, std::uint32_t{0xbf810000}); // s_endpgm
    }
    image.sections.push_back({".text", SHT_PROGBITS, text, 0x1000});
    return test::build_elf(image);
}

} // namespace

TEST_CASE("a good variant has nothing against it, and its figures are in the report") {
    auto variant = complete();
    variant.set_device_code({{"gfx942", calm_code("gfx942", {"gemm"})}});
    const auto report = audit_of(variant);
    CHECK(codes(report).empty());
    REQUIRE(report.variants.size() == 1);
    const auto& only = report.variants.front();
    CHECK(only.name == kRocmName);
    CHECK(only.shape == audit::Shape::flat);
    CHECK(only.errors == 0);
    CHECK(only.metadata->name == "gemm");
    REQUIRE(only.libraries.size() == 1);
    CHECK(only.libraries.front().code.kernel_count() == 1);
    CHECK(only.facts.kernels == 1);
}

TEST_CASE("what cannot be read is a finding, and the rest is looked at all the same") {
    auto good = complete();
    good.set_device_code({{"gfx942", calm_code("gfx942", {"gemm"})}});
    finish(good);
    auto bad = complete(kCpuName);
    finish(bad);
    bad.write(bad.library_path().filename().string(), "no ELF file");
    bad.write("data/other.so", "");
    const auto report = audit_of({&bad, &good});
    CHECK(report.variants.size() == 2);
    CHECK(report.variants.front().name == kCpuName);
    CHECK(report.variants.front().libraries.empty());
    CHECK(report.variants.back().errors == 0);
    CHECK(report.findings.front().what.message ==
          "cannot read `<variant>/_gemm_cpu_abc.abi3.so` as ELF: it is no ELF file");
    // The extension and the other library; their changed bytes and the unknown file.
    CHECK(codes(report) == test::Codes{"K0601", "K0601", "K0709"});
}

TEST_CASE("a finding of several variants is one, and stands before those of fewer") {
    auto rocm = complete();
    auto cpu = complete(kCpuName);
    rocm.set_device_code({{"gfx942", calm_code("gfx942", {"gemm"})}});
    for (auto* const variant : {&rocm, &cpu})
        variant->library.run_path = "/opt/lib";
    rocm.metadata.archs = {test::arch("gfx90a")};
    rocm.metadata.id = cpu.metadata.id = "_gemm_abc";
    for (auto* const variant : {&rocm, &cpu}) {
        variant->library.symbols = {{"PyInit__gemm_abc", true}};
        variant->write("_ops.py", layout::ops_py("_gemm_abc"));
        finish(*variant);
    }
    const auto report = audit_of({&rocm, &cpu});
    REQUIRE(codes(report) == test::Codes{"K0612", "K0604"});
    CHECK(report.findings.front().variants == std::vector{kCpuName, kRocmName});
    CHECK(report.findings.front().what.message ==
          "`<variant>/_gemm_abc.abi3.so` has the run path `/opt/lib`");
    CHECK(report.findings[1].variants == std::vector{kRocmName});
    CHECK(report.count(diag::Severity::error) == 2);
}

TEST_CASE("errors stand before warnings, warnings before notes") {
    auto variant = complete();
    variant.metadata.provenance.reset();
    variant.library.run_path = "/opt/lib";
    const auto report = audit_of(variant);
    std::vector<int> severities;
    for (const auto& finding : report.findings)
        severities.push_back(-static_cast<int>(finding.what.severity));
    CHECK(std::is_sorted(severities.begin(), severities.end()));
    CHECK(report.count(diag::Severity::error) == 1);
    CHECK(report.count(diag::Severity::warning) == 2);
}

TEST_CASE("K0740: kernels that end before they do anything") {
    auto variant = complete();
    variant.set_device_code(
        {{"gfx942", calm_code("gfx942", {"_Z4gemmPf"}, 0xbf810000)}}); // s_endpgm
    CHECK(support::contains(text_of(audit_of(variant), "K0740"),
                            "has 1 kernel without a body\n"
                            "`gemm(float*)` for gfx942: it ends at once"));
}

TEST_CASE("K0741: kernels that keep values in memory") {
    auto variant = complete(); // its kernel spills
    CHECK(support::contains(text_of(audit_of(variant), "K0741"),
                            "`gemm` for gfx942: 4 registers spilled, 20 bytes of scratch"));
}

TEST_CASE("K0742: debug information in a published library") {
    auto variant = complete(kCpuName);
    variant.library.sections = {{".debug_info", SHT_PROGBITS, std::string(5000, 'x')}};
    CHECK(support::contains(text_of(audit_of(variant), "K0742"),
                            "carries 5.0 kB of debug information and symbols"));
    variant.library.sections = {{".symtab", SHT_PROGBITS, std::string(5000, 'x')}};
    CHECK(codes(audit_of(variant)).empty()); // too few to speak of
}

TEST_CASE("K0743: where a variant comes from") {
    auto variant = complete(kCpuName);
    variant.metadata.provenance->kernel->dirty = true;
    CHECK(support::contains(text_of(audit_of(variant), "K0743"), "changes that are in no commit"));
    variant.metadata.provenance->kernel.reset();
    CHECK(support::contains(text_of(audit_of(variant), "K0743"), "of which commit"));
    variant.metadata.provenance->kernel = layout::CommitState{std::string(40, 'a')};
    variant.metadata.provenance->builder_commit = layout::CommitState{std::string(40, 'b'), true};
    CHECK(support::contains(text_of(audit_of(variant), "K0743"), "the builder had changes"));
}

TEST_CASE("K0744: no digest") {
    auto variant = complete(kCpuName);
    variant.write_library();
    variant.write_metadata();
    CHECK(codes(audit_of({&variant})) == test::Codes{"K0744"});
}

TEST_CASE("K0745: the three shapes of a folder") {
    auto variant = complete(kCpuName);
    variant.write("gemm/__init__.py", "from .. import *\n");
    CHECK(audit_of(variant).variants.front().shape == audit::Shape::transitional);
    variant.remove("__init__.py");
    variant.remove("_ops.py");
    variant.write("gemm/__init__.py", "from ._ops import ops\n");
    variant.write("gemm/_ops.py", layout::ops_py(variant.metadata.id));
    variant.write("gemm/" + variant.library_path().filename().string(),
                  test::build_elf(variant.library));
    variant.metadata.digest.reset();
    variant.write_metadata();
    variant.remove(variant.library_path().filename().string());
    const auto report = audit_of({&variant});
    CHECK(report.variants.front().shape == audit::Shape::legacy);
    CHECK(codes(report) == test::Codes{"K0744", "K0745"});
}

TEST_CASE("K0746: variants that are not of one kernel, version and licence") {
    auto first = complete(kCpuName);
    auto second = complete("torch214-cxx11-cpu-x86_64-linux");
    second.metadata.version = 2;
    second.metadata.license = "MIT";
    finish(first);
    finish(second);
    const auto report = audit_of({&first, &second});
    CHECK(codes(report) == test::Codes{"K0746", "K0746"});
    CHECK(support::contains(text_of(report, "K0746"), "`license`"));
    CHECK(report.findings.front().variants.empty());
}

TEST_CASE("K0747: variants of one backend with different kernels") {
    auto first = complete();
    auto second = complete("torch214-cxx11-rocm72-x86_64-linux");
    first.set_device_code({{"gfx942", calm_code("gfx942", {"gemm"})}});
    second.set_device_code({{"gfx942", calm_code("gfx942", {"gemm", "relu"})}});
    finish(first);
    finish(second);
    const auto report = audit_of({&first, &second});
    CHECK(codes(report) == test::Codes{"K0747"});
    CHECK(text_of(report, "K0747") == "the variants for rocm do not hold the same kernels\n"
                                      "1 kernel: torch213-cxx11-rocm72-x86_64-linux\n"
                                      "2 kernels: torch214-cxx11-rocm72-x86_64-linux");
}

TEST_CASE("variants for other backends are looked at as far as ELF goes") {
    auto variant = complete("torch213-cxx11-cu130-x86_64-linux");
    variant.metadata.backend = model::Backend::cuda;
    variant.metadata.id = "_gemm_cuda_abc";
    variant.library.needed = {"libcudart.so.13", "libtorch_cuda.so", "libc.so.6"};
    variant.library.symbols = {{"PyInit__gemm_cuda_abc", true}};
    variant.library.executable_stack = true;
    variant.write("_ops.py", layout::ops_py(variant.metadata.id));
    CHECK(codes(audit_of(variant)) == test::Codes{"K0624"});
}
