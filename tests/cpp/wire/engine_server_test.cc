// SPDX-License-Identifier: Apache-2.0
// The engine's own services over real gRPC.
#include "wire/engine_server.h"

#include <google/protobuf/struct.pb.h>

#include <catch2/catch.hpp>
#include <set>

#include "grpc/health/v1/health.grpc.pb.h"
#include "pulumi/codegen/loader.grpc.pb.h"
#include "pulumi/engine.grpc.pb.h"
#include "pulumi/resource_status.grpc.pb.h"
#include "wire/channel.h"
#include "wire/fake_monitor.h"

namespace kingpost::engine_server_test {

using Engine = pulumirpc::Engine::StubInterface::async_interface;
using testing::FakeEngineService;

Task<Result<std::string>> LoadFakeSchema(SchemaQuery query) {
  if (query.package == "missing") co_return Status(Code::kNotFound, "no plugin for package missing");
  co_return "{\"name\":\"" + query.package + "\"}";
}

struct Fixture {
  Loop loop;
  FakeEngineService service;
  EngineServer server{loop, &service, {LoadFakeSchema, ""}};
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<pulumirpc::Engine::Stub> stub;
  std::set<std::string> failures;

  Fixture() {
    auto address = server.Start();
    REQUIRE(address.ok());
    channel = OpenChannel(*address);
    stub = pulumirpc::Engine::NewStub(channel);
  }
  Engine* wire() { return stub->async(); }
};

Task<void> LogMany(Fixture* fixture, int count, int* acknowledged) {
  Group group(fixture->loop);
  auto one = [](Fixture* fixture, int i, int* acknowledged) -> Task<void> {
    pulumirpc::LogRequest request;
    request.set_severity(pulumirpc::WARNING);
    request.set_message(std::to_string(i));
    auto call = Call(fixture->loop, fixture->wire(), &Engine::Log, std::move(request));
    auto answer = co_await std::move(call);
    *acknowledged += answer.ok();
    if (!answer.ok()) fixture->failures.insert(answer.status().message());
  };
  for (int i = 0; i < count; ++i) group.Spawn(one(fixture, i, acknowledged));
  co_await group.Wait();
}

TEST_CASE("every message of a log flood arrives") {
  Fixture fixture;
  int acknowledged = 0;
  fixture.loop.RunUntilDone(LogMany(&fixture, 3000, &acknowledged));
  CHECK(fixture.failures == std::set<std::string>());
  CHECK(acknowledged == 3000);
  REQUIRE(fixture.service.lines.size() == 3000);
  CHECK(fixture.service.lines[0].severity == Severity::kWarning);
}

TEST_CASE("log messages are acknowledged while the loop is busy") {
  Fixture fixture;
  pulumirpc::LogRequest request;
  request.set_message("hello");
  for (int i = 0; i < 10; ++i) {  // blocking calls, while no thread runs the loop
    grpc::ClientContext context;
    google::protobuf::Empty answer;
    REQUIRE(fixture.stub->Log(&context, request, &answer).ok());
  }
  CHECK(fixture.service.lines.empty());
  auto pause = [](Loop* loop) -> Task<void> { co_await Sleep(*loop, std::chrono::milliseconds(1)); };
  fixture.loop.RunUntilDone(pause(&fixture.loop));
  CHECK(fixture.service.lines.size() == 10);
}

TEST_CASE("the root resource and the demanded version reach the engine") {
  Fixture fixture;
  pulumirpc::SetRootResourceRequest set;
  set.set_urn("urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev");
  REQUIRE(fixture.loop.RunUntilDone(Call(fixture.loop, fixture.wire(), &Engine::SetRootResource, set)).ok());
  auto root = fixture.loop.RunUntilDone(
      Call(fixture.loop, fixture.wire(), &Engine::GetRootResource, pulumirpc::GetRootResourceRequest()));
  CHECK((*root)->urn() == set.urn());

  pulumirpc::RequirePulumiVersionRequest require;
  require.set_pulumi_version_range("<1.0.0");
  auto refused = fixture.loop.RunUntilDone(Call(fixture.loop, fixture.wire(), &Engine::RequirePulumiVersion, require));
  CHECK(refused.status().message() == "too new");
}

TEST_CASE("schemas come from the loader that the host gave") {
  Fixture fixture;
  auto loader = codegen::Loader::NewStub(fixture.channel);
  using Loader = codegen::Loader::StubInterface::async_interface;
  Loader* loader_wire = loader->async();
  codegen::GetSchemaRequest request;
  request.set_package("shop");
  auto schema = fixture.loop.RunUntilDone(Call(fixture.loop, loader_wire, &Loader::GetSchema, request));
  REQUIRE(schema.ok());
  CHECK((*schema)->schema() == "{\"name\":\"shop\"}");
  request.set_package("missing");
  auto missing = fixture.loop.RunUntilDone(Call(fixture.loop, loader_wire, &Loader::GetSchema, request));
  CHECK(missing.status().code() == Code::kNotFound);
}

TEST_CASE("published view steps are decoded, and a bad one is refused") {
  Fixture fixture;
  auto status = pulumirpc::ResourceStatus::NewStub(fixture.channel);
  using Stub = pulumirpc::ResourceStatus::StubInterface::async_interface;
  Stub* status_wire = status->async();
  pulumirpc::PublishViewStepsRequest request;
  request.set_token("t1");
  auto* step = request.add_steps();
  step->set_op(pulumirpc::ViewStep::CREATE_REPLACEMENT);
  step->mutable_new_()->set_type("shop:index:View");
  step->mutable_new_()->set_name("v");
  google::protobuf::Struct inputs;
  (*inputs.mutable_fields())["n"].set_number_value(1);
  step->mutable_new_()->set_inputs(inputs.SerializeAsString());
  REQUIRE(fixture.loop.RunUntilDone(Call(fixture.loop, status_wire, &Stub::PublishViewSteps, request)).ok());
  REQUIRE(fixture.service.view_steps.size() == 1);
  CHECK(fixture.service.view_steps[0].op == "create-replacement");
  CHECK(fixture.service.view_steps[0].new_state->inputs.Find("n")->as_number() == 1);

  step->set_op(pulumirpc::ViewStep::UNSPECIFIED);
  auto refused = fixture.loop.RunUntilDone(Call(fixture.loop, status_wire, &Stub::PublishViewSteps, request));
  CHECK(refused.status().message() == "unmarshaling steps: unknown step op 0");
}

TEST_CASE("health answers for the services there are, and stopping ends its watchers") {
  Fixture fixture;
  auto health = grpc::health::v1::Health::NewStub(fixture.channel);
  grpc::health::v1::HealthCheckRequest request;
  {
    grpc::ClientContext context;
    grpc::health::v1::HealthCheckResponse response;
    REQUIRE(health->Check(&context, request, &response).ok());
    CHECK(response.status() == grpc::health::v1::HealthCheckResponse::SERVING);
  }
  {
    grpc::ClientContext context;
    grpc::health::v1::HealthCheckResponse response;
    request.set_service("nobody");
    CHECK(health->Check(&context, request, &response).error_code() == grpc::StatusCode::NOT_FOUND);
  }
  grpc::ClientContext context;
  auto watch = health->Watch(&context, request);
  grpc::health::v1::HealthCheckResponse response;
  REQUIRE(watch->Read(&response));
  CHECK(response.status() == grpc::health::v1::HealthCheckResponse::SERVICE_UNKNOWN);
  fixture.loop.RunUntilDone(fixture.server.Stop());
  CHECK_FALSE(watch->Read(&response));
  CHECK_FALSE(watch->Finish().ok());
}

}  // namespace kingpost::engine_server_test
