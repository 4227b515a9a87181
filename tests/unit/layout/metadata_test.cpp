#include "kbuild/layout/metadata.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using layout::Metadata;
using layout::read_metadata;
using layout::write_metadata;

namespace {

const std::string kCommit(40, 'a');

Metadata full() {
    Metadata metadata;
    metadata.name = "my-gemm";
    metadata.id = "_my_gemm_rocm_1a2b3c4";
    metadata.version = 3;
    metadata.kernels_minver = "0.14.0";
    metadata.license = "Apache-2.0";
    metadata.upstream = "https://example.org/a";
    metadata.source = "git@example.org:a/b.git";
    metadata.python_depends = {"einops"};
    metadata.kernel_depends = {{"org/dep", 2, std::nullopt}, {"org/other", std::nullopt, "main"}};
    metadata.backend = model::Backend::rocm;
    metadata.archs = {*model::GfxArch::parse("gfx90a"), *model::GfxArch::parse("gfx942")};
    metadata.digest = {{"__init__.py", "abc="}, {"_ops.py", "def="}};
    metadata.provenance = layout::Provenance{"0.1.0",
                                             layout::CommitState{kCommit, false},
                                             layout::CommitState{kCommit, true},
                                             "torch 2.13.0",
                                             "HIP 6.4.43484"};
    return metadata;
}

/// A minimal document with one key set to other JSON text (or left out, if that is empty).
std::string document(const std::string& key = {}, const std::string& value = {}) {
    std::vector<std::pair<std::string, std::string>> pairs = {{"name", R"("relu")"},
                                                              {"id", R"("_relu_rocm_1")"},
                                                              {"version", "1"},
                                                              {"license", R"("MIT")"},
                                                              {"python-depends", "[]"},
                                                              {"backend", R"({"type":"rocm"})"}};
    bool known = key.empty();
    std::string text = "{";
    for (auto& [name, json] : pairs) {
        if (name == key) {
            json = value;
            known = true;
        }
        if (!json.empty())
            text += (text.size() > 1 ? "," : "") + ("\"" + name + "\":" + json);
    }
    return text + (known ? "" : ",\"" + key + "\":" + value) + "}";
}

std::string error_of(const std::string& json) {
    const auto metadata = read_metadata(json);
    REQUIRE_FALSE(metadata);
    CHECK(metadata.error().kind == support::ErrorKind::content);
    return metadata.error().message;
}

bool accepts(const std::string& key, const std::string& value) {
    return read_metadata(document(key, value)).has_value();
}

} // namespace

TEST_CASE("metadata.json is written as upstream writes it") {
    const std::string wanted = R"({
  "name": "my-gemm",
  "id": "_my_gemm_rocm_1a2b3c4",
  "version": 3,
  "kernels-minver": "0.14.0",
  "license": "Apache-2.0",
  "upstream": "https://example.org/a",
  "source": "git@example.org:a/b.git",
  "python-depends": [
    "einops"
  ],
  "kernel-depends": [
    {
      "repo-id": "org/dep",
      "version": 2
    },
    {
      "repo-id": "org/other",
      "revision": "main"
    }
  ],
  "backend": {
    "type": "rocm",
    "archs": [
      "gfx90a",
      "gfx942"
    ]
  },
  "digest": {
    "algorithm": "sha256",
    "files": {
      "__init__.py": "abc=",
      "_ops.py": "def="
    }
  },
  "provenance": {
    "kernel-builder": {
      "version": "0.1.0",
      "commit": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "dirty": false
    },
    "kernel": {
      "commit": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "dirty": true
    },
    "kbuild": {
      "torch": "torch 2.13.0",
      "rocm": "HIP 6.4.43484"
    }
  }
})";
    CHECK(write_metadata(full()) == wanted);
}

TEST_CASE("what is absent is not written, except empty dependency lists") {
    Metadata metadata;
    metadata.name = "relu";
    metadata.id = "_relu_cpu_1";
    metadata.license = "MIT";
    CHECK(write_metadata(metadata) == R"({
  "name": "relu",
  "id": "_relu_cpu_1",
  "version": 0,
  "license": "MIT",
  "python-depends": [],
  "kernel-depends": [],
  "backend": {
    "type": "cpu"
  }
})");
}

TEST_CASE("writing, reading and writing again gives the same bytes") {
    const auto text = write_metadata(full());
    const auto metadata = read_metadata(text);
    REQUIRE(metadata);
    CHECK(write_metadata(*metadata) == text);
    CHECK(metadata->provenance == full().provenance);
    CHECK(metadata->digest == full().digest);
}

TEST_CASE("the six required keys are required and named when missing") {
    for (const auto* key : {"name", "id", "version", "license", "python-depends", "backend"})
        CHECK(error_of(document(key, "")) == "the key `" + std::string(key) + "` is missing");
    CHECK(read_metadata(document()));
}

TEST_CASE("unknown keys are accepted at all levels") {
    CHECK(accepts("future", R"({"a":[1]})"));
    CHECK(accepts("backend", R"({"type":"rocm","future":1})"));
    CHECK(accepts("digest", R"({"algorithm":"sha256","files":{},"future":1})"));
    CHECK(accepts("provenance",
                  R"({"kernel-builder":{"version":"1","future":1},"kbuild":"future"})"));
}

TEST_CASE("a value of the wrong type is named by its place") {
    CHECK(error_of(document("version", R"("1")")).find("`version`") == 0);
    CHECK(error_of(document("version", "-1")).find("`version`") == 0);
    CHECK(error_of(document("version", "1.0")).find("`version`") == 0);
    CHECK(error_of(document("python-depends", "[1]")).find("`python-depends[0]`") == 0);
    CHECK(error_of(document("backend", R"("rocm")")).find("`backend`") == 0);
    CHECK(error_of(document("backend", R"({"type":"hip"})")).find("`backend.type`") == 0);
    CHECK(error_of(document("provenance", R"({"kernel-builder":{}})")) ==
          "the key `provenance.kernel-builder.version` is missing");
}

TEST_CASE("names, URLs and versions are checked as the loader checks them") {
    CHECK_FALSE(accepts("name", R"("My_Relu")"));
    CHECK_FALSE(accepts("upstream", R"("file:///x")"));
    CHECK(accepts("upstream", "null"));
    CHECK(accepts("kernels-minver", R"("1.2.3")"));
    CHECK_FALSE(accepts("kernels-minver", R"("1.2")"));
}

TEST_CASE("a kernel dependency has either a version or a revision") {
    CHECK(accepts("kernel-depends", R"([{"repo-id":"a/b","version":1}])"));
    CHECK(accepts("kernel-depends", R"([{"repo-id":"a/b","revision":"x"}])"));
    CHECK_FALSE(accepts("kernel-depends", R"([{"repo-id":"a/b"}])"));
    CHECK_FALSE(accepts("kernel-depends", R"([{"repo-id":"a/b","version":1,"revision":"x"}])"));
    CHECK_FALSE(accepts("kernel-depends", R"([{"repo-id":"a/b","version":1,"z":1}])"));
    CHECK_FALSE(accepts("kernel-depends", "null"));
}

TEST_CASE("architectures of rocm are GPU names; those of other backends are kept as written") {
    CHECK(accepts("backend", R"({"type":"rocm","archs":["gfx942"]})"));
    CHECK_FALSE(accepts("backend", R"({"type":"rocm","archs":["sm_90"]})"));
    const auto cuda = read_metadata(document("backend", R"({"type":"cuda","archs":["9.0a+PTX"]})"));
    REQUIRE(cuda);
    CHECK(cuda->other_archs == std::vector<std::string>{"9.0a+PTX"});
    CHECK(write_metadata(*cuda).find("9.0a+PTX") != std::string::npos);
}

TEST_CASE("in provenance, commit and dirty go together; sha is the old name of commit") {
    const auto provenance = [](const std::string& kernel) {
        return accepts("provenance",
                       R"({"kernel-builder":{"version":"1"},"kernel":)" + kernel + "}");
    };
    CHECK(provenance(R"({"commit":")" + kCommit + R"(","dirty":true})"));
    CHECK(provenance(R"({"sha":")" + kCommit + R"(","dirty":true})"));
    CHECK(provenance("null"));
    CHECK_FALSE(provenance(R"({"commit":")" + kCommit + R"("})"));
    CHECK_FALSE(provenance(R"({"commit":"abc","dirty":true})"));
    CHECK_FALSE(
        provenance(R"({"commit":")" + kCommit + R"(","sha":")" + kCommit + R"(","dirty":true})"));
    CHECK_FALSE(accepts("provenance", R"({"kernel-builder":{"version":"1","dirty":true}})"));
    CHECK_FALSE(accepts("provenance", "42"));

    const auto old =
        read_metadata(document("provenance",
                               R"({"kernel-builder":{"version":"1"},"kernel":{"sha":")" +
                                   std::string(40, 'B') + R"(","dirty":false}})"));
    REQUIRE(old);
    CHECK(old->provenance->kernel == layout::CommitState{std::string(40, 'b'), false});
}

TEST_CASE("digests of both algorithms are kept, others refused") {
    const auto metadata =
        read_metadata(document("digest", R"({"algorithm":"sha512","files":{"a":"x="}})"));
    REQUIRE(metadata);
    CHECK(metadata->digest_algorithm == "sha512");
    CHECK(write_metadata(*metadata).find("sha512") != std::string::npos);
    CHECK_FALSE(accepts("digest", R"({"algorithm":"sha3-512","files":{}})"));
    CHECK_FALSE(accepts("digest", R"({"algorithm":"sha256"})"));
}

TEST_CASE("a key that is written twice is refused: readers would disagree about it") {
    CHECK(error_of(R"({"name":"a1","name":"a2"})").find("`name` is there twice") !=
          std::string::npos);
}

TEST_CASE("what is no JSON is an error with line and column") {
    CHECK(error_of("{\n  \"name\": oops\n}").find("line 2") != std::string::npos);
    CHECK_FALSE(read_metadata(""));
    CHECK_FALSE(read_metadata("[]"));
    CHECK_FALSE(read_metadata(document() + "x"));
    CHECK(error_of("\xEF\xBB\xBF{}").find("byte order mark") != std::string::npos);
    CHECK(error_of("{\"name\":\"\xff\"}").find("not UTF-8") != std::string::npos);
    CHECK(error_of(std::string(100'000, '[') + std::string(100'000, ']')).find("nested") !=
          std::string::npos);
}
