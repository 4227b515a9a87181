// Threads: std::thread and what waits, atomics, shared pointers, exceptions that change threads,
// bare pthreads.
#include "checks.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;

namespace {

void check_waits() {
    std::mutex mutex;
    std::condition_variable condition;
    bool ready = false;
    std::thread thread([&] {
        const std::lock_guard guard(mutex);
        ready = true;
        condition.notify_all();
    });
    std::unique_lock lock(mutex);
    condition.wait(lock, [&] { return ready; });
    thread.join();
    CHECK(!condition.wait_for(lock, 10ms, [] { return false; }));
    const auto soon = std::chrono::steady_clock::now() + 5ms;
    CHECK(condition.wait_until(lock, soon) == std::cv_status::timeout);
    CHECK(std::chrono::steady_clock::now() >= soon - 1ms);
    std::timed_mutex timed;
    CHECK(timed.try_lock_for(5ms));
    timed.unlock();
    std::shared_timed_mutex shared;
    CHECK(shared.try_lock_shared_for(5ms));
    shared.unlock_shared();
}

// Waiting for an atomic; g++ 16 has that in its library, where older systems do not.
#ifdef WITHOUT_ATOMIC_WAIT
void check_atomic_waits() {}
#else
void check_atomic_waits() {
    std::latch latch(1);
    std::counting_semaphore<4> semaphore(0);
    std::jthread thread([&](const std::stop_token&) {
        semaphore.release();
        latch.count_down();
    });
    semaphore.acquire();
    latch.wait();
    CHECK(!semaphore.try_acquire_for(5ms));
    std::atomic<int> flag{0};
    std::thread setter([&] {
        flag = 1;
        flag.notify_all();
    });
    flag.wait(0);
    setter.join();
}
#endif

void check_newer_tools() {
    std::atomic<std::shared_ptr<int>> pointer;
    pointer.store(std::make_shared<int>(4));
    CHECK(*pointer.load() == 4);
    CHECK(gettid() > 0);
}

void check_exceptions() {
    auto future =
        std::async(std::launch::async, []() -> int { throw std::runtime_error("from a thread"); });
    std::string what;
    try {
        future.get();
    } catch (const std::runtime_error& error) {
        what = error.what();
    }
    CHECK(what == "from a thread");
    CHECK(std::uncaught_exceptions() == 0);
    std::once_flag once;
    int calls = 0;
    std::call_once(once, [&] { ++calls; });
    std::call_once(once, [&] { ++calls; });
    CHECK(calls == 1);
}

void* set_seven(void* value) {
    *static_cast<int*>(value) = 7;
    return nullptr;
}

void check_pthreads() {
    pthread_t thread{};
    int value = 0;
    CHECK(pthread_create(&thread, nullptr, set_seven, &value) == 0);
    CHECK(pthread_join(thread, nullptr) == 0 && value == 7);
}

} // namespace

void run_checks() {
    check_waits();
    check_atomic_waits();
    check_newer_tools();
    check_exceptions();
    check_pthreads();
}
