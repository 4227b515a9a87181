#include "variant_folder.hpp"

using namespace kbuild;
using test::Codes;
using test::VariantFolder;

TEST_CASE("a good variant has no findings, and its facts are read from the file") {
    const VariantFolder variant;
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{});
    CHECK(findings.facts.library == "_gemm_rocm_abc.abi3.so");
    CHECK(findings.facts.kernels == 1);
    CHECK(model::to_string(findings.facts.device_code.archs()) == "gfx942");
    CHECK(findings.facts.sha256.size() == 64);
    CHECK(findings.facts.bytes > support::size_of_file(variant.library_path()));
    CHECK(VariantFolder(test::kCpuName).write_and_check().codes() == Codes{});
}

TEST_CASE("a folder that is not there is an error, not a finding") {
    diag::Collector sink;
    CHECK_FALSE(verify::verify_variant("/no/such/variant", {}, sink));
}

TEST_CASE("a name that no loader parses is K0701, unless the caller says what the variant is") {
    const VariantFolder good;
    good.write_metadata();
    good.write_library();
    const auto staged = good.path().parent_path() / "stage.Xy12";
    REQUIRE(support::rename_path(good.path(), staged));
    test::Findings findings;
    REQUIRE(verify::verify_variant(staged, {}, findings.all));
    CHECK(findings.codes() == Codes{"K0701"});

    verify::Expectations expectations;
    expectations.variant = model::Variant::parse(test::kRocmName);
    diag::Collector silent;
    REQUIRE(verify::verify_variant(staged, expectations, silent));
    CHECK_FALSE(silent.has_errors());
}

TEST_CASE("messages name the folder that the caller wants to be named") {
    const VariantFolder variant;
    variant.write_library();
    verify::Expectations expectations;
    expectations.shown_as = "build/torch213";
    CHECK(variant.check(expectations).text_of("K0702").find("`build/torch213/metadata.json`") !=
          std::string::npos);
}

TEST_CASE("metadata.json must be there and readable") {
    const VariantFolder variant;
    variant.write_library();
    CHECK(variant.check().codes() == Codes{"K0702"});
    variant.write("metadata.json", R"({"name": "gemm"})");
    const auto findings = variant.check();
    CHECK(findings.codes() == Codes{"K0703"});
    CHECK(findings.text_of("K0703").find("`id` is missing") != std::string::npos);
}

TEST_CASE("metadata for another backend than the folder's is K0704") {
    VariantFolder variant(test::kCpuName);
    variant.metadata.backend = model::Backend::cuda;
    CHECK(variant.write_and_check().codes() == Codes{"K0704"});
}

TEST_CASE("the package needs __init__.py and an _ops.py that imports this library") {
    const VariantFolder variant;
    SECTION("no __init__.py") {
        variant.remove("__init__.py");
        CHECK(variant.write_and_check().codes() == Codes{"K0705"});
    }
    SECTION("no _ops.py") {
        variant.remove("_ops.py");
        CHECK(variant.write_and_check().codes() == Codes{"K0706"});
    }
    SECTION("_ops.py of another build") {
        variant.write("_ops.py", layout::ops_py("_gemm_rocm_other"));
        CHECK(variant.write_and_check().codes() == Codes{"K0706"});
    }
}

TEST_CASE("the older layout, a folder named like the module, is accepted") {
    const VariantFolder variant;
    variant.write_metadata();
    variant.write_library();
    REQUIRE(support::make_folder(variant.path() / "gemm"));
    for (const auto* file : {"__init__.py", "_ops.py", "_gemm_rocm_abc.abi3.so"})
        REQUIRE(support::rename_path(variant.path() / file, variant.path() / "gemm" / file));
    CHECK(variant.check().codes() == Codes{});
}

TEST_CASE("the library must be there and called like the id") {
    VariantFolder variant;
    SECTION("none") {
        variant.write_metadata();
        CHECK(variant.check().codes() == Codes{"K0707"});
    }
    SECTION("another name; the rest of it is checked all the same") {
        variant.write_library();
        variant.metadata.id = "_gemm_rocm_other";
        variant.write_metadata();
        const auto findings = variant.check();
        CHECK(findings.codes() == Codes{"K0614", "K0706", "K0708"});
        CHECK(findings.facts.kernels == 1);
    }
    SECTION("an id that cannot be imported") {
        variant.metadata.id = "../evil";
        variant.write_metadata();
        const auto codes = variant.check().codes();
        CHECK(std::find(codes.begin(), codes.end(), "K0708") != codes.end());
    }
}

TEST_CASE("a variant of Python code only needs no library") {
    const VariantFolder variant("torch-rocm");
    variant.write_metadata();
    CHECK(variant.check().codes() == Codes{});
}

TEST_CASE("files that differ from the digest are listed") {
    VariantFolder variant;
    variant.write_library();
    variant.metadata.digest = *layout::digest_folder(variant.path());
    CHECK(variant.write_and_check().codes() == Codes{});
    variant.write("__init__.py", "changed");
    variant.write("extra.py", "");
    const auto findings = variant.check();
    CHECK(findings.codes() == Codes{"K0709"});
    CHECK(findings.text_of("K0709").find("`__init__.py` has other bytes") != std::string::npos);
    CHECK(findings.text_of("K0709").find("`extra.py` is not in the digest") != std::string::npos);
}

TEST_CASE("a digest that kbuild cannot compute is said, not passed over") {
    VariantFolder variant;
    variant.metadata.digest_algorithm = "sha512";
    variant.metadata.digest = std::vector<layout::DigestEntry>{{"a", "x="}};
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{});
    CHECK(findings.text_of("K0615").find("sha512") != std::string::npos);
}

TEST_CASE("bytecode and links are warned of") {
    const VariantFolder variant;
    variant.write("__pycache__/__init__.cpython-311.pyc", "x");
    std::filesystem::create_symlink("__init__.py", variant.path() / "link.py");
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0710"});
    CHECK(findings.all.count(diag::Severity::error) == 0);
    CHECK(findings.text_of("K0710").find("`link.py`") != std::string::npos);
}
