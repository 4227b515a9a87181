#include "kbuild/sources/condition.hpp"

#include <algorithm>
#include <cctype>

namespace kbuild::sources {
namespace {

using Truth = std::optional<bool>;

Truth negation(Truth a) {
    return a ? Truth(!*a) : std::nullopt;
}

Truth both(Truth a, Truth b) {
    if (a == false || b == false)
        return false;
    return a && b ? Truth(true) : std::nullopt;
}

Truth either(Truth a, Truth b) {
    return negation(both(negation(a), negation(b)));
}

bool is_word_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// `||` of `&&` of `!` of operands. What it does not understand makes the whole unknown.
class Evaluator {
  public:
    Evaluator(std::string_view text, const Macros& macros) : text_(text), macros_(macros) {}

    Truth run() {
        const auto result = disjunction();
        skip_blanks();
        return at_ == text_.size() && !lost_ ? result : std::nullopt;
    }

  private:
    Truth disjunction() {
        auto result = conjunction();
        while (take("||"))
            result = either(result, conjunction());
        return result;
    }

    Truth conjunction() {
        auto result = operand();
        while (take("&&"))
            result = both(result, operand());
        return result;
    }

    Truth operand() {
        if (++depth_ > kDeepest) {
            lost_ = true;
            return std::nullopt;
        }
        const auto result = unguarded_operand();
        --depth_;
        return result;
    }

    Truth unguarded_operand() {
        if (take("!"))
            return negation(operand());
        if (take("(")) {
            const auto result = disjunction();
            lost_ |= !take(")");
            return result;
        }
        const auto name = word();
        lost_ |= name.empty();
        if (name == "defined") {
            const bool open = take("(");
            const auto result = value_of(word());
            lost_ |= open && !take(")");
            return result;
        }
        if (!name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) != 0)
            return name.find_first_not_of('0') != std::string_view::npos;
        return value_of(name);
    }

    Truth value_of(std::string_view name) const {
        const auto found = macros_.find(name);
        return found == macros_.end() ? std::nullopt : Truth(found->second);
    }

    void skip_blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
    }

    bool take(std::string_view token) {
        skip_blanks();
        if (!text_.substr(at_).starts_with(token))
            return false;
        if (token == "!" && text_.substr(at_).starts_with("!="))
            return false;
        at_ += token.size();
        return true;
    }

    std::string_view word() {
        skip_blanks();
        const auto begin = at_;
        while (at_ < text_.size() && is_word_char(text_[at_]))
            ++at_;
        return text_.substr(begin, at_ - begin);
    }

    static constexpr int kDeepest = 64;

    std::string_view text_;
    const Macros& macros_;
    std::size_t at_ = 0;
    int depth_ = 0;
    bool lost_ = false;
};

} // namespace

std::optional<bool> evaluate(std::string_view expression, const Macros& macros) {
    return Evaluator(expression, macros).run();
}

std::optional<bool> is_seen(const std::vector<Branch>& branches, int index, const Macros& macros) {
    Truth result = true;
    while (index >= 0 && result != false) {
        const auto& branch = branches[static_cast<std::size_t>(index)];
        for (const auto& earlier : branch.earlier)
            result = both(result, negation(evaluate(earlier, macros)));
        if (!branch.expression.empty())
            result = both(result, evaluate(branch.expression, macros));
        index = branch.parent;
    }
    return result;
}

} // namespace kbuild::sources
