#include "kbuild/elf/elf_file.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <catch2/catch.hpp>
#include <elf.h>

#include <algorithm>
#include <cstring>

using namespace kbuild;
using elf::ElfFile;

namespace {

const elf::Symbol* find_symbol(const ElfFile& file, std::string_view name) {
    const auto found = std::find_if(
        file.symbols.begin(), file.symbols.end(), [&](const auto& s) { return s.name == name; });
    return found != file.symbols.end() ? &*found : nullptr;
}

std::string fixture_bytes() {
    return support::read_file(KBUILD_ELF_FIXTURE).value();
}

Elf64_Ehdr header_of(const std::string& bytes) {
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    return header;
}

std::string with_header(std::string bytes, const Elf64_Ehdr& header) {
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
}

support::ErrorKind error_kind(std::string_view bytes) {
    const auto file = elf::read_elf_bytes(bytes, "hostile");
    REQUIRE_FALSE(file.has_value());
    CHECK(support::contains(file.error().message, "hostile"));
    return file.error().kind;
}

} // namespace

TEST_CASE("a shared library's identity and needs are read from its dynamic section") {
    const auto file = elf::read_elf(KBUILD_ELF_FIXTURE);
    REQUIRE(file.has_value());
    CHECK(file->type == ET_DYN);
    CHECK(file->soname == "libkbuild_elf_fixture.so.3");
    CHECK(std::count(file->needed.begin(), file->needed.end(), "libc.so.6") == 1);
    CHECK(file->run_paths == std::vector<std::string>{"/first", "/second"});
}

TEST_CASE("symbols come with kind, binding, size and version") {
    const auto file = elf::read_elf(KBUILD_ELF_FIXTURE);
    REQUIRE(file.has_value());
    const auto* function = find_symbol(*file, "fixture_function");
    REQUIRE(function != nullptr);
    CHECK(function->defined);
    CHECK_FALSE(function->object);
    CHECK(function->version == "FIXTURE_1");
    CHECK(function->version_library.empty());

    const auto* data = find_symbol(*file, "fixture_data");
    REQUIRE(data != nullptr);
    CHECK(data->object);
    CHECK(data->size == 3 * sizeof(int));

    const auto* thread_data = find_symbol(*file, "fixture_thread_data");
    REQUIRE(thread_data != nullptr);
    CHECK(thread_data->thread_local_storage);

    REQUIRE(find_symbol(*file, "fixture_weak") != nullptr);
    CHECK(find_symbol(*file, "fixture_weak")->weak);

    const auto* imported = find_symbol(*file, "puts");
    REQUIRE(imported != nullptr);
    CHECK_FALSE(imported->defined);
    CHECK(imported->version_library == "libc.so.6");
    CHECK(imported->version.starts_with("GLIBC_"));
    CHECK(std::is_sorted(file->symbols.begin(), file->symbols.end()));
}

TEST_CASE("the bytes of a section can be read") {
    const auto file = elf::read_elf(KBUILD_ELF_FIXTURE);
    REQUIRE(file.has_value());
    const auto* section = file->section(".dynstr");
    REQUIRE(section != nullptr);
    const auto bytes = elf::read_section(KBUILD_ELF_FIXTURE, *section);
    REQUIRE(bytes.has_value());
    CHECK(bytes->size() == section->size);
    CHECK(bytes->find("fixture_function") != std::string::npos);
    CHECK(file->section(".no-such-section") == nullptr);
}

TEST_CASE("a section without bytes in the file, or outside of it, cannot be read") {
    CHECK(elf::read_section(KBUILD_ELF_FIXTURE, {".bss", 0, 8, 1, false}).error().kind ==
          support::ErrorKind::content);
    CHECK(elf::read_section(KBUILD_ELF_FIXTURE, {".x", 1ULL << 60U, 8, 1, true}).error().kind ==
          support::ErrorKind::content);
    CHECK(elf::read_section(KBUILD_ELF_FIXTURE, {".x", 8, ~0ULL - 4, 1, true}).error().kind ==
          support::ErrorKind::content);
}

TEST_CASE("bytes in memory are read like a file") {
    const auto from_file = elf::read_elf(KBUILD_ELF_FIXTURE);
    const auto from_bytes = elf::read_elf_bytes(fixture_bytes(), "fixture");
    REQUIRE(from_file.has_value());
    REQUIRE(from_bytes.has_value());
    CHECK(from_bytes->symbols == from_file->symbols);
    CHECK(from_bytes->soname == from_file->soname);
}

TEST_CASE("what is no 64-bit ELF file is a content error") {
    CHECK(error_kind("") == support::ErrorKind::content);
    CHECK(error_kind("#!/bin/sh\necho hello\n") == support::ErrorKind::content);
    CHECK(error_kind("\x7f"
                     "ELF") == support::ErrorKind::content);
    auto header = header_of(fixture_bytes());
    header.e_ident[EI_CLASS] = ELFCLASS32;
    CHECK(error_kind(with_header(fixture_bytes(), header)) == support::ErrorKind::content);
    header = header_of(fixture_bytes());
    header.e_ident[EI_DATA] = ELFDATA2MSB;
    CHECK(error_kind(with_header(fixture_bytes(), header)) == support::ErrorKind::content);
}

TEST_CASE("a file that does not exist or is a folder is a content error") {
    CHECK(elf::read_elf("/no/such/file").error().kind == support::ErrorKind::content);
    CHECK(elf::read_elf("/").error().kind == support::ErrorKind::content);
}

TEST_CASE("a file without section table is a content error") {
    auto header = header_of(fixture_bytes());
    header.e_shoff = 0;
    header.e_shnum = 0;
    CHECK(error_kind(with_header(fixture_bytes(), header)) == support::ErrorKind::content);
}

TEST_CASE("a section table that claims more than the file holds is a content error") {
    auto header = header_of(fixture_bytes());
    header.e_shnum = 0xfeff;
    CHECK(error_kind(with_header(fixture_bytes(), header)) == support::ErrorKind::content);
    header = header_of(fixture_bytes());
    header.e_shoff = ~0ULL - 16;
    CHECK(error_kind(with_header(fixture_bytes(), header)) == support::ErrorKind::content);
}

TEST_CASE("no truncation of a file crashes the reader") {
    const auto bytes = fixture_bytes();
    for (std::size_t size = 0; size < bytes.size(); size += 97)
        CHECK_FALSE(
            elf::read_elf_bytes(std::string_view(bytes).substr(0, size), "cut").has_value());
}

TEST_CASE("no single damaged byte in headers and tables crashes the reader") {
    const auto bytes = fixture_bytes();
    const auto file = elf::read_elf_bytes(bytes, "fixture");
    REQUIRE(file.has_value());
    std::vector<std::pair<std::size_t, std::size_t>> ranges{
        {0, sizeof(Elf64_Ehdr)}, {header_of(bytes).e_shoff, bytes.size()}};
    for (const auto* name : {".dynsym", ".gnu.version_r", ".gnu.version_d", ".dynamic"})
        if (const auto* section = file->section(name))
            ranges.emplace_back(section->offset, section->offset + section->size);
    for (const auto& [begin, end] : ranges)
        for (std::size_t at = begin; at < end; ++at) {
            auto damaged = bytes;
            damaged[at] = static_cast<char>(~damaged[at]);
            static_cast<void>(elf::read_elf_bytes(damaged, "damaged"));
        }
    SUCCEED("no crash");
}
