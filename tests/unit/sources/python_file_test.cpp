#include "kbuild/sources/python_file.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::sources;

namespace {

std::vector<std::string> modules_of(const std::string& text) {
    std::vector<std::string> modules;
    for (const auto& import : scan_python(text).imports)
        modules.push_back((import.relative ? "." : "") + import.module);
    return modules;
}

using Modules = std::vector<std::string>;

} // namespace

TEST_CASE("imports are found as they can be written") {
    CHECK(modules_of("import torch\nimport a.b as c, d\n") == Modules{"torch", "a.b", "d"});
    CHECK(modules_of("from torch.library import (\n    custom_op,\n    register_fake)\n") ==
          Modules{"torch.library"});
    CHECK(modules_of("from . import x\nfrom ._ops import ops\nfrom ..a.b import c\n") ==
          Modules{".", "._ops", ".a.b"});
    CHECK(modules_of("x = 1; import os\r\nimport sys\r\n") == Modules{"os", "sys"});
    CHECK(modules_of("from a \\\n    import b\n") == Modules{"a"});
    CHECK(modules_of("def f():\n    import late\n") == Modules{"late"});
    CHECK(modules_of("if x: import y\n") == Modules{"y"});
}

TEST_CASE("what is in strings and comments is no import") {
    CHECK(modules_of("\"\"\"\nimport a\n\"\"\"\n# import b\ns = 'import c'\n").empty());
    CHECK(modules_of("s = r'\\'\n'''\nimport a\n'''\n").size() <= 1);
    CHECK(modules_of("f\"{x}\"\nb'''\nimport a'''\nimport d").size() == 1);
    CHECK(modules_of("important = 1\nx.import_me()\nyield_from = y\n").empty());
}

TEST_CASE("an import that may fail is guarded") {
    const auto file =
        scan_python("try:\n    import a\nexcept ImportError:\n    import b\nimport c\n"
                    "if TYPE_CHECKING:\n    import d\ndef f():\n    import e\n");
    REQUIRE(file.imports.size() == 5);
    CHECK(file.imports[0].guarded);
    CHECK(file.imports[1].guarded);
    CHECK_FALSE(file.imports[2].guarded);
    CHECK(file.imports[3].guarded);
    CHECK_FALSE(file.imports[4].guarded);
}

TEST_CASE("the place of an import is its module") {
    const std::string text = "from gemm.utils import x\n";
    const auto file = scan_python(text);
    REQUIRE(file.imports.size() == 1);
    CHECK(text.substr(file.imports[0].offset, file.imports[0].length) == "gemm.utils");
}

TEST_CASE("decorators of the module's own functions are found if they are calls") {
    const auto file =
        scan_python("@torch.library.custom_op(\"a::b\", mutates_args=())\n"
                    "def f(x): ...\n"
                    "@register_fake(add_op_namespace_prefix(\"f\"))\ndef g(x): ...\n"
                    "@custom_op(name=_ops.add_op_namespace_prefix('h'))\ndef h(): ...\n"
                    "@f.register_fake\ndef i(x): ...\n"
                    "class A:\n    @custom_op(\"c::d\")\n    def m(self): ...\n"
                    "@cache()\ndef j(): ...\n");
    REQUIRE(file.decorators.size() == 4);
    CHECK(file.decorators[0].name == "custom_op");
    CHECK(file.decorators[0].has_argument);
    CHECK_FALSE(file.decorators[0].first_is_prefix_call);
    CHECK(file.decorators[1].first_is_prefix_call);
    CHECK(file.decorators[2].first_is_prefix_call);
    CHECK(file.decorators[3].name == "cache");
    CHECK_FALSE(file.decorators[3].has_argument);
}

TEST_CASE("uses of the package's own operators are found by the name that `ops` was given") {
    const auto uses = [](const std::string& text) {
        Modules names;
        for (const auto& use : scan_python(text).op_uses)
            names.push_back(use.name);
        return names;
    };
    CHECK(uses("from ._ops import ops\ndef f(x):\n    return ops.gemm(x) + ops.add.out(x)\n") ==
          Modules{"gemm", "add"});
    CHECK(
        uses(
            "from .._ops import (\n    add_op_namespace_prefix, ops as own)\nown.a()\nops.b()\n") ==
        Modules{"a"});
    CHECK(uses("from ._ops import ops\ny = [ops.a, x.ops.b, ops.__name__, 'ops.c']  # ops.d\n") ==
          Modules{"a"});
    CHECK(uses("import torch\nops = torch.ops\nops.aten.add(x)\n").empty());
    CHECK(uses("from torch._ops import ops\nops.aten.add(x)\n").empty());
}

TEST_CASE("the place of a use is the operator's name") {
    const std::string text = "from ._ops import ops\nops.gemm(x)\n";
    const auto file = scan_python(text);
    REQUIRE(file.op_uses.size() == 1);
    CHECK(text.substr(file.op_uses[0].offset, 4) == "gemm");
}

TEST_CASE("the pass ends in what is no Python") {
    for (const auto* text : {"",
                             "'",
                             "\"\"\"",
                             "\\",
                             "@",
                             "@x",
                             "@x(",
                             "from",
                             "from .",
                             "import",
                             "from a",
                             ")",
                             "import a.",
                             ";;:"}) {
        INFO(text);
        CHECK(scan_python(text).decorators.size() <= 1);
    }
}
