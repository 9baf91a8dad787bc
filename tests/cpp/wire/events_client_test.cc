// SPDX-License-Identifier: Apache-2.0
// Checks the event log over gRPC: a listener gets every line, and one that is dead or deaf delays no operation.
#include "wire/events_client.h"

#include <google/protobuf/empty.pb.h>

#include <catch2/catch.hpp>
#include <chrono>

#include "pulumi/events.grpc.pb.h"
#include "support/patience.h"
#include "wire/grpc_server.h"

namespace kingpost::events_client_test {

class Listener final : public pulumirpc::Events::Service {
 public:
  std::vector<std::string> lines;
  grpc::Status StreamEvents(grpc::ServerContext*, grpc::ServerReader<pulumirpc::EventRequest>* reader,
                            google::protobuf::Empty*) override {
    pulumirpc::EventRequest event;
    while (reader->Read(&event)) lines.push_back(event.event());
    return grpc::Status::OK;
  }
};

TEST_CASE("a listener gets all events in order before Close returns") {
  Listener listener;
  GrpcServer server;
  auto address = server.Start({&listener});
  REQUIRE(address.ok());
  auto client = EventsClient::Open("tcp://" + *address);
  REQUIRE(client.ok());
  for (int i = 0; i < 500; ++i) (*client)->Send("{\"sequence\":" + std::to_string(i) + "}");
  (*client)->Close();
  REQUIRE(listener.lines.size() == 500);
  CHECK(listener.lines[499] == "{\"sequence\":499}");
  CHECK_FALSE((*client)->failed());
}

TEST_CASE("a dead listener neither blocks nor fails the sender") {
  auto client = EventsClient::Open("tcp://127.0.0.1:1");
  REQUIRE(client.ok());
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) (*client)->Send("{}");
  (*client)->Close();
  CHECK(std::chrono::steady_clock::now() - start < kPatience * std::chrono::seconds(6));
  CHECK((*client)->failed());
}

TEST_CASE("an address of events without a port is refused") {
  CHECK(EventsClient::Open("tcp://localhost").status().message().find("tcp://HOST:PORT") != std::string::npos);
}

}  // namespace kingpost::events_client_test
