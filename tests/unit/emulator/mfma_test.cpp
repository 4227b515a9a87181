#include "isa/table.hpp"
#include "one_instruction.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

// Bit-for-bit comparison with MMA-Sim's model of CDNA 3; integers against their formula. Where an
// element of a matrix is in the registers is AMD's layout, written down here once more, as formulas
// over lanes.

using namespace kbuild::emulator;

namespace {

/// One product: codes of A [m][k], B [k][n], C and D [m][n].
struct Product {
    u32 m = 0, n = 0, k = 0;
    std::vector<u64> a, b, c, d;
};

/// Products by instruction; an instruction has three.
using Products = std::map<std::string, std::vector<Product>>;

Products read_products() {
    const auto bytes =
        kbuild::support::read_file(KBUILD_SOURCE_DIR "/tests/emulator/oracle/mfma_vectors.bin");
    REQUIRE(bytes);
    Products products;
    std::size_t at = 0;
    const auto codes = [&](std::size_t count, std::size_t size) {
        std::vector<u64> out(count);
        for (auto& code : out) {
            std::memcpy(&code, bytes->data() + at, size);
            at += size;
        }
        return out;
    };
    while (at < bytes->size()) {
        const std::string name = bytes->substr(at, 32).c_str();
        at += 32;
        Product one;
        const auto sizes = codes(3, 4);
        one.m = static_cast<u32>(sizes[0]);
        one.n = static_cast<u32>(sizes[1]);
        one.k = static_cast<u32>(sizes[2]);
        const std::size_t size = name.ends_with("f64") ? 8 : 4;
        one.a = codes(std::size_t{one.m} * one.k, size);
        one.b = codes(std::size_t{one.k} * one.n, size);
        one.c = codes(std::size_t{one.m} * one.n, size);
        one.d = codes(std::size_t{one.m} * one.n, size);
        products[name].push_back(std::move(one));
    }
    return products;
}

/// Sizes that the name tells: bits of an element of A and B, and of one of C and D.
struct Sizes {
    u32 element, result;
};
Sizes sizes_of(const std::string& name) {
    if (name.ends_with("f64"))
        return {64, 64};
    const bool eight = name.ends_with("fp8") || name.ends_with("bf8") || name.ends_with("i8");
    return {eight ? 8U : name.ends_with("f16") ? 16U : 32U, 32};
}

constexpr u32 kA = 32;
constexpr u32 kB = 40;
constexpr u32 kC = 64;

void put(OneWave& one, u32 index, u32 lane, u32 bits, u32 element, u64 code) {
    const u32 word = element * bits / 32;
    one.wave.v[index + word].lane[lane] |= static_cast<u32>(code << element * bits % 32);
    if (bits == 64)
        one.wave.v[index + word + 1].lane[lane] = static_cast<u32>(code >> 32U);
}

/// Lane l holds row (or column) l % size. With one block it holds K elements per * (l / size) + j;
/// with several, all elements of block l / size.
void put_operands(OneWave& one, const Product& p, u32 bits, u32 block, u32 blocks) {
    const u32 per = blocks == 1 ? p.k * p.m / 64 : p.k;
    for (u32 lane = 0; lane < 64; ++lane) {
        if (blocks != 1 && lane / p.m != block)
            continue;
        const u32 line = lane % p.m;
        for (u32 j = 0; j < per; ++j) {
            const u32 k = blocks == 1 ? per * (lane / p.m) + j : j;
            put(one, kA, lane, bits, j, p.a[line * p.k + k]);
            put(one, kB, lane, bits, j, p.b[k * p.n + line]);
        }
    }
}

struct Spot {
    u32 word, lane;
};

/// Where D[i][n] is (gemm.md 4.1 has the same formulas).
Spot place(u32 size, u32 bits, u32 i, u32 n, u32 block) {
    if (bits == 64)
        return {2 * (i / 4), 16 * (i % 4) + n};
    if (size == 32)
        return {16 * block + 4 * (i / 8) + i % 4, 32 * (i / 4 % 2) + n};
    if (size == 16)
        return {4 * block + i % 4, 16 * (i / 4) + n};
    return {i, 4 * block + n};
}

std::string range(const char* file, u32 first, u32 words) {
    return words == 1 ? fmt::format("{}{}", file, first)
                      : fmt::format("{}[{}:{}]", file, first, first + words - 1);
}

std::string text_of(const Row& row) {
    const u32 words = words_of(row.operands[0].type);
    const u32 sources = words_of(row.operands[1].type);
    return fmt::format("{} {}, {}, {}, {}",
                       row.name,
                       range("v", 0, words),
                       range("v", kA, sources),
                       range("v", kB, sources),
                       range("v", kC, words));
}

bool is_nan(u32 bits, u64 code) {
    return bits == 64 ? std::isnan(std::bit_cast<double>(code))
                      : std::isnan(std::bit_cast<float>(static_cast<u32>(code)));
}

/// The NaN codes of the 8-bit formats.
bool line_holds_nan(const Product& p, u32 i, u32 n) {
    if (is_nan(32, p.c[i * p.n + n]))
        return true;
    for (u32 k = 0; k < p.k; ++k)
        if (p.a[i * p.k + k] == 0x80 || p.b[k * p.n + n] == 0x80)
            return true;
    return false;
}

/// NaNs compare equal. MMA-Sim loses a NaN of the first 16 elements of K where the second 16 are
/// much larger (it compares the exponent of NaN, which means nothing); that is no statement about
/// the hardware.
bool same(const Product& p, Sizes sizes, u32 i, u32 n, u64 got) {
    const u64 want = p.d[i * p.n + n];
    if (got == want)
        return true;
    if (!is_nan(sizes.result, got))
        return false;
    return is_nan(sizes.result, want) || (sizes.element == 8 && line_holds_nan(p, i, n));
}

/// Runs the instruction with a product in each block, and compares.
void check_products(const std::string& name, const std::vector<const Product*>& blocks) {
    const Row* const row = find_row(name);
    INFO(name);
    REQUIRE(row != nullptr);
    const Sizes sizes = sizes_of(name);
    const auto count = static_cast<u32>(blocks.size());
    OneWave one;
    one.wave.set_scalar64(kExec, 0x1234); // matrix instructions do not look at it
    for (u32 block = 0; block < count; ++block) {
        const Product& p = *blocks[block];
        put_operands(one, p, sizes.element, block, count);
        for (u32 i = 0; i < p.m; ++i)
            for (u32 n = 0; n < p.n; ++n) {
                const Spot at = place(p.m, sizes.result, i, n, block);
                put(one, kC + at.word, at.lane, sizes.result, 0, p.c[i * p.n + n]);
            }
    }
    run(one, text_of(*row));
    u32 wrong = 0;
    for (u32 block = 0; block < count; ++block) {
        const Product& p = *blocks[block];
        for (u32 i = 0; i < p.m; ++i)
            for (u32 n = 0; n < p.n; ++n) {
                const Spot at = place(p.m, sizes.result, i, n, block);
                const u64 got = sizes.result == 64 ? pair_of(one, at.word, at.lane)
                                                   : one.wave.v[at.word].lane[at.lane];
                if (!same(p, sizes, i, n, got) && wrong++ < 3)
                    UNSCOPED_INFO(fmt::format("block {} D[{}][{}]: {:x}, wanted {:x}, C {:x}",
                                              block,
                                              i,
                                              n,
                                              got,
                                              p.d[i * p.n + n],
                                              p.c[i * p.n + n]));
            }
    }
    CHECK(wrong == 0);
}

/// 8-bit products summed in 32 bits.
Product integer_product(u32 size, u32 k, std::mt19937& random) {
    Product p;
    p.m = p.n = size;
    p.k = k;
    for (u32 i = 0; i < size * k; ++i) {
        static constexpr u64 kEdges8[] = {0, 1, 0x7f, 0x80, 0xff};
        p.a.push_back(random() % 4 == 0 ? kEdges8[random() % 5] : random() % 256);
        p.b.push_back(random() % 4 == 0 ? kEdges8[random() % 5] : random() % 256);
    }
    for (u32 i = 0; i < size; ++i)
        for (u32 n = 0; n < size; ++n) {
            const u32 c = random() % 8 == 0 ? 0x7fffffffU : static_cast<u32>(random());
            i64 sum = c;
            for (u32 j = 0; j < k; ++j)
                sum += i64{static_cast<i8>(p.a[i * k + j])} * static_cast<i8>(p.b[j * size + n]);
            p.c.push_back(c);
            p.d.push_back(static_cast<u32>(sum));
        }
    return p;
}

} // namespace

TEST_CASE("matrix instructions give MMA-Sim's bits, with another product in each block") {
    const Products products = read_products();
    CHECK(products.size() == 26);
    for (const auto& [name, three] : products) {
        REQUIRE(three.size() == 3);
        const Row* const row = find_row(name);
        REQUIRE(row != nullptr);
        const u32 blocks = row->matrix_blocks == 0 ? 1 : row->matrix_blocks;
        for (u32 round = 0; round < 3; ++round) {
            std::vector<const Product*> chosen(blocks);
            for (u32 block = 0; block < blocks; ++block)
                chosen[block] = &three[(round + block) % 3];
            check_products(name, chosen);
        }
    }
}

TEST_CASE("matrix instructions of 8-bit integers sum in 32 bits, which wrap") {
    struct Shape {
        const char* name;
        u32 size, k, blocks;
    };
    const Shape shapes[] = {{"v_mfma_i32_32x32x16_i8", 32, 16, 1},
                            {"v_mfma_i32_16x16x32_i8", 16, 32, 1},
                            {"v_mfma_i32_32x32x4_2b_i8", 32, 4, 2},
                            {"v_mfma_i32_16x16x4_4b_i8", 16, 4, 4},
                            {"v_mfma_i32_4x4x4_16b_i8", 4, 4, 16}};
    std::mt19937 random(7);
    for (const auto& shape : shapes) {
        std::vector<Product> products;
        for (u32 block = 0; block < shape.blocks; ++block)
            products.push_back(integer_product(shape.size, shape.k, random));
        std::vector<const Product*> chosen;
        for (const auto& p : products)
            chosen.push_back(&p);
        check_products(shape.name, chosen);
    }
}

TEST_CASE("a matrix instruction with a broadcast control stops the wave instead of guessing") {
    OneWave one;
    Instruction in = decoded(text_of(*find_row("v_mfma_f32_4x4x4_16b_f16")));
    in.cbsz = 1;
    in.run(one.wave, in);
    CHECK(one.wave.failure != nullptr);
}
