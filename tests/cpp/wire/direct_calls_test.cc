// SPDX-License-Identifier: Apache-2.0
// The resource monitor as a program in this process calls it, with a fake engine behind it and no socket.
#include <google/protobuf/struct.pb.h>

#include <catch2/catch.hpp>
#include <memory>
#include <optional>

#include "pulumi/resource.pb.h"
#include "wire/convert.h"
#include "wire/fake_monitor.h"
#include "wire/monitor_server.h"

namespace kingpost::direct_calls_test {

using testing::FakeMonitor;

struct Fixture {
  std::unique_ptr<Loop> loop = std::make_unique<Loop>();
  FakeMonitor monitor{*loop};
  std::unique_ptr<MonitorServer> server = std::make_unique<MonitorServer>(*loop, &monitor);

  std::shared_ptr<std::optional<DirectAnswer>> Begin(const std::string& method, std::string request) const {
    auto answered = std::make_shared<std::optional<DirectAnswer>>();
    server->direct()(method, std::move(request), [answered](DirectAnswer answer) {
      REQUIRE_FALSE(answered->has_value());
      *answered = std::move(answer);
    });
    return answered;
  }
};

std::string Thing() {
  pulumirpc::RegisterResourceRequest request;
  request.set_type("shop:index:Thing");
  request.set_name("a");
  request.set_custom(true);
  WireOptions options;
  REQUIRE(ToStruct({{"size", 3}}, options, request.mutable_object()).ok());
  return request.SerializeAsString();
}

TEST_CASE("a call from this process is answered as one over gRPC") {
  Fixture fixture;
  const auto answered = fixture.Begin("RegisterResource", Thing());
  CHECK_FALSE(answered->has_value());
  fixture.loop->RunUntilIdle();
  REQUIRE(answered->has_value());
  CHECK((*answered)->code == 0);
  pulumirpc::RegisterResourceResponse response;
  REQUIRE(response.ParseFromString((*answered)->message));
  CHECK(response.urn() == "urn:pulumi:dev::shop::shop:index:Thing::a");
  CHECK(fixture.monitor.registrations.size() == 1);
}

TEST_CASE("a call from this process that cannot be read, or is unknown, is refused") {
  Fixture fixture;
  const auto damaged = fixture.Begin("RegisterResource", "\xff\xff");
  const auto unknown = fixture.Begin("Frobnicate", "");
  fixture.loop->RunUntilIdle();
  REQUIRE(damaged->has_value());
  CHECK((*damaged)->code == static_cast<int>(Code::kInvalidArgument));
  CHECK((*damaged)->error.find("cannot read a pulumirpc.RegisterResourceRequest message") == 0);
  REQUIRE(unknown->has_value());
  CHECK((*unknown)->code == static_cast<int>(Code::kUnimplemented));
}

TEST_CASE("calls from this process fail once each after the monitor was destroyed") {
  Fixture fixture;
  const DirectCall direct = fixture.server->direct();
  const auto waiting = fixture.Begin("RegisterResource", Thing());
  fixture.server = nullptr;
  fixture.loop->RunUntilIdle();
  REQUIRE(waiting->has_value());
  CHECK((*waiting)->code == static_cast<int>(Code::kUnavailable));

  fixture.loop = nullptr;  // and with it what was posted
  std::optional<DirectAnswer> late;
  direct("RegisterResource", Thing(), [&](DirectAnswer answer) { late = std::move(answer); });
  REQUIRE(late.has_value());
  CHECK(late->code == static_cast<int>(Code::kUnavailable));
}

}  // namespace kingpost::direct_calls_test
