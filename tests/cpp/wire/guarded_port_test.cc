// SPDX-License-Identifier: Apache-2.0
// Checks that a guarded port serves its own user, over IPv4 and IPv6, and no other.
#include "processes/guarded_port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <mutex>

#include "processes/peer_user.h"
#include "wire/fake_monitor.h"
#include "wire/monitor_server.h"

namespace kingpost::guarded_port_test {

constexpr uid_t kNobody = 65534;
constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0";

int Connect(bool over_ipv6, int port) {
  const int file = socket(over_ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
  sockaddr_in6 six = {};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(static_cast<uint16_t>(port));
  inet_pton(AF_INET6, "::ffff:127.0.0.1", &six.sin6_addr);
  sockaddr_in four = {};
  four.sin_family = AF_INET;
  four.sin_port = six.sin6_port;
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int connected = over_ipv6 ? connect(file, reinterpret_cast<sockaddr*>(&six), sizeof six)
                                  : connect(file, reinterpret_cast<sockaddr*>(&four), sizeof four);
  return connected == 0 ? file : -1;
}

enum Greeting { kAnswered = 10, kHungUp = 11, kNoConnection = 12 };

// Connects as `user`, greets as a client of gRPC does, and returns what the port answers.
int GreetAs(uid_t user, bool over_ipv6, int port) {
  const pid_t child = fork();
  if (child == 0) {
    if (user != geteuid() && setuid(user) != 0) _exit(1);
    const int file = Connect(over_ipv6, port);
    if (file < 0) _exit(kNoConnection);
    (void)!send(file, kPreface, sizeof kPreface - 1, MSG_NOSIGNAL);
    char answer[16];
    _exit(recv(file, answer, sizeof answer, 0) > 0 ? kAnswered : kHungUp);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

int PortOf(const std::string& address) { return std::stoi(address.substr(address.rfind(':') + 1)); }

// A bare listening socket, to look at a connection by hand.
struct Listener {
  int file = socket(AF_INET, SOCK_STREAM, 0);
  int port = 0;

  Listener() {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(bind(file, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(listen(file, 5) == 0);
    getsockname(file, reinterpret_cast<sockaddr*>(&address), &size);
    port = ntohs(address.sin_port);
  }
  ~Listener() { close(file); }
};

TEST_CASE("the user of the other end of a connection is known, over both families") {
  for (const bool over_ipv6 : {false, true}) {
    INFO((over_ipv6 ? "IPv6" : "IPv4"));
    Listener listener;
    const int client = Connect(over_ipv6, listener.port);
    if (client < 0 && over_ipv6) continue;  // a machine without it
    REQUIRE(client >= 0);
    const int connection = accept(listener.file, nullptr, nullptr);
    auto user = UserOfPeer(connection);
    INFO(user.status().message());
    REQUIRE(user.ok());
    CHECK(*user == geteuid());
    auto asked = UserFromSockDiag(connection);
    if (asked.ok()) CHECK(*asked == geteuid());
    close(client);
    close(connection);
  }
}

TEST_CASE("a connection whose other end is closed already belongs to no user, not to root") {
  Listener listener;
  const int client = Connect(false, listener.port);
  REQUIRE(send(client, kPreface, sizeof kPreface - 1, MSG_NOSIGNAL) > 0);
  close(client);
  const int connection = accept(listener.file, nullptr, nullptr);
  CHECK_FALSE(UserOfPeer(connection).ok());
  CHECK(CheckPeer(connection).code() == Code::kPermissionDenied);
  close(connection);
}

TEST_CASE("the kernel's table names the user of a socket, in both of its forms") {
  const std::string head =
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout\n";
  const std::string rest = " 01 00000000:00000000 00:00000000 00000000 ";
  const std::string four = head + "   0: 0100007F:D431 0100007F:1F90" + rest + " 1000        0 12345 1 0\n";
  auto user = UserFromTable(four, "0100007F:D431", "0100007F:1F90");
  REQUIRE(user.ok());
  CHECK(*user == 1000);
  CHECK_FALSE(UserFromTable(four, "0100007F:1F90", "0100007F:D431").ok());  // our own end

  const std::string mapped = "0000000000000000FFFF00000100007F";
  const std::string six = head + "   0: " + mapped + ":D431 " + mapped + ":1F90" + rest + "    7        0 12345 1 0\n";
  user = UserFromTable(six, mapped + ":D431", mapped + ":1F90");
  REQUIRE(user.ok());
  CHECK(*user == 7);

  const std::string orphan = head + "   0: 0100007F:D431 0100007F:1F90" + rest + "    0        0 0 3 0\n";
  CHECK_FALSE(UserFromTable(orphan, "0100007F:D431", "0100007F:1F90").ok());
  CHECK_FALSE(UserFromTable("", "0100007F:D431", "0100007F:1F90").ok());
}

TEST_CASE("a port serves its own user and hangs up on others, telling of them once") {
  Loop loop;
  testing::FakeMonitor monitor{loop};
  MonitorServerOptions options;
  std::mutex mutex;
  std::vector<std::string> refused;
  options.on_refused = [&](const Status& why) {
    std::lock_guard lock(mutex);
    refused.push_back(why.message());
  };
  MonitorServer server(loop, &monitor, options);
  auto address = server.Start();
  REQUIRE(address.ok());
  const int port = PortOf(*address);

  CHECK(GreetAs(geteuid(), false, port) == kAnswered);
  if (geteuid() != 0) {
    WARN("not root: that other users are refused is not tested");
    return;
  }
  for (const bool over_ipv6 : {false, true}) {
    for (int i = 0; i < 3; ++i) CHECK(GreetAs(kNobody, over_ipv6, port) == kHungUp);
  }
  CHECK(GreetAs(geteuid(), true, port) == kAnswered);
  std::lock_guard lock(mutex);
  // A client that is gone before the port looks at it is reported without its user.
  REQUIRE(refused.size() >= 1);
  REQUIRE(refused.size() <= 2);
  CHECK(refused[0].find("uid 65534") != std::string::npos);
}

TEST_CASE("a server on a socket opens a port only when one is asked for") {
  Loop loop;
  testing::FakeMonitor monitor{loop};
  char folder[] = "/tmp/kingpost-test-XXXXXX";
  REQUIRE(mkdtemp(folder));
  MonitorServerOptions options;
  options.unix_path = std::string(folder) + "/monitor";
  {
    MonitorServer server(loop, &monitor, options);
    auto address = server.Start();
    REQUIRE(address.ok());
    CHECK(*address == "unix://" + options.unix_path);
    auto port = server.OpenPort();
    REQUIRE(port.ok());
    CHECK(port->starts_with("127.0.0.1:"));
    CHECK(*server.OpenPort() == *port);
    CHECK(GreetAs(geteuid(), false, PortOf(*port)) == kAnswered);
  }
  unlink(options.unix_path.c_str());
  rmdir(folder);
}

}  // namespace kingpost::guarded_port_test
