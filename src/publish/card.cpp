#include "kbuild/publish/card.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace kbuild::publish {
namespace {

using support::trim;

struct Piece {
    enum class Kind { text, value, block };
    Kind kind = Kind::text;
    std::string_view text; ///< of marks: what stands inside, trimmed
    std::size_t offset = 0;
};

/// A mistake in the card, at a byte of it.
struct Mistake {
    std::size_t offset = 0;
    std::string what;
};

template <typename T> using Parsed = tl::expected<T, Mistake>;

std::string_view drop_blanks_at_end(std::string_view text) {
    const auto last = text.find_last_not_of(" \t\r\n");
    return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

std::string_view drop_blanks_at_start(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// Cuts the card at its marks.
class Cutter {
  public:
    explicit Cutter(std::string_view text) : text_(text) {}

    Parsed<std::vector<Piece>> cut() {
        while (true) {
            const auto open = find_open();
            add_text(open);
            if (open == std::string_view::npos)
                return std::move(pieces_);
            if (auto mistake = add_mark(open))
                return tl::unexpected(std::move(*mistake));
        }
    }

  private:
    std::size_t find_open() const {
        for (auto at = text_.find('{', at_); at != std::string_view::npos;
             at = text_.find('{', at + 1))
            if (at + 1 < text_.size() &&
                std::string_view("{%#").find(text_[at + 1]) != std::string_view::npos)
                return at;
        return std::string_view::npos;
    }

    void add_text(std::size_t end) {
        auto text = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
        if (drop_newline_ && text.starts_with("\r\n"))
            text.remove_prefix(2);
        else if (drop_newline_ && text.starts_with('\n'))
            text.remove_prefix(1);
        if (drop_blanks_)
            text = drop_blanks_at_start(text);
        if (!text.empty())
            pieces_.push_back({Piece::Kind::text, text, at_});
    }

    std::optional<Mistake> add_mark(std::size_t open) {
        const char kind = text_[open + 1];
        const std::string_view close = kind == '{' ? "}}" : kind == '%' ? "%}" : "#}";
        const auto end = text_.find(close, open + 2);
        if (end == std::string_view::npos)
            return Mistake{open, fmt::format("`{}` is never closed", text_.substr(open, 2))};
        auto inside = text_.substr(open + 2, end - open - 2);
        if (inside.starts_with('-')) {
            inside.remove_prefix(1);
            if (!pieces_.empty() && pieces_.back().kind == Piece::Kind::text)
                pieces_.back().text = drop_blanks_at_end(pieces_.back().text);
        }
        drop_blanks_ = inside.ends_with('-');
        if (drop_blanks_)
            inside.remove_suffix(1);
        if (kind != '#')
            pieces_.push_back(
                {kind == '{' ? Piece::Kind::value : Piece::Kind::block, trim(inside), open});
        drop_newline_ = kind != '{';
        at_ = end + 2;
        return std::nullopt;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool drop_newline_ = false;
    bool drop_blanks_ = false;
    std::vector<Piece> pieces_;
};

bool is_true(const CardValue& value) {
    if (const auto* const flag = std::get_if<bool>(&value))
        return *flag;
    if (const auto* const text = std::get_if<std::string>(&value))
        return !text->empty();
    return !std::get<std::vector<std::string>>(value).empty();
}

/// Writes what the pieces say, from the first to the last.
class Writer {
  public:
    Writer(const std::vector<Piece>& pieces, const CardValues& values)
        : pieces_(pieces), values_(values) {}

    Parsed<std::string> write() {
        std::string text;
        auto end = write_until(0, {}, true, text);
        if (!end)
            return tl::unexpected(end.error());
        return text;
    }

  private:
    using Ends = std::vector<std::string_view>;

    static std::string_view first_word(std::string_view text) {
        return text.substr(0, text.find_first_of(" \t\r\n"));
    }

    /// Writes pieces from `at` on up to a block of `ends`; the index of that block. With `active`
    /// unset only the structure is looked at.
    Parsed<std::size_t>
    write_until(std::size_t at, const Ends& ends, bool active, std::string& out) {
        while (at < pieces_.size()) {
            const auto& piece = pieces_[at];
            const auto word = first_word(piece.text);
            if (piece.kind == Piece::Kind::block &&
                std::find(ends.begin(), ends.end(), word) != ends.end())
                return at;
            auto next = write_piece(at, active, out);
            if (!next)
                return next;
            at = *next;
        }
        if (!ends.empty())
            return tl::unexpected(Mistake{pieces_.empty() ? 0 : pieces_.back().offset,
                                          fmt::format("`{}` is missing at the end", ends.back())});
        return at;
    }

    Parsed<std::size_t> write_piece(std::size_t at, bool active, std::string& out) {
        const auto& piece = pieces_[at];
        if (piece.kind == Piece::Kind::text) {
            if (active)
                out += piece.text;
            return at + 1;
        }
        if (piece.kind == Piece::Kind::value) {
            auto text = active ? value_text(piece) : Parsed<std::string>(std::string());
            if (!text)
                return tl::unexpected(text.error());
            out += *text;
            return at + 1;
        }
        const auto word = first_word(piece.text);
        if (word == "if")
            return write_if(at, active, out);
        if (word == "for")
            return write_for(at, active, out);
        return tl::unexpected(Mistake{piece.offset, fmt::format("`{}` is not known here", word)});
    }

    Parsed<std::size_t> write_if(std::size_t at, bool active, std::string& out) {
        bool done = false;
        while (true) {
            const auto& piece = pieces_[at];
            const auto word = first_word(piece.text);
            if (word == "endif")
                return at + 1;
            auto holds = word == "else" ? Parsed<bool>(true)
                                        : condition(piece, trim(piece.text.substr(word.size())));
            if (!holds)
                return tl::unexpected(holds.error());
            const bool chosen = active && !done && *holds;
            done = done || chosen;
            const Ends ends = word == "else" ? Ends{"endif"} : Ends{"elif", "else", "endif"};
            auto next = write_until(at + 1, ends, chosen, out);
            if (!next)
                return next;
            at = *next;
        }
    }

    Parsed<std::size_t> write_for(std::size_t at, bool active, std::string& out) {
        const auto& piece = pieces_[at];
        const auto words = support::split(piece.text, ' ');
        if (words.size() != 4 || words[2] != "in")
            return tl::unexpected(Mistake{piece.offset, "a loop is written `for x in list`"});
        auto list = lookup(piece, words[3]);
        if (!list)
            return tl::unexpected(list.error());
        const auto* const entries = std::get_if<std::vector<std::string>>(*list);
        if (entries == nullptr)
            return tl::unexpected(Mistake{piece.offset, fmt::format("`{}` is no list", words[3])});
        std::string ignored;
        auto end = write_until(at + 1, {"endfor"}, false, ignored);
        for (const auto& entry : active ? *entries : std::vector<std::string>()) {
            locals_[words[1]] = entry;
            end = write_until(at + 1, {"endfor"}, true, out);
            if (!end)
                break;
        }
        locals_.erase(words[1]);
        if (!end)
            return end;
        return *end + 1;
    }

    Parsed<bool> condition(const Piece& piece, std::string_view text) const {
        constexpr std::string_view kNot = "not ";
        const bool negated = text.starts_with(kNot);
        auto value = lookup(piece, std::string(trim(negated ? text.substr(kNot.size()) : text)));
        if (!value)
            return tl::unexpected(value.error());
        return is_true(**value) != negated;
    }

    Parsed<const CardValue*> lookup(const Piece& piece, const std::string& name) const {
        if (const auto local = locals_.find(name); local != locals_.end())
            return &local->second;
        const auto found = values_.find(name);
        if (found != values_.end())
            return &found->second;
        std::vector<std::string> names;
        for (const auto& [known, value] : values_)
            names.push_back(fmt::format("`{}`", known));
        return tl::unexpected(Mistake{piece.offset,
                                      fmt::format("`{}` stands for nothing; known are {}",
                                                  name,
                                                  support::join(names, ", "))});
    }

    Parsed<std::string> value_text(const Piece& piece) const {
        const auto parts = support::split(piece.text, '|');
        auto value = lookup(piece, std::string(trim(parts.front())));
        if (!value)
            return tl::unexpected(value.error());
        CardValue current = **value;
        for (std::size_t i = 1; i < parts.size(); ++i) {
            auto next = filtered(piece, current, trim(parts[i]));
            if (!next)
                return tl::unexpected(next.error());
            current = std::move(*next);
        }
        if (const auto* const flag = std::get_if<bool>(&current))
            return std::string(*flag ? "true" : "false");
        if (const auto* const text = std::get_if<std::string>(&current))
            return *text;
        return tl::unexpected(
            Mistake{piece.offset, "a list is not text: loop over it, or use the filter `join`"});
    }

    static Parsed<CardValue>
    filtered(const Piece& piece, const CardValue& value, std::string_view filter) {
        const auto* const text = std::get_if<std::string>(&value);
        const auto* const list = std::get_if<std::vector<std::string>>(&value);
        if (text != nullptr && filter == "lower")
            return support::to_lower(*text);
        if (text != nullptr && filter == "upper") {
            auto upper = *text;
            std::transform(upper.begin(), upper.end(), upper.begin(), [](char letter) {
                return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A')
                                                      : letter;
            });
            return upper;
        }
        if (list != nullptr && filter.starts_with("join(") && filter.ends_with(")") &&
            filter.size() >= 8) {
            const auto separator = filter.substr(6, filter.size() - 8);
            return support::join(*list, separator);
        }
        return tl::unexpected(
            Mistake{piece.offset, fmt::format("the filter `{}` is not known here", filter)});
    }

    const std::vector<Piece>& pieces_;
    const CardValues& values_;
    CardValues locals_;
};

diag::Position position_of(std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, offset);
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const auto start = before.rfind('\n');
    return {line, start == std::string_view::npos ? offset + 1 : offset - start};
}

void report(const diag::SourceFilePtr& file, const Mistake& mistake, diag::Sink& sink) {
    diag::Diagnostic finding;
    finding.code = "K1008";
    finding.message = fmt::format("the card cannot be filled: {}", mistake.what);
    const auto begin = position_of(file->text(), mistake.offset);
    finding.span = {file, begin, {begin.line, begin.column + 2}};
    finding.label = "here";
    sink.report(std::move(finding));
}

} // namespace

std::optional<std::string>
render_card(const diag::SourceFilePtr& file, const CardValues& values, diag::Sink& sink) {
    const auto pieces = Cutter(file->text()).cut();
    if (!pieces) {
        report(file, pieces.error(), sink);
        return std::nullopt;
    }
    auto text = Writer(*pieces, values).write();
    if (text)
        return std::move(*text);
    report(file, text.error(), sink);
    return std::nullopt;
}

} // namespace kbuild::publish
