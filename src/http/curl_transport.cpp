#include "kbuild/http/transport.hpp"
#include "kbuild/support/cancel.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <curl/curl.h>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

namespace kbuild::http {
namespace {

namespace fs = std::filesystem;

constexpr long kBuffer = 1L << 20;

struct Free {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Handle = std::unique_ptr<CURL, Free>;
using List = std::unique_ptr<curl_slist, Free>;

/// A descriptor that is closed with the value.
class File {
  public:
    File() = default;
    File(const fs::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
    ~File() {
        if (fd_ >= 0)
            ::close(fd_);
    }
    File(File&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    File& operator=(File&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int fd() const { return fd_; }

  private:
    int fd_ = -1;
};

/// What the callbacks of one exchange share.
struct Exchange {
    const Request& request;
    Response response;
    std::optional<Failure> failure; ///< found by a callback, which then ended the transfer
    File source;
    File target;
    std::uint64_t position = 0; ///< in the body that is sent
    bool writing = false;       ///< the target was positioned

    void told(std::int64_t bytes) const {
        if (request.on_bytes)
            request.on_bytes(bytes);
    }
};

std::uint64_t body_size(const Request& request) {
    if (const auto* const range = std::get_if<FileRange>(&request.body))
        return range->length;
    return std::get<std::string>(request.body).size();
}

std::size_t
read_file_body(Exchange& exchange, const FileRange& range, char* buffer, std::size_t room) {
    const auto wanted = std::min<std::uint64_t>(room, range.length - exchange.position);
    const auto got = ::pread(
        exchange.source.fd(), buffer, wanted, static_cast<off_t>(range.offset + exchange.position));
    if (got > 0 || wanted == 0)
        return static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    exchange.failure =
        Failure{Failure::Kind::local,
                fmt::format("`{}` {}",
                            range.path.string(),
                            got == 0 ? "became shorter while it was sent" : std::strerror(errno))};
    return CURL_READFUNC_ABORT;
}

std::size_t on_read(char* buffer, std::size_t size, std::size_t count, void* data) {
    auto& exchange = *static_cast<Exchange*>(data);
    std::size_t got = 0;
    if (const auto* const range = std::get_if<FileRange>(&exchange.request.body)) {
        got = read_file_body(exchange, *range, buffer, size * count);
        if (got == CURL_READFUNC_ABORT)
            return got;
    } else {
        got = std::get<std::string>(exchange.request.body)
                  .copy(buffer, size * count, exchange.position);
    }
    exchange.position += got;
    exchange.told(static_cast<std::int64_t>(got));
    return got;
}

int on_seek(void* data, curl_off_t offset, int whence) {
    auto& exchange = *static_cast<Exchange*>(data);
    if (whence != SEEK_SET)
        return CURL_SEEKFUNC_CANTSEEK;
    exchange.told(static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(exchange.position));
    exchange.position = static_cast<std::uint64_t>(offset);
    return CURL_SEEKFUNC_OK;
}

bool position_target(Exchange& exchange) {
    const auto offset = exchange.response.status == 206 ? exchange.request.into->offset : 0;
    exchange.writing = true;
    return ::ftruncate(exchange.target.fd(), static_cast<off_t>(offset)) == 0 &&
           ::lseek(exchange.target.fd(), static_cast<off_t>(offset), SEEK_SET) >= 0;
}

bool write_all(int fd, const char* bytes, std::size_t size) {
    while (size > 0) {
        const auto written = ::write(fd, bytes, size);
        if (written < 0)
            return false;
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

std::size_t write_to_file(Exchange& exchange, const char* bytes, std::size_t size) {
    const bool written = (exchange.writing || position_target(exchange)) &&
                         write_all(exchange.target.fd(), bytes, size);
    if (!written) {
        exchange.failure = Failure{Failure::Kind::local,
                                   fmt::format("cannot write `{}`: {}",
                                               exchange.request.into->path.string(),
                                               std::strerror(errno))};
        return 0;
    }
    exchange.told(static_cast<std::int64_t>(size));
    return size;
}

std::size_t on_write(char* bytes, std::size_t size, std::size_t count, void* data) {
    auto& exchange = *static_cast<Exchange*>(data);
    if (exchange.request.into && exchange.response.ok())
        return write_to_file(exchange, bytes, size * count);
    if (exchange.response.body.size() + size * count > exchange.request.answer_limit) {
        exchange.failure = Failure{Failure::Kind::too_large,
                                   fmt::format("the answer is larger than {}",
                                               support::human_size(exchange.request.answer_limit))};
        return 0;
    }
    exchange.response.body.append(bytes, size * count);
    return size * count;
}

/// A status line begins a new answer: after 100 Continue comes the real one.
void start_answer(Response& response, std::string_view line) {
    response.headers.clear();
    const auto space = line.find(' ');
    const auto code =
        space == std::string_view::npos ? std::string_view() : line.substr(space + 1, 3);
    response.status = 0;
    std::from_chars(code.data(), code.data() + code.size(), response.status);
}

std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* data) {
    constexpr std::size_t kMaxHeaders = 1000;
    auto& response = static_cast<Exchange*>(data)->response;
    const auto line = support::trim({bytes, size * count});
    if (line.starts_with("HTTP/"))
        start_answer(response, line);
    else if (const auto colon = line.find(':');
             colon != std::string_view::npos && response.headers.size() < kMaxHeaders)
        response.headers.push_back({support::to_lower(line.substr(0, colon)),
                                    std::string(support::trim(line.substr(colon + 1)))});
    return size * count;
}

int on_progress(void*, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return support::stop_signal() != 0 ? 1 : 0;
}

Failure::Kind kind_of(CURLcode code) {
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
        return Failure::Kind::connect;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
        return Failure::Kind::tls;
    case CURLE_OPERATION_TIMEDOUT:
        return Failure::Kind::timeout;
    case CURLE_ABORTED_BY_CALLBACK:
        return Failure::Kind::stopped;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return Failure::Kind::refused;
    default:
        return Failure::Kind::broken;
    }
}

List header_list(const Request& request) {
    List list;
    const auto append = [&list](const std::string& line) {
        list.reset(curl_slist_append(list.release(), line.c_str()));
    };
    append("Expect:"); // do not wait for 100 Continue
    for (const auto& header : request.headers)
        append(header.name + ": " + header.value);
    if (request.into && request.into->offset > 0)
        append(fmt::format("Range: bytes={}-", request.into->offset));
    if (!request.authorization.empty())
        append("Authorization: " + request.authorization.reveal());
    return list;
}

template <typename Value> void set(CURL* handle, CURLoption option, Value value) {
    curl_easy_setopt(handle, option, value);
}

void set_method(CURL* handle, const Request& request) {
    const auto size = static_cast<curl_off_t>(body_size(request));
    switch (request.method) {
    case Method::get:
        set(handle, CURLOPT_HTTPGET, 1L);
        break;
    case Method::head:
        set(handle, CURLOPT_NOBODY, 1L);
        break;
    case Method::post:
        set(handle, CURLOPT_POST, 1L);
        set(handle, CURLOPT_POSTFIELDSIZE_LARGE, size);
        break;
    case Method::put:
        set(handle, CURLOPT_UPLOAD, 1L);
        set(handle, CURLOPT_INFILESIZE_LARGE, size);
        break;
    }
}

void set_callbacks(CURL* handle, Exchange& exchange) {
    set(handle, CURLOPT_READFUNCTION, on_read);
    set(handle, CURLOPT_READDATA, static_cast<void*>(&exchange));
    set(handle, CURLOPT_SEEKFUNCTION, on_seek);
    set(handle, CURLOPT_SEEKDATA, static_cast<void*>(&exchange));
    set(handle, CURLOPT_WRITEFUNCTION, on_write);
    set(handle, CURLOPT_WRITEDATA, static_cast<void*>(&exchange));
    set(handle, CURLOPT_HEADERFUNCTION, on_header);
    set(handle, CURLOPT_HEADERDATA, static_cast<void*>(&exchange));
    set(handle, CURLOPT_NOPROGRESS, 0L);
    set(handle, CURLOPT_XFERINFOFUNCTION, on_progress);
}

class CurlTransport : public Transport {
  public:
    explicit CurlTransport(TransportOptions options) : options_(std::move(options)) {
        static const auto initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
        static_cast<void>(initialised);
    }

    tl::expected<Response, Failure> exchange(const Request& request) override {
        Exchange state{request, {}, {}, {}, {}};
        state.response.url = request.url;
        if (auto failure = open_files(state))
            return tl::unexpected(std::move(*failure));
        auto handle = borrow();
        const auto headers = header_list(request);
        configure(handle.get(), state);
        set(handle.get(), CURLOPT_HTTPHEADER, headers.get());
        const auto code = curl_easy_perform(handle.get());
        give_back(std::move(handle));
        if (state.failure)
            return tl::unexpected(std::move(*state.failure));
        if (code != CURLE_OK)
            return tl::unexpected(Failure{kind_of(code), curl_easy_strerror(code)});
        return std::move(state.response);
    }

  private:
    static std::optional<Failure> open_files(Exchange& state) {
        if (const auto* const range = std::get_if<FileRange>(&state.request.body)) {
            state.source = File(range->path, O_RDONLY);
            if (state.source.fd() < 0)
                return Failure{Failure::Kind::local,
                               fmt::format("cannot read `{}`: {}",
                                           range->path.string(),
                                           std::strerror(errno))};
        }
        if (state.request.into) {
            state.target = File(state.request.into->path, O_WRONLY | O_CREAT);
            if (state.target.fd() < 0)
                return Failure{Failure::Kind::local,
                               fmt::format("cannot write `{}`: {}",
                                           state.request.into->path.string(),
                                           std::strerror(errno))};
        }
        return std::nullopt;
    }

    void configure(CURL* handle, Exchange& state) const {
        const auto stall = state.request.stall.count() > 0 ? state.request.stall : options_.stall;
        curl_easy_reset(handle); // keeps the connections
        set(handle, CURLOPT_URL, state.request.url.c_str());
        set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
        set(handle, CURLOPT_FOLLOWLOCATION, 0L);
        set(handle, CURLOPT_NOSIGNAL, 1L);
        set(handle, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
        set(handle, CURLOPT_CONNECTTIMEOUT, static_cast<long>(options_.connect.count()));
        set(handle, CURLOPT_LOW_SPEED_LIMIT, kStallFloor);
        set(handle, CURLOPT_LOW_SPEED_TIME, static_cast<long>(stall.count()));
        set(handle, CURLOPT_USERAGENT, options_.user_agent.c_str());
        set(handle, CURLOPT_UPLOAD_BUFFERSIZE, kBuffer);
        set(handle, CURLOPT_BUFFERSIZE, kBuffer / 2);
        if (!options_.ca_file.empty())
            set(handle, CURLOPT_CAINFO, options_.ca_file.c_str());
        set_method(handle, state.request);
        set_callbacks(handle, state);
    }

    Handle borrow() {
        const std::lock_guard lock(mutex_);
        if (idle_.empty())
            return Handle(curl_easy_init());
        auto handle = std::move(idle_.back());
        idle_.pop_back();
        return handle;
    }

    void give_back(Handle handle) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(handle));
    }

    TransportOptions options_;
    std::mutex mutex_;
    std::vector<Handle> idle_;
};

} // namespace

TransportOptions TransportOptions::from_environment() {
    TransportOptions options;
    if (const auto text = support::environment("KBUILD_HTTP_TIMEOUT")) {
        int value = 0;
        std::from_chars(text->data(), text->data() + text->size(), value);
        if (value > 0)
            options.stall = std::chrono::seconds(value);
    }
    for (const auto* const name :
         {"KBUILD_CA_BUNDLE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"})
        if (const auto file = support::environment(name)) {
            options.ca_file = *file;
            break;
        }
    return options;
}

std::unique_ptr<Transport> curl_transport(TransportOptions options) {
    return std::make_unique<CurlTransport>(std::move(options));
}

} // namespace kbuild::http
