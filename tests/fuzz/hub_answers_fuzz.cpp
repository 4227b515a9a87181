#include "kbuild/diag/sink.hpp"
#include "kbuild/git/publish.hpp"
#include "kbuild/hub/answers.hpp"
#include "kbuild/publish/card.hpp"
#include "kbuild/publish/journal.hpp"
#include "kbuild/publish/lock.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace kbuild;

/// What a listing lets through can be written below a folder, and nowhere else.
void read_tree(std::string_view text) {
    const auto files = hub::parse_tree(text);
    if (!files)
        return;
    for (const auto& file : *files)
        if (file.path.starts_with('/') || file.path.find("..") == 0 ||
            file.path.find("/../") != std::string::npos || file.path.ends_with("/.."))
            std::abort();
}

/// No header of an action can begin another one.
void read_batch(std::string_view text) {
    const auto batch = hub::parse_lfs_batch(text);
    if (!batch)
        return;
    for (const auto& object : batch->objects)
        if (object.upload)
            for (const auto& [name, value] : object.upload->headers)
                if ((name + value).find_first_of("\r\n") != std::string::npos)
                    std::abort();
}

/// What is read is written in a form that reads as the same.
void read_lock(std::string_view text) {
    const auto locks = publish::read_lock(text);
    if (locks && publish::read_lock(publish::write_lock(*locks)).value() != *locks)
        std::abort();
}

void read_card(std::string_view text) {
    const publish::CardValues values = {{"repo_id", std::string("lab/kernel")},
                                        {"functions", std::vector<std::string>{"f", "g"}},
                                        {"has_benchmark", true}};
    diag::Collector findings;
    const auto file = std::make_shared<diag::SourceFile>("CARD.md", std::string(text));
    if (!publish::render_card(file, values, findings) && !findings.has_errors())
        std::abort();
}

} // namespace

// Everything that publishing reads from a server or from a file that others write. The first byte
// chooses the reader.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 12) {
    case 0:
        static_cast<void>(hub::parse_whoami(text));
        break;
    case 1:
        static_cast<void>(hub::parse_created(text));
        break;
    case 2:
        static_cast<void>(hub::parse_refs(text));
        break;
    case 3:
        read_tree(text);
        break;
    case 4:
        static_cast<void>(hub::parse_preupload(text));
        break;
    case 5:
        static_cast<void>(hub::parse_commit(text));
        break;
    case 6:
        read_batch(text);
        break;
    case 7:
        static_cast<void>(hub::error_text(text));
        break;
    case 8:
        static_cast<void>(publish::read_journal(text));
        break;
    case 9:
        read_lock(text);
        break;
    case 10:
        read_card(text);
        break;
    default:
        static_cast<void>(git::parse_pointer(text));
        static_cast<void>(publish::exported_names(text));
        break;
    }
    return 0;
}
