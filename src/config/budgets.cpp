#include "budgets.hpp"

#include "decode_parts.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace kbuild::config {
namespace {

model::Budget budget_of(const Value& table, std::string pattern) {
    model::Budget budget;
    budget.pattern = std::move(pattern);
    budget.vgprs = number_of(&table, "vgprs");
    budget.lds = number_of(&table, "lds");
    budget.scratch = number_of(&table, "scratch");
    budget.spills = number_of(&table, "spills");
    if (const auto size = text_of(&table, "size"))
        budget.size = parse_size(*size);
    return budget;
}

} // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, unsigned>, 4> kUnits = {
        {{" B", 0}, {" KiB", 10}, {" MiB", 20}, {" GiB", 30}}};
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
        return std::nullopt;
    const auto unit = text.substr(static_cast<std::size_t>(end - text.data()));
    for (const auto& [name, shift] : kUnits)
        if (unit == name && number <= (std::numeric_limits<std::uint64_t>::max() >> shift))
            return number << shift;
    return std::nullopt;
}

std::vector<model::Budget> budgets_of(const Value* table) {
    std::vector<model::Budget> budgets;
    if (table == nullptr)
        return budgets;
    budgets.push_back(budget_of(*table, {}));
    for (const auto& entry : table->entries)
        if (entry.value.kind == Value::Kind::table)
            budgets.push_back(budget_of(entry.value, entry.key));
    return budgets;
}

} // namespace kbuild::config
