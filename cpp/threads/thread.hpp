/// A thread with a stack that is deep enough for a search; some systems give little to
/// threads that do not ask.
#pragma once

#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#if defined(_WIN32)
#include <thread>
#else
#include <pthread.h>
#endif

namespace ostrya {

#if defined(_WIN32)

class Thread {
public:
    explicit Thread(std::function<void()> run) : thread_(std::move(run)) {}
    void join() { thread_.join(); }

private:
    std::thread thread_;
};

#else

class Thread {
public:
    explicit Thread(std::function<void()> run)
        : run_(std::make_unique<std::function<void()>>(std::move(run))) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, stack_bytes);
        const int failure = pthread_create(&thread_, &attributes, &call, run_.get());
        pthread_attr_destroy(&attributes);
        if (failure != 0) throw std::system_error(failure, std::generic_category());
    }
    void join() { pthread_join(thread_, nullptr); }

private:
    static constexpr std::size_t stack_bytes = std::size_t{8} << 20;

    static void* call(void* run) {
        (*static_cast<std::function<void()>*>(run))();
        return nullptr;
    }

    std::unique_ptr<std::function<void()>> run_;  // stays where it is when this moves
    pthread_t thread_{};
};

#endif

}  // namespace ostrya
