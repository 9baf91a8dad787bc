// SPDX-License-Identifier: Apache-2.0
// Checks that the loop's thread releases what a call holds, because the last channel to go joins gRPC's threads.
#include "wire/channel.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "pulumi/provider.grpc.pb.h"

namespace kingpost::channel_test {

using namespace std::chrono_literals;

struct Answer {};

// Notes where it was destroyed.
struct Question {
  std::optional<std::thread::id>* released_on = nullptr;

  Question() = default;
  explicit Question(std::optional<std::thread::id>* note) : released_on(note) {}
  Question(const Question&) = delete;
  Question(Question&& other) noexcept : released_on(std::exchange(other.released_on, nullptr)) {}
  Question& operator=(Question&& other) noexcept {
    released_on = std::exchange(other.released_on, nullptr);
    return *this;
  }
  ~Question() {
    if (released_on) *released_on = std::this_thread::get_id();
  }
};

// A stub that, like gRPC, calls back on its own thread and releases the callback only after that.
class SlowStub {
 public:
  ~SlowStub() { Join(); }
  void Ask(grpc::ClientContext*, const Question*, Answer*, std::function<void(grpc::Status)> done) {
    thread_ = std::thread([done = std::move(done)]() mutable {
      done(grpc::Status::OK);
      std::this_thread::sleep_for(50ms);
      done = nullptr;
    });
  }
  void Join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

Task<bool> AskOnce(Loop& loop, SlowStub* stub, Question question) {
  auto calling = RawCall(loop, stub, &SlowStub::Ask, std::move(question));
  const auto answer = co_await std::move(calling);
  co_return answer.status.ok();
}

TEST_CASE("the objects held by a call are released on the loop's thread") {
  std::optional<std::thread::id> released_on;
  Loop loop;
  SlowStub stub;
  REQUIRE(loop.RunUntilDone(AskOnce(loop, &stub, Question(&released_on))));
  stub.Join();
  REQUIRE(released_on);
  CHECK(*released_on == std::this_thread::get_id());
}

// Goes as soon as it is reached: its connections stay open, and begin with SETTINGS and GOAWAY in one packet.
class GoingServer {
 public:
  GoingServer() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    auto* address = reinterpret_cast<sockaddr*>(&address_);
    REQUIRE(bind(listener_, address, size) == 0);
    REQUIRE(getsockname(listener_, address, &size) == 0);
    REQUIRE(listen(listener_, 100) == 0);
    thread_ = std::thread([this] { Serve(); });
  }
  ~GoingServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }
  std::string target() const { return "127.0.0.1:" + std::to_string(ntohs(address_.sin_port)); }
  int reached() const { return reached_; }

 private:
  void Serve() {
    constexpr char kLeave[] =
        "\0\0\0\4\0\0\0\0\0"                    // SETTINGS
        "\0\0\10\7\0\0\0\0\0\0\0\0\0\0\0\0\2";  // GOAWAY
    std::vector<int> connections;
    for (int connection; (connection = accept(listener_, nullptr, nullptr)) >= 0; ++reached_) {
      connections.push_back(connection);
      send(connection, kLeave, sizeof kLeave - 1, MSG_NOSIGNAL);
    }
    for (const int connection : connections) close(connection);
  }

  const int listener_;
  sockaddr_in address_ = {};
  std::atomic<int> reached_{0};
  std::thread thread_;
};

using Provider = pulumirpc::ResourceProvider::StubInterface::async_interface;

Task<grpc::StatusCode> AskForInfo(Loop& loop, const GoingServer& server) {
  const auto stub = pulumirpc::ResourceProvider::NewStub(OpenChannel(server.target()));
  Provider* provider = stub->async();
  CallOptions options;
  options.timeout = 10s;
  auto calling = RawCall(loop, provider, &Provider::GetPluginInfo, google::protobuf::Empty(), options);
  const auto answer = co_await std::move(calling);
  co_return answer.status.error_code();
}

TEST_CASE("a call of a server that goes as it is reached fails at once, and is not made again without end") {
  const GoingServer server;
  Loop loop;
  CHECK(loop.RunUntilDone(AskForInfo(loop, server)) == grpc::StatusCode::UNAVAILABLE);
  CHECK(server.reached() < 5);
}

}  // namespace kingpost::channel_test
