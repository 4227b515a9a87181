#include "kbuild/check/op_schema.hpp"

#include "schema_lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace kbuild::check {
namespace {

using Kind = SchemaToken::Kind;

/// Types as far as default values need them.
enum class TypeKind {
    nothing_but_none, ///< Tensor, Generator, Quantizer
    single,           ///< int, bool, str, Scalar and optional ones: any one constant
    scalar_type,      ///< as `single`, with names of dtypes
    floating,
    complex,
    device,
    list,
    other ///< takes no default at all
};

/// What a list's elements must be.
enum class Element { integer, floating, boolean, complex, other };

struct TypeInfo {
    TypeKind kind = TypeKind::other;
    Element element = Element::other; ///< of this type as an element of a list
    Element inner = Element::other;   ///< of a list's own elements
    bool sized = false;               ///< `int[2]`: one constant stands for all
    bool is_key = false;              ///< may be the key of a Dict

    bool can_be_key() const { return is_key || element != Element::other; }
};

struct NamedType {
    std::string_view name;
    TypeInfo type;
};

constexpr TypeInfo kInteger = {TypeKind::single, Element::integer};
constexpr TypeInfo kOther = {};
constexpr TypeInfo with_key(TypeKind kind) {
    return {kind, Element::other, Element::other, false, true};
}
// torch/csrc/jit/frontend/schema_type_parser.cpp; a lower-case name that is not here is a type
// variable.
constexpr std::array kTypes = {NamedType{"Any", with_key(TypeKind::other)},
                               NamedType{"AnyClassType", kOther},
                               NamedType{"AnyEnumType", kOther},
                               NamedType{"Capsule", kOther},
                               NamedType{"ConstQuantizerPtr", kInteger},
                               NamedType{"Device", with_key(TypeKind::device)},
                               NamedType{"DeviceIndex", kInteger},
                               NamedType{"Generator", {TypeKind::nothing_but_none}},
                               NamedType{"Layout", kInteger},
                               NamedType{"MemoryFormat", kInteger},
                               NamedType{"None", kOther},
                               NamedType{"NoneType", kOther},
                               NamedType{"QScheme", kOther},
                               NamedType{"Quantizer", {TypeKind::nothing_but_none}},
                               NamedType{"Scalar", {TypeKind::single}},
                               NamedType{"ScalarType", {TypeKind::scalar_type, Element::integer}},
                               NamedType{"Storage", kOther},
                               NamedType{"Stream", kOther},
                               NamedType{"SymBool", kOther},
                               NamedType{"SymInt", kInteger},
                               NamedType{"bool", {TypeKind::single, Element::boolean}},
                               NamedType{"complex", {TypeKind::complex, Element::complex}},
                               NamedType{"float", {TypeKind::floating, Element::floating}},
                               NamedType{"int", kInteger},
                               NamedType{"str", with_key(TypeKind::single)}};

constexpr std::array<std::string_view, 5> kConstants = {
    "Mean", "contiguous_format", "float", "long", "strided"};
constexpr std::array<std::string_view, 42> kDtypes = {"bfloat16",
                                                      "bool",
                                                      "cdouble",
                                                      "cfloat",
                                                      "chalf",
                                                      "complex128",
                                                      "complex32",
                                                      "complex64",
                                                      "double",
                                                      "float",
                                                      "float16",
                                                      "float32",
                                                      "float64",
                                                      "half",
                                                      "int",
                                                      "int16",
                                                      "int32",
                                                      "int64",
                                                      "int8",
                                                      "long",
                                                      "qint32",
                                                      "qint8",
                                                      "quint2x4",
                                                      "quint4x2",
                                                      "quint8",
                                                      "short",
                                                      "uint16",
                                                      "uint32",
                                                      "uint64",
                                                      "uint8",
                                                      "bits8",
                                                      "bits1x8",
                                                      "float8_e4m3fn",
                                                      "float8_e4m3fnuz",
                                                      "float8_e5m2",
                                                      "float8_e5m2fnuz",
                                                      "float8_e8m0fnu",
                                                      "float4_e2m1fn_x2",
                                                      "complex",
                                                      "int4",
                                                      "uint1",
                                                      "uint4"};
constexpr std::array<std::string_view, 20> kDevices = {
    "cpu",    "cuda", "fpga", "hip",    "hpu",    "ideep",         "ipu", "lazy",   "maia", "meta",
    "mkldnn", "mps",  "mtia", "opencl", "opengl", "privateuseone", "ve",  "vulkan", "xla",  "xpu"};

template <std::size_t N>
bool has(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// C++ spellings that authors write, and what schemas call them.
std::string_view schema_name_of(std::string_view written) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kPairs = {
        {{"Bool", "bool"},
         {"Double", "float"},
         {"Float", "float"},
         {"Int", "int"},
         {"List", "int[]"},
         {"Long", "int"},
         {"Optional", "Tensor?"},
         {"String", "str"}}};
    for (const auto& [from, to] : kPairs)
        if (from == written)
            return to;
    return {};
}

bool is_device(std::string_view text) {
    const auto colon = text.find(':');
    if (!has(kDevices, text.substr(0, colon)))
        return false;
    if (colon == std::string_view::npos)
        return true;
    const auto index = text.substr(colon + 1);
    const bool digits = !index.empty() && std::all_of(index.begin(), index.end(), [](char c) {
        return c >= '0' && c <= '9';
    });
    return digits && (index.size() == 1 || index[0] != '0');
}

/// Whether torch can turn a string's text into its value.
bool has_known_escapes(std::string_view text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i] != '\\')
            continue;
        const char c = text[++i];
        const auto is_octal = [](char d) { return d >= '0' && d <= '7'; };
        if (c >= '0' && c <= '3' && i + 2 < text.size() && is_octal(text[i + 1]) &&
            is_octal(text[i + 2]))
            i += 2;
        else if (std::string_view("\\'\"abfntv\n").find(c) == std::string_view::npos)
            return false;
    }
    return true;
}

bool fits_integer(std::string_view text) {
    long long value = 0;
    return std::from_chars(text.data(), text.data() + text.size(), value).ec !=
           std::errc::result_out_of_range;
}

bool fits_double(const std::string& text) {
    errno = 0;
    const double value = std::strtod(text.c_str(), nullptr);
    return errno != ERANGE && std::isfinite(value);
}

/// Recursive descent over the grammar of schemas; each function is false once something is wrong.
class Parser {
  public:
    explicit Parser(std::string_view text) : lexer_(text) {}

    std::optional<SchemaProblem> run(bool name_is_enough) {
        if (!declaration(name_is_enough))
            return problem_;
        if (!failed_ && current().kind != Kind::end)
            fail("nothing may follow a schema");
        return problem_;
    }

  private:
    const SchemaToken& current() const { return lexer_.current(); }

    bool fail(std::string message, std::string help = {}) {
        return fail_at(current(), std::move(message), std::move(help));
    }

    bool fail_at(const SchemaToken& token, std::string message, std::string help = {}) {
        if (!failed_)
            problem_ = {token.offset,
                        std::max<std::size_t>(token.text.size(), 1),
                        std::move(message),
                        std::move(help)};
        failed_ = true;
        return false;
    }

    bool take_if(std::string_view symbol) {
        if (!current().is(symbol))
            return false;
        lexer_.next();
        return true;
    }

    bool expect(std::string_view symbol) {
        return take_if(symbol) || fail(fmt::format("`{}` is missing here", symbol));
    }

    bool expect_name(std::string_view what) {
        if (current().kind == Kind::name) {
            lexer_.next();
            return true;
        }
        if (current().kind == Kind::keyword)
            return fail(fmt::format("`{}` is a keyword and cannot be {}", current().text, what),
                        fmt::format("write `{}_`, or another name", current().text));
        return fail(fmt::format("{} is missing here", what));
    }

    /// `begin item, item end`, possibly empty; a comma must be followed by an item.
    template <typename Item> bool list(std::string_view end, const Item& item) {
        if (take_if(end))
            return true;
        do {
            if (!item())
                return false;
        } while (take_if(","));
        return expect(end);
    }

    bool declaration(bool name_is_enough) {
        if (!operator_name())
            return false;
        if (name_is_enough && current().kind == Kind::end)
            return true;
        if (!take_if("("))
            return fail("the list of arguments is missing",
                        "write it as in `name(Tensor a, int b) -> Tensor`");
        return arguments() && expect_arrow() && returns();
    }

    bool expect_arrow() {
        return take_if("->") || fail("`->` and the return type are missing here",
                                     "write `-> ()` if nothing is returned");
    }

    bool operator_name() {
        if (!expect_name("the operator's name"))
            return false;
        if (take_if(":") && !(expect(":") && expect_name("the operator's name")))
            return false;
        if (!take_if("."))
            return true;
        const auto overload = current();
        if (!expect_name("the overload's name"))
            return false;
        return (overload.text != "default" && !overload.text.starts_with("__")) ||
               fail_at(overload, fmt::format("`{}` cannot name an overload", overload.text));
    }

    bool arguments() {
        bool variadic = false;
        bool keyword_only = false;
        bool had_default = false;
        return list(")", [&] {
            if (variadic)
                return fail("`...` must come last");
            if (take_if("*")) {
                keyword_only = true;
                return true;
            }
            if (take_if("...")) {
                variadic = true;
                return true;
            }
            const auto begin = current();
            bool has_default = false;
            if (!argument(has_default))
                return false;
            if (had_default && !has_default && !keyword_only)
                return fail_at(begin,
                               "an argument without a default comes after one that has one",
                               "give it a default, or put `*` before it");
            had_default |= has_default && !keyword_only;
            return true;
        });
    }

    bool returns() {
        if (take_if("..."))
            return true;
        if (!take_if("("))
            return return_value();
        bool variadic = false;
        return list(")", [&] {
            if (variadic)
                return fail("`...` must come last");
            variadic = take_if("...");
            return variadic || return_value();
        });
    }

    bool return_value() {
        TypeInfo info;
        if (!sized_type(info))
            return false;
        if (current().kind == Kind::name)
            lexer_.next();
        return true;
    }

    bool argument(bool& has_default) {
        TypeInfo info;
        if (!sized_type(info) || !expect_name("an argument's name"))
            return false;
        has_default = take_if("=");
        return !has_default || default_value(info);
    }

    bool sized_type(TypeInfo& info) {
        if (!type(info))
            return false;
        if (!take_if("["))
            return true;
        const auto size = current();
        if (size.kind != Kind::number)
            return fail("a list's size must be a number");
        if (!fits_integer(size.text))
            return fail("the size is too large");
        lexer_.next();
        info = {TypeKind::list, Element::other, info.element, true};
        if (!expect("]") || !alias())
            return false;
        if (take_if("?"))
            info = {TypeKind::single};
        return true;
    }

    bool type(TypeInfo& info) {
        if (++depth_ > kDeepest)
            return fail("types are nested too deeply");
        const bool good = base_type(info);
        --depth_;
        if (!good)
            return false;
        while (true) {
            if (current().is("[") && lexer_.peek().is("]")) {
                lexer_.next();
                lexer_.next();
                info = {TypeKind::list, Element::other, info.element};
                if (!alias())
                    return false;
            } else if (take_if("?")) {
                info = {TypeKind::single};
            } else {
                return true;
            }
        }
    }

    bool base_type(TypeInfo& info) {
        if (take_if("("))
            return list(")", [this] { return inner_type(); });
        const auto name = current();
        if (name.kind != Kind::name && !name.is("None") && !name.is("NoneType"))
            return name.kind == Kind::keyword
                       ? fail(fmt::format("`{}` is a keyword and no type", name.text))
                       : fail("a type is missing here");
        lexer_.next();
        if (name.text == "Future" || name.text == "Await" || name.text == "RRef")
            return expect("(") && inner_type() && expect(")");
        if (name.text == "Dict")
            return dict_type();
        if (name.text == "Union")
            return union_type();
        if (name.text == "__torch__")
            return class_name();
        return named_type(name, info) && alias();
    }

    bool inner_type() {
        TypeInfo ignored;
        return type(ignored);
    }

    bool dict_type() {
        TypeInfo key;
        if (!expect("("))
            return false;
        const auto begin = current();
        if (!type(key))
            return false;
        return (key.can_be_key() || fail_at(begin, "this type cannot be a key")) && expect(",") &&
               inner_type() && expect(")") && alias();
    }

    /// Two types at least.
    bool union_type() {
        return expect("(") && inner_type() && expect(",") &&
               list(")", [this] { return inner_type(); });
    }

    bool class_name() {
        for (const std::string_view part : {"torch", "classes"}) {
            if (!expect("."))
                return false;
            if (current().text != part)
                return fail("a class is named `__torch__.torch.classes.<namespace>.<name>`");
            lexer_.next();
        }
        return expect(".") && expect_name("a namespace") && expect(".") &&
               expect_name("a class's name");
    }

    bool named_type(const SchemaToken& name, TypeInfo& info) {
        if (name.text == "Tensor") {
            info = with_key(TypeKind::nothing_but_none);
            return true;
        }
        const bool lower = std::islower(static_cast<unsigned char>(name.text[0])) != 0;
        if (lower && current().is("."))
            return dotted_name();
        const auto found =
            std::find_if(kTypes.begin(), kTypes.end(), [&name](const NamedType& known) {
                return known.name == name.text;
            });
        if (found != kTypes.end()) {
            info = found->type;
            return true;
        }
        if (lower)
            return true; // a type variable
        const auto meant = schema_name_of(name.text);
        return fail_at(name,
                       fmt::format("`{}` is no type of torch's schemas", name.text),
                       meant.empty() ? std::string() : fmt::format("did you mean `{}`?", meant));
    }

    /// A class that is known by its full name only.
    bool dotted_name() {
        while (take_if("."))
            if (!expect_name("the rest of a type's name"))
                return false;
        return true;
    }

    /// `(a)`, `(a!)`, `(a! -> b|c)`, `!`, or nothing.
    bool alias() {
        if (take_if("!") || !take_if("("))
            return true;
        if (!alias_set())
            return false;
        take_if("!");
        return (!take_if("->") || alias_set()) && expect(")");
    }

    bool alias_set() {
        do {
            if (!take_if("*") && !expect_name("an alias set's name"))
                return false;
        } while (take_if("|"));
        return true;
    }

    bool default_value(const TypeInfo& info) {
        const auto begin = current();
        switch (info.kind) {
        case TypeKind::nothing_but_none:
            return take_if("None") || fail("the only default of this type is `None`");
        case TypeKind::device:
            return device();
        case TypeKind::list:
            return list_default(info);
        case TypeKind::other:
            return fail_at(begin, "a default cannot be given for this type");
        default:
            break;
        }
        Element found = Element::other;
        return constant(info.kind, found);
    }

    bool device() {
        const auto token = current();
        if (token.kind != Kind::string)
            return fail("a device's default is a string");
        lexer_.next();
        return is_device(token.text.substr(1, token.text.size() - 2)) ||
               fail_at(token, "this names no device");
    }

    bool list_default(const TypeInfo& info) {
        const auto begin = current();
        if (info.inner == Element::other)
            return fail("a list of this type cannot have a default");
        if (info.sized && begin.kind != Kind::name && !begin.is("["))
            return element(info.inner);
        return expect("[") && list("]", [&] { return element(info.inner); });
    }

    bool element(Element wanted) {
        const auto begin = current();
        Element found = Element::other;
        const auto kind = wanted == Element::floating  ? TypeKind::floating
                          : wanted == Element::complex ? TypeKind::complex
                                                       : TypeKind::single;
        return constant(kind, found) &&
               (found == wanted || fail_at(begin, "the wrong kind of value for this list"));
    }

    bool constant(TypeKind kind, Element& found) {
        const auto token = current();
        if (token.is("True") || token.is("False"))
            found = Element::boolean;
        else if (token.kind == Kind::name)
            return constant_name(kind, found);
        else if (token.kind == Kind::string && !has_known_escapes(token.text))
            return fail("an escape that torch does not know");
        else if (!token.is("None") && token.kind != Kind::string)
            return number(kind, found);
        lexer_.next();
        return true;
    }

    bool constant_name(TypeKind kind, Element& found) {
        const auto name = current().text;
        found = Element::integer;
        if (!has(kConstants, name) && (kind != TypeKind::scalar_type || !has(kDtypes, name))) {
            const bool boolean = name == "true" || name == "false";
            return fail(fmt::format("`{}` is no value", name),
                        boolean ? fmt::format("write `{}`", name == "true" ? "True" : "False")
                                : std::string("put text in quotes"));
        }
        lexer_.next();
        return true;
    }

    /// torch drops the last character, which it takes for the `j`, and reads what is left.
    bool complex_number(const SchemaToken& token, std::string text) {
        text.pop_back();
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return (end != text.c_str() && std::isfinite(value)) ||
               fail_at(token, "a complex number ends in `j`");
    }

    bool number(TypeKind kind, Element& found) {
        const bool negative = take_if("-");
        const auto token = current();
        if (token.kind != Kind::number)
            return fail("a default value is missing here");
        const auto text = (negative ? "-" : "") + std::string(token.text);
        const bool imaginary = text.ends_with('j');
        const bool floating = kind == TypeKind::floating || imaginary ||
                              text.find_first_of(".e") != std::string::npos;
        found = imaginary ? Element::complex : floating ? Element::floating : Element::integer;
        lexer_.next();
        if (kind == TypeKind::complex) {
            found = Element::complex;
            return complex_number(token, text);
        }
        return (floating ? fits_double(text) : fits_integer(text)) ||
               fail_at(token, "the number is out of range");
    }

    static constexpr int kDeepest = 100;

    SchemaLexer lexer_;
    std::optional<SchemaProblem> problem_;
    bool failed_ = false;
    int depth_ = 0;
};

} // namespace

std::optional<SchemaProblem> check_op_schema(std::string_view schema, bool name_is_enough) {
    return Parser(schema).run(name_is_enough);
}

} // namespace kbuild::check
