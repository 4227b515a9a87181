#include "kbuild/emulator/device.hpp"

#include "decode/program.hpp"
#include "memory/allocations.hpp"
#include "runtime/executor.hpp"
#include "runtime/kernarg.hpp"
#include "runtime/source_lines.hpp"
#include "runtime/totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cxxabi.h>
#include <thread>

namespace kbuild::emulator {

using support::ErrorKind;
using support::Result;

namespace {

constexpr std::uint32_t kLdsBytes = 65536;
constexpr std::uint32_t kDynamicStack = 16384; ///< for kernels whose stack size is not known before

std::string demangled(const std::string& name) {
    int status = 0;
    char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    std::string result = status == 0 && text != nullptr ? text : name;
    std::free(text);
    return result;
}

unsigned thread_count(const Options& options, std::uint64_t groups) {
    const unsigned wanted =
        options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::min<std::uint64_t>(wanted, groups));
}

} // namespace

struct Device::State {
    Options options;
    Allocations allocations;
    Totals totals;
    std::vector<Finding> findings;
    std::function<void(const Finding&)> handler;
    std::vector<char> heap = std::vector<char>(4096); ///< what hidden pointers point to
    mutable std::mutex mutex;

    Result<LaunchContext>
    prepare(const Module& module, const Kernel& kernel, const Launch& launch) const;
    Counters run_groups(const LaunchContext& context,
                        FindingLog& log,
                        std::vector<MemoryAccess>* touched) const;
    Result<void> file_all(const Module& module, FindingLog& log);
    void file(Finding finding);
};

Device::Device(Options options) : state_(std::make_unique<State>()) {
    state_->options = std::move(options);
}
Device::~Device() = default;

const Options& Device::options() const {
    return state_->options;
}

void* Device::allocate(std::uint64_t bytes, MemoryKind kind, int ordinal) {
    const auto& options = state_->options;
    if (kind == MemoryKind::device &&
        (bytes > options.memory || bytes_in_use(ordinal) > options.memory - bytes))
        return nullptr;
    return state_->allocations.allocate(bytes, kind, ordinal, options.checks.undefined);
}

bool Device::release(void* address) {
    return state_->allocations.release(reinterpret_cast<std::uint64_t>(address));
}

void Device::adopt(const void* address,
                   std::uint64_t bytes,
                   MemoryKind kind,
                   const std::string& name) {
    state_->allocations.adopt(reinterpret_cast<std::uint64_t>(address), bytes, kind, name);
}

void Device::forget(const void* address) {
    state_->allocations.forget(reinterpret_cast<std::uint64_t>(address));
}

void Device::mark_defined(const void* address, std::uint64_t bytes) {
    const auto begin = reinterpret_cast<std::uint64_t>(address);
    const auto holder = state_->allocations.find(begin);
    if (holder == nullptr || holder->undefined_bits() == nullptr)
        return;
    const std::uint64_t count = std::min(bytes, holder->end - begin);
    if (count == holder->bytes())
        holder->all_defined.store(true, std::memory_order_relaxed);
    else
        holder->defined->set(begin - holder->begin, count);
}

void Device::copy_defined(const void* to, const void* from, std::uint64_t bytes) {
    const auto source = state_->allocations.find(reinterpret_cast<std::uint64_t>(from));
    const auto target = state_->allocations.find(reinterpret_cast<std::uint64_t>(to));
    const DefinedBits* const bits = source == nullptr ? nullptr : source->undefined_bits();
    if (bits == nullptr || target == nullptr || target->undefined_bits() == nullptr) {
        mark_defined(to, bytes);
        return;
    }
    const std::uint64_t first_from = reinterpret_cast<std::uint64_t>(from) - source->begin;
    const std::uint64_t first_to = reinterpret_cast<std::uint64_t>(to) - target->begin;
    for (std::uint64_t i = 0; i < bytes; ++i) {
        if (bits->get(first_from + i, 1) != 0)
            target->defined->set(first_to + i, 1);
        else
            target->defined->clear(first_to + i, 1);
    }
}

Device::Range Device::find(const void* address) const {
    const auto holder = state_->allocations.find(reinterpret_cast<std::uint64_t>(address));
    if (holder == nullptr || !holder->live)
        return {};
    return {
        holder->begin, std::max<std::uint64_t>(holder->bytes(), 1), holder->kind, holder->ordinal};
}

std::uint64_t Device::bytes_in_use(int ordinal) const {
    return state_->allocations.bytes_in_use(ordinal);
}

std::uint64_t Device::undefined_bytes(const void* address, std::uint64_t bytes) const {
    const auto begin = reinterpret_cast<std::uint64_t>(address);
    const auto holder = state_->allocations.find(begin);
    const DefinedBits* const bits = holder == nullptr ? nullptr : holder->undefined_bits();
    if (bits == nullptr)
        return 0;
    const std::uint64_t first = begin - holder->begin;
    const std::uint64_t count = std::min(bytes, holder->end - begin);
    std::uint64_t undefined = 0;
    for (std::uint64_t i = 0; i < count; i += 16) {
        const auto here = static_cast<std::uint32_t>(std::min<std::uint64_t>(16, count - i));
        undefined += here - static_cast<std::uint32_t>(std::popcount(bits->get(first + i, here)));
    }
    return undefined;
}

Result<LaunchContext>
Device::State::prepare(const Module& module, const Kernel& kernel, const Launch& launch) const {
    LaunchContext context;
    context.module = &module;
    context.kernel = &kernel;
    context.launch = &launch;
    context.options = &options;
    context.queue = reinterpret_cast<const u8*>(heap.data());
    const std::uint64_t items = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    const std::uint64_t lds = std::uint64_t{kernel.lds_bytes} + launch.dynamic_lds;
    if (items == 0 || items > std::min<std::uint32_t>(kernel.max_work_group, 1024))
        return support::fail(
            ErrorKind::usage,
            fmt::format("kernel `{}` is launched with {} work-items per group, it takes 1 to {}",
                        demangled(kernel.name),
                        items,
                        std::min<std::uint32_t>(kernel.max_work_group, 1024)));
    if (lds > kLdsBytes)
        return support::fail(ErrorKind::usage,
                             fmt::format("kernel `{}` needs {} bytes of LDS, there are {}",
                                         demangled(kernel.name),
                                         lds,
                                         kLdsBytes));
    context.lds_bytes = static_cast<u32>(lds);
    context.work_items = static_cast<u32>(items);
    context.waves = (context.work_items + kLanes - 1) / kLanes;
    context.scratch_bytes =
        (kernel.scratch_bytes + (kernel.dynamic_stack ? kDynamicStack : 0) + 15) / 16 * 16;
    return context;
}

Counters Device::State::run_groups(const LaunchContext& context,
                                   FindingLog& log,
                                   std::vector<MemoryAccess>* touched) const {
    const auto& grid = context.launch->grid;
    const std::uint64_t groups = std::uint64_t{grid[0]} * grid[1] * grid[2];
    const auto memory = allocations.snapshot();
    std::atomic<std::uint64_t> next{0};
    Counters total;
    std::mutex total_mutex;
    const auto work = [&] {
        Executor executor(context, memory, log);
        for (std::uint64_t i = 0; (i = next.fetch_add(1)) < groups && !log.stopped();) {
            const std::array<u32, 3> id{static_cast<u32>(i % grid[0]),
                                        static_cast<u32>(i / grid[0] % grid[1]),
                                        static_cast<u32>(i / grid[0] / grid[1])};
            if (!executor.run(id))
                break;
        }
        const std::lock_guard lock(total_mutex);
        total.add(executor.counters());
        if (touched != nullptr)
            for (const auto& access : executor.touched())
                add_access(*touched, access);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < thread_count(options, groups); ++i)
        threads.emplace_back(work);
    work();
    for (auto& thread : threads)
        thread.join();
    return total;
}

/// Moves the launch's findings to the device's; an Error if the launch was stopped.
Result<void> Device::State::file_all(const Module& module, FindingLog& log) {
    bool stopped = false;
    std::string why;
    for (auto& finding : log.take()) {
        finding.source = source_line(module, finding.offset);
        if (finding.fatal) {
            stopped = true;
            why = finding.to_string();
        }
        file(std::move(finding));
    }
    if (stopped)
        return support::fail(ErrorKind::failed, why);
    return {};
}

void Device::State::file(Finding finding) {
    if (handler)
        handler(finding);
    const std::lock_guard lock(mutex);
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const Finding& old) {
        return old.check == finding.check && old.kernel == finding.kernel &&
               old.offset == finding.offset &&
               (!finding.instruction.empty() || old.message == finding.message);
    });
    if (same != findings.end()) {
        same->count += finding.count;
        return;
    }
    if (!options.quiet && !handler)
        fmt::print(stderr, "kbuild emulate: {}\n", finding.to_string());
    findings.push_back(std::move(finding));
}

void Device::report(Finding finding) {
    state_->file(std::move(finding));
}

void Device::on_finding(std::function<void(const Finding&)> handler) {
    state_->handler = std::move(handler);
}

bool Device::has_finding_handler() const {
    return state_->handler != nullptr;
}

Result<void> Device::launch(const Module& module,
                            const Kernel& kernel,
                            const Launch& launch,
                            std::vector<MemoryAccess>* touched) {
    KB_TRY_ASSIGN(context, state_->prepare(module, kernel, launch));
    KB_TRY(
        kernel.program->at(first_address(kernel))); // an Error here names what is missing to decode
    const auto start = std::chrono::steady_clock::now();
    const std::string kernarg = complete_kernarg(kernel, launch, state_->heap.data());
    const auto packet = dispatch_packet(kernel, launch, kernarg.data());
    adopt(kernarg.data(), kernarg.size(), MemoryKind::host, "kernel arguments");
    adopt(packet.data(), packet.size(), MemoryKind::host, "dispatch packet");
    adopt(state_->heap.data(), state_->heap.size(), MemoryKind::host, "runtime");
    context.kernarg = reinterpret_cast<const u8*>(kernarg.data());
    context.dispatch_packet = reinterpret_cast<const u8*>(packet.data());
    FindingLog log(demangled(kernel.name), module.address());
    const Counters counters = state_->run_groups(context, log, touched);
    forget(kernarg.data());
    forget(packet.data());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    {
        const std::lock_guard lock(state_->mutex);
        state_->totals.add(demangled(kernel.name), counters, seconds.count());
    }
    return state_->file_all(module, log);
}

std::vector<Finding> Device::findings() const {
    const std::lock_guard lock(state_->mutex);
    return state_->findings;
}

std::vector<KernelStatistics> Device::statistics() const {
    const std::lock_guard lock(state_->mutex);
    return state_->totals.kernels();
}

std::vector<InstructionTrust> Device::trust() const {
    const std::lock_guard lock(state_->mutex);
    std::vector<InstructionTrust> all = state_->totals.trust();
    for (auto& one : all)
        // Matrix instructions of fp32 and integers are the same either way.
        if (options().fast_mfma && one.name.starts_with("v_mfma_f32_") &&
            !one.name.ends_with("_f32")) {
            one.fidelity = "approximate";
            one.oracle = "sums in plain fp32 order (--mfma=fast)";
        }
    return all;
}

} // namespace kbuild::emulator
