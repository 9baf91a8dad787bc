// SPDX-License-Identifier: Apache-2.0
// Checks connections that stay open, and the error after the server has closed one. A small server does to each request
// what the test wrote.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <deque>
#include <thread>

#include "remote/http/http_client.h"

namespace kingpost::connections_test {

enum class Act {
  kAnswer,  // and keep the connection
  kCut,     // read the request, and end the connection without an answer
};

// Serves one connection at a time, because the client keeps its own.
class Server {
 public:
  explicit Server(std::deque<Act> acts) : acts_(std::move(acts)), listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(listener_, 8) == 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
    thread_ = std::thread([this] { Serve(); });
  }
  ~Server() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }

  const std::string& url() const { return url_; }
  int connections() const { return connections_; }
  int requests() const { return requests_; }

 private:
  void Serve() {
    while (!acts_.empty()) {
      const int client = ::accept(listener_, nullptr, nullptr);
      if (client < 0) return;
      ++connections_;
      while (!acts_.empty() && ReadRequest(client)) {
        ++requests_;
        const Act act = acts_.front();
        acts_.pop_front();
        if (act == Act::kCut) break;
        constexpr std::string_view kText = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        if (::send(client, kText.data(), kText.size(), MSG_NOSIGNAL) < 0) break;
      }
      ::close(client);
    }
  }

  // True if there was one: its head and its body of four bytes, if it is a PUT.
  static bool ReadRequest(int client) {
    std::string text;
    char buffer[4096];
    while (true) {
      const size_t end = text.find("\r\n\r\n");
      if (end != std::string::npos && text.size() >= end + 4 + (text.starts_with("PUT") ? 4 : 0)) return true;
      const ssize_t count = ::recv(client, buffer, sizeof buffer, 0);
      if (count <= 0) return false;
      text.append(buffer, static_cast<size_t>(count));
    }
  }

  std::deque<Act> acts_;
  const int listener_;
  std::string url_;
  std::atomic<int> connections_{0}, requests_{0};
  std::thread thread_;
};

HttpRequest PutTo(const Server& server) {
  HttpRequest request;
  request.method = "PUT";
  request.url = server.url();
  request.body = "body";
  return request;
}

TEST_CASE("connections stay open between requests") {
  Server server({Act::kAnswer, Act::kAnswer, Act::kAnswer});
  HttpConnections connections;
  for (int i = 0; i < 3; ++i) {
    const Result<HttpResponse> response = connections.Send(PutTo(server));
    REQUIRE(response.ok());
    CHECK(response.value().body == "ok");
  }
  CHECK(server.connections() == 1);
}

TEST_CASE("a request goes out again on a new connection where a kept one is dead") {
  Server server({Act::kAnswer, Act::kCut, Act::kAnswer});
  HttpConnections connections;
  REQUIRE(connections.Send(PutTo(server)).ok());
  const Result<HttpResponse> response = connections.Send(PutTo(server));
  REQUIRE(response.ok());
  CHECK(server.requests() == 3);  // the server has seen it twice
  CHECK(server.connections() == 2);
}

TEST_CASE("a first request that is cut off is a failure") {
  Server server({Act::kCut});
  HttpConnections connections;
  CHECK(connections.Send(PutTo(server)).status().code() == Code::kUnavailable);
}

}  // namespace kingpost::connections_test
