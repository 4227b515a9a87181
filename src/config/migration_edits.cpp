#include "migration_edits.hpp"

#include "decode_older.hpp"
#include "edition.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::config {
namespace {

/// A text as a TOML basic string.
std::string toml_string(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            result += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
        else
            result += c;
    }
    return result + "\"";
}

std::string key_text(std::string_view key) {
    const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    });
    return bare ? std::string(key) : toml_string(key);
}

/// Collects the edits of one file; each function is one difference between editions.
class Planner {
  public:
    Planner(const Value& root,
            const BuildConfig& config,
            const MigrationChoices& choices,
            diag::Sink& sink)
        : root_(root), general_(*root.get_table("general")), config_(config),
          edition_(config.edition), choices_(choices), sink_(sink) {}

    MigrationPlan plan() {
        if (edition_ == 1)
            rewrite_languages();
        if (edition_ <= 2)
            drop_universal();
        if (edition_ == 2)
            move_cuda_keys();
        add_general_keys();
        if (edition_ <= 3)
            name_framework();
        return std::move(plan_);
    }

  private:
    void change(Edit edit, std::string what) {
        plan_.edits.push_back(std::move(edit));
        plan_.changes.push_back(std::move(what));
    }

    void refuse(const diag::SourceSpan& span, std::string why, std::string label) {
        sink_.report(mistake("K0124",
                             fmt::format("cannot be migrated from edition {}: {}", edition_, why),
                             span,
                             std::move(label)));
    }

    /// `edition` everywhere; `version`, `license` and `backends` where an older edition could do
    /// without.
    void add_general_keys() {
        std::vector<std::string> lines;
        const Entry* anchor = general_.find("version");
        if (anchor == nullptr) {
            anchor = general_.find("name");
            lines.emplace_back("version = 1");
        }
        lines.push_back(fmt::format("edition = {}", kCurrentEdition));
        if (general_.find("license") == nullptr)
            add_license(lines);
        if (general_.find("backends") == nullptr)
            lines.push_back(fmt::format("backends = [{}]", backends()));
        for (const auto& line : lines)
            change(insert_after(general_, *anchor, line), fmt::format("added `{}`", line));
    }

    void add_license(std::vector<std::string>& lines) {
        if (choices_.license)
            return lines.push_back(fmt::format("license = {}", toml_string(*choices_.license)));
        auto problem = mistake("K0123",
                               "edition 5 needs a license, and the file names none",
                               general_.span,
                               "has no `license`");
        problem.help.emplace_back(
            "name it: `kbuild migrate --license LICENSE`, for example `Apache-2.0`");
        sink_.report(std::move(problem));
    }

    /// What an edition that does not list backends means.
    std::string backends() const {
        std::vector<std::string> names;
        for (const auto& backend : config_.general.backends)
            names.push_back(toml_string(to_string(backend.value)));
        return support::join(names, ", ");
    }

    const std::vector<Entry>& sections() const {
        static const std::vector<Entry> kNone;
        const Value* const kernels = root_.get_table("kernel");
        return kernels == nullptr ? kNone : kernels->entries;
    }

    /// Up to edition 3 no framework table meant Python files only; `universal` meant it too.
    void name_framework() {
        const Entry* const torch = root_.find("torch");
        if (torch != nullptr && is_universal(root_, edition_))
            return rename_torch(*torch);
        if (torch == nullptr && root_.find("tvm-ffi") == nullptr)
            change(append_table(*root_.span.file, "[torch-noarch]"), "added `[torch-noarch]`");
    }

    void rename_torch(const Entry& torch) {
        for (const auto& entry : torch.value.entries)
            if (entry.key != "pyext" && entry.key != "universal")
                refuse(
                    entry.key_span,
                    fmt::format("a kernel of Python files only has no `torch.{}` today", entry.key),
                    "remove it if it had no effect");
        if (!has_header(torch.value) && !is_inline(torch.value))
            return refuse(torch.key_span,
                          "`torch` is written with dotted keys and has to be renamed",
                          "write it as a table `[torch]`");
        change(replace(torch.key_span, "torch-noarch"), "renamed `[torch]` to `[torch-noarch]`");
    }

    void drop_universal() {
        const Entry* const table = root_.find(edition_ == 1 ? "torch" : "general");
        const Entry* const universal = table == nullptr ? nullptr : table->value.find("universal");
        if (is_universal(root_, edition_) && !sections().empty())
            refuse(universal->key_span,
                   "it is `universal`, which means Python files only, and has kernel sections",
                   "remove one of the two");
        if (universal != nullptr)
            change(remove_entry(table->value, *universal),
                   fmt::format("removed `{}.universal`", table->key));
    }

    void move_cuda_keys() {
        for (const auto* key : {"minver", "maxver"})
            if (const Entry* const entry = general_.find(fmt::format("cuda-{}", key)))
                change(replace(entry->key_span, fmt::format("cuda.{}", key)),
                       fmt::format("renamed `general.cuda-{0}` to `general.cuda.{0}`", key));
        move_cuda_dependencies();
    }

    /// What is a dependency of CUDA only belongs below `general.cuda` today.
    void move_cuda_dependencies() {
        const Entry* const list = general_.find("python-depends");
        if (list == nullptr)
            return;
        std::vector<std::string> moved;
        for (const auto& item : list->value.items) {
            if (!is_cuda_dependency(item.text))
                continue;
            moved.push_back(toml_string(item.text));
        }
        if (moved.empty())
            return;
        if (moved.size() == list->value.items.size())
            return change(replace(list->key_span, "cuda.python-depends"),
                          "renamed `general.python-depends` to `general.cuda.python-depends`");
        for (const auto& item : list->value.items)
            if (is_cuda_dependency(item.text))
                plan_.edits.push_back(remove_item(item));
        const auto line = fmt::format("cuda.python-depends = [{}]", support::join(moved, ", "));
        change(insert_after(general_, *list, line), fmt::format("moved to `general.{}`", line));
    }

    void rewrite_languages() {
        for (const auto& section : sections())
            rewrite_section(section);
    }

    void rewrite_section(const Entry& section) {
        const Value& table = section.value;
        const auto language = language_of(table);
        const std::string backend =
            fmt::format("backend = {}", toml_string(language == "metal" ? "metal" : "cuda"));
        if (const Entry* const written = table.find("language")) {
            plan_.edits.push_back(replace(written->key_span, "backend"));
            change(
                replace(written->value.span, toml_string(language == "metal" ? "metal" : "cuda")),
                fmt::format("replaced `language` by `{}` in `[kernel.{}]`", backend, section.key));
        } else {
            change(insert_before(table, table.entries.front(), backend),
                   fmt::format("added `{}` to `[kernel.{}]`", backend, section.key));
        }
        if (language == "cuda-hipify")
            return split_section(section);
        drop_without_effect(section, "rocm-archs");
        if (language == "metal")
            drop_without_effect(section, "cuda-capabilities");
    }

    /// Edition 1 took both lists in every section and looked at the one of its language.
    void drop_without_effect(const Entry& section, std::string_view key) {
        if (const Entry* const entry = section.value.find(key))
            change(remove_entry(section.value, *entry),
                   fmt::format("removed `kernel.{}.{}`, which had no effect", section.key, key));
    }

    /// `cuda-hipify` is a kernel for each of two backends: the ROCm one gets a section of its own.
    void split_section(const Entry& section) {
        const auto name = hipified_name(section.key);
        if (const Entry* const other = root_.get_table("kernel")->find(name))
            return refuse(
                other->key_span,
                fmt::format("the ROCm half of `kernel.{}` needs the name `{}`", section.key, name),
                "rename this section");
        if (!has_header(section.value))
            return refuse(
                section.key_span,
                fmt::format("`kernel.{}` is not written as a table of its own", section.key),
                "write it as `[kernel.…]`");
        std::string lines = fmt::format("\n[kernel.{}]\nbackend = \"rocm\"\n", key_text(name));
        for (const auto& entry : section.value.entries)
            if (entry.key != "language" && entry.key != "cuda-capabilities")
                lines += assignment(entry);
        change(append_lines(section.value.entries.back(), lines),
               fmt::format("added `[kernel.{}]`, the ROCm half of `cuda-hipify`", name));
        if (const Entry* const archs = section.value.find("rocm-archs"))
            plan_.edits.push_back(remove_entry(section.value, *archs));
    }

    /// The text of one key and its value, comments inside of it included.
    static std::string assignment(const Entry& entry) {
        const auto text = slice({entry.key_span.file, entry.key_span.begin, entry.value.span.end});
        return support::replace_all(std::string(text), "\r\n", "\n") + "\n";
    }

    const Value& root_;
    const Value& general_;
    const BuildConfig& config_;
    int edition_;
    const MigrationChoices& choices_;
    diag::Sink& sink_;
    MigrationPlan plan_;
};

} // namespace

MigrationPlan plan_migration(const Value& root,
                             const BuildConfig& config,
                             const MigrationChoices& choices,
                             diag::Sink& sink) {
    return Planner(root, config, choices, sink).plan();
}

} // namespace kbuild::config
