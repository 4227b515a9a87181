#pragma once

#include "device_code_builder.hpp"

#include "kbuild/layout/metadata.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"
#include "kbuild/verify/verify.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

/// A variant for tests: good until a test changes something.
namespace kbuild::test {

namespace fs = std::filesystem;

inline const std::string kRocmName = "torch213-cxx11-rocm72-x86_64-linux";
inline const std::string kCpuName = "torch213-cxx11-cpu-x86_64-linux";

inline model::GfxArch arch(std::string_view name) {
    return *model::GfxArch::parse(name);
}

struct Findings {
    diag::Collector all;
    verify::VariantFacts facts;

    /// Codes of warnings and errors, sorted; notes say only that a check did not run.
    std::vector<std::string> codes() const {
        std::vector<std::string> list;
        for (const auto& finding : all.sorted())
            if (finding.severity != diag::Severity::note)
                list.push_back(finding.code);
        std::sort(list.begin(), list.end());
        return list;
    }
    /// Everything that the first finding of `code` says; empty if there is none.
    std::string text_of(const std::string& code) const {
        for (const auto& finding : all.sorted()) {
            if (finding.code != code)
                continue;
            std::string text = finding.message;
            for (const auto& line : finding.notes)
                text += "\n" + line;
            for (const auto& line : finding.help)
                text += "\n" + line;
            return text;
        }
        return {};
    }
};

using Codes = std::vector<std::string>;

class VariantFolder {
  public:
    explicit VariantFolder(std::string name = kRocmName) : name_(std::move(name)) {
        const bool rocm = model::Variant::parse(name_)->backend == model::Backend::rocm;
        metadata.name = "gemm";
        metadata.id = rocm ? "_gemm_rocm_abc" : "_gemm_cpu_abc";
        metadata.version = 1;
        metadata.license = "Apache-2.0";
        metadata.backend = rocm ? model::Backend::rocm : model::Backend::cpu;
        library.needed = {"libtorch_cpu.so", "libc10.so", "libstdc++.so.6", "libc.so.6"};
        library.symbols = {{"PyInit_" + metadata.id, true}};
        if (rocm) {
            metadata.archs = {arch("gfx942")};
            library.needed.emplace_back("libamdhip64.so.7");
            set_device_code({{"gfx942", code_object("gfx942", {"gemm"})}});
        }
        write("__init__.py", "from ._ops import ops\n");
        write("_ops.py", layout::ops_py(metadata.id));
    }

    layout::Metadata metadata;
    ElfImage library;

    fs::path path() const { return dir_.path() / name_; }
    fs::path library_path() const { return path() / (metadata.id + ".abi3.so"); }
    void write(const std::string& file, const std::string& text) const {
        REQUIRE(support::write_file_atomically(path() / file, text));
    }
    void remove(const std::string& file) const { REQUIRE(support::remove_tree(path() / file)); }
    void set_device_code(const std::vector<std::pair<std::string, std::string>>& objects) {
        library.sections = {{".hip_fatbin", SHT_PROGBITS, hip_bundle(objects)}};
    }
    void write_metadata() const { write("metadata.json", layout::write_metadata(metadata)); }
    void write_library() const { write(library_path().filename().string(), build_elf(library)); }

    /// Checks the folder as it is.
    Findings check(const verify::Expectations& expectations = {}) const {
        Findings findings;
        auto facts = verify::verify_variant(path(), expectations, findings.all);
        REQUIRE(facts);
        findings.facts = std::move(*facts);
        return findings;
    }
    /// Writes metadata and library as they are set, then checks.
    Findings write_and_check(const verify::Expectations& expectations = {}) const {
        write_metadata();
        write_library();
        return check(expectations);
    }

  private:
    std::string name_;
    support::TempDir dir_ = *support::TempDir::create(fs::temp_directory_path(), "kbuild-verify-");
};

} // namespace kbuild::test
