#include "control_group.hpp"

#include "small_file.hpp"

#include <algorithm>
#include <cstdlib>

namespace kbuild::step {

namespace fs = std::filesystem;

std::optional<fs::path> group_of(const std::string& groups, const std::string& controller) {
    for (std::size_t begin = 0; begin < groups.size();) {
        const auto end = std::min(groups.find('\n', begin), groups.size());
        const auto line = groups.substr(begin, end - begin);
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (second != std::string::npos &&
            ("," + line.substr(first + 1, second - first - 1) + ",").find("," + controller + ",") !=
                std::string::npos)
            return fs::path(line.substr(second + 1));
        begin = end + 1;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> number_in(const fs::path& file) {
    const auto text = read_small(file);
    if (!text || text->empty() || (*text)[0] < '0' || (*text)[0] > '9')
        return std::nullopt;
    return std::strtoull(text->c_str(), nullptr, 10);
}

std::uint64_t
least_on_the_way(const fs::path& mount,
                 fs::path group,
                 const std::function<std::optional<std::uint64_t>(const fs::path&)>& tell) {
    auto least = UINT64_MAX;
    for (;; group = group.parent_path()) {
        if (const auto told = tell(mount / group.relative_path()))
            least = std::min(least, *told);
        if (group.relative_path().empty())
            return least;
    }
}

} // namespace kbuild::step
