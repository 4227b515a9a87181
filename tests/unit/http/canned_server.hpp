#pragma once

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

/// Listens on a free port of the loopback address and answers one connection after the other, each
/// with the next of `answers` once a whole request has come; keeps the requests.
class CannedServer {
  public:
    explicit CannedServer(std::vector<std::string> answers) : answers_(std::move(answers)) {
        listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        ::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
        ::listen(listener_, 4);
        socklen_t size = sizeof address;
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    CannedServer(const CannedServer&) = delete;
    CannedServer& operator=(const CannedServer&) = delete;
    ~CannedServer() {
        ::shutdown(listener_, SHUT_RDWR);
        thread_.join();
        ::close(listener_);
    }

    std::string url(const std::string& path) const {
        return "http://127.0.0.1:" + std::to_string(port_) + path;
    }
    /// Waits until all answers are given.
    const std::vector<std::string>& requests() {
        if (thread_.joinable()) {
            thread_.join();
            thread_ = std::thread([] {});
        }
        return requests_;
    }

  private:
    static std::size_t length_of(const std::string& head) {
        const auto at = head.find("Content-Length: ");
        return at == std::string::npos ? 0 : std::stoul(head.substr(at + 16));
    }

    static std::string read_request(int connection) {
        std::string text;
        std::array<char, 65536> buffer{};
        while (true) {
            const auto end = text.find("\r\n\r\n");
            if (end != std::string::npos && text.size() >= end + 4 + length_of(text.substr(0, end)))
                return text;
            const auto got = ::recv(connection, buffer.data(), buffer.size(), 0);
            if (got <= 0)
                return text;
            text.append(buffer.data(), static_cast<std::size_t>(got));
        }
    }

    void serve() {
        for (const auto& answer : answers_) {
            const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (connection < 0)
                return;
            requests_.push_back(read_request(connection));
            ::send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
            ::close(connection);
        }
    }

    std::vector<std::string> answers_;
    std::vector<std::string> requests_;
    int listener_ = -1;
    unsigned port_ = 0;
    std::thread thread_;
};
