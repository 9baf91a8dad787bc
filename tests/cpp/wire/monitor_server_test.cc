// SPDX-License-Identifier: Apache-2.0
// The resource monitor over real gRPC, with a fake engine behind it.
#include "wire/monitor_server.h"

#include <google/protobuf/struct.pb.h>

#include <catch2/catch.hpp>
#include <chrono>

#include "pulumi/resource.grpc.pb.h"
#include "support/patience.h"
#include "wire/channel.h"
#include "wire/convert.h"
#include "wire/fake_monitor.h"

namespace kingpost::monitor_server_test {

using Wire = pulumirpc::ResourceMonitor::StubInterface::async_interface;
using testing::FakeMonitor;

struct Fixture {
  Loop loop;
  FakeMonitor monitor{loop};
  MonitorServer server{loop, &monitor};
  std::unique_ptr<pulumirpc::ResourceMonitor::Stub> stub;

  Fixture() {
    auto address = server.Start();
    REQUIRE(address.ok());
    stub = pulumirpc::ResourceMonitor::NewStub(OpenChannel(*address));
  }

  Wire* wire() { return stub->async(); }
  auto Register(pulumirpc::RegisterResourceRequest request) {
    return Call(loop, wire(), &Wire::RegisterResource, std::move(request));
  }
  std::shared_ptr<pulumirpc::RegisterResourceResponse> MustRegister(pulumirpc::RegisterResourceRequest request) {
    auto response = loop.RunUntilDone(Register(std::move(request)));
    INFO(response.status().message());
    REQUIRE(response.ok());
    return *response;
  }
};

pulumirpc::RegisterResourceRequest Thing(const PropertyMap& inputs) {
  pulumirpc::RegisterResourceRequest request;
  request.set_type("shop:index:Thing");
  request.set_name("a");
  request.set_custom(true);
  request.set_supportspartialvalues(true);
  request.set_supportsresultreporting(true);
  WireOptions options;
  options.keep_unknowns = options.keep_secrets = true;
  REQUIRE(ToStruct(inputs, options, request.mutable_object()).ok());
  return request;
}

google::protobuf::Struct Parsed(const std::string& bytes) {
  google::protobuf::Struct wire;
  REQUIRE(wire.ParseFromString(bytes));
  return wire;
}

PropertyMap Nest(int levels) {
  Value value("leaf");
  for (int i = 0; i < levels; ++i) value = Value(PropertyMap{{"k", value}});
  return {{"k", value}};
}

Task<void> Collect(Task<Result<std::shared_ptr<pulumirpc::RegisterResourceResponse>>> call,
                   std::vector<Status>* statuses) {
  auto response = co_await std::move(call);
  statuses->push_back(response.status());
}

Task<void> Hold(Fixture* fixture, int count, Group* group, std::vector<Status>* statuses) {
  for (int i = 0; i < count; ++i) {
    auto request = Thing({{"n", i}});
    request.set_remote(i == 0);
    group->Spawn(Collect(fixture->Register(std::move(request)), statuses));
  }
  while (fixture->monitor.registrations.size() < static_cast<size_t>(count)) {
    auto pause = Sleep(fixture->loop, std::chrono::milliseconds(5));
    co_await std::move(pause);
  }
}

TEST_CASE("a registration's properties arrive and its outputs return") {
  Fixture fixture;
  auto request = Thing({{"size", 3}, {"password", Value::Secret("hush")}});
  request.set_acceptsecrets(true);
  request.set_protect(false);
  request.mutable_customtimeouts()->set_delete_("5m");
  (*request.mutable_propertydependencies())["size"].add_urns("urn:pulumi:dev::shop::x::y");
  auto* position = request.mutable_sourceposition();
  position->set_uri("project:///main.py");
  position->set_line(7);

  auto response = fixture.MustRegister(request);
  CHECK(response->urn() == "urn:pulumi:dev::shop::shop:index:Thing::a");
  CHECK(response->id() == "id-a");
  const auto object = Parsed(response->object());
  CHECK(object.fields().at("size").number_value() == 3);
  CHECK(object.fields().at("password").struct_value().fields().at("value").string_value() == "hush");
  REQUIRE(fixture.monitor.registrations.size() == 1);
  const RegisterResourceRequest& seen = fixture.monitor.registrations[0];
  CHECK(seen.protect == false);
  CHECK_FALSE(seen.retain_on_delete.has_value());
  CHECK(seen.timeout_delete == "5m");
  REQUIRE(seen.property_dependencies.size() == 1);
  CHECK(seen.property_dependencies.find("size")->second == std::vector<Urn>{Urn("urn:pulumi:dev::shop::x::y")});
  CHECK(seen.source_position == "project:///main.py#7");  // Python tells no columns
  CHECK_FALSE(seen.has_legacy_aliases);

  position->set_column(3);
  fixture.MustRegister(request);
  CHECK(fixture.monitor.registrations[1].source_position == "project:///main.py#7,3");
}

TEST_CASE("a reply holds only values that the caller understands") {
  Fixture fixture;
  RegisterResourceResponse response;
  response.urn = Urn("urn:pulumi:dev::shop::shop:index:Thing::a");
  response.outputs = {
      {"known", 1}, {"partly", PropertyMap{{"later", Computed()}}}, {"password", Value::Secret("hush")}};
  fixture.monitor.next_response = &response;

  auto request = Thing({});
  request.set_supportspartialvalues(false);
  auto plain = fixture.MustRegister(request);
  const auto object = Parsed(plain->object());
  CHECK(object.fields().count("partly") == 0);
  CHECK(object.fields().at("password").string_value() == "hush");

  request.set_custom(false);  // a local component: its outputs come later
  CHECK(fixture.MustRegister(request)->object().empty());

  response.outcome = RegisterOutcome::kSkip;
  request.set_custom(true);
  const auto left_out = fixture.MustRegister(request);
  CHECK(left_out->result() == pulumirpc::SUCCESS);
  CHECK(left_out->unknown());
  request.set_supportsresultreporting(false);
  auto refused = fixture.loop.RunUntilDone(fixture.Register(request));
  CHECK(refused.status().code() == Code::kInternal);
  CHECK(refused.status().message() == "resource registration failed");
}

TEST_CASE("a reply to a read has the ID that the provider gave, and says whether the read failed or is unknown") {
  Fixture fixture;
  pulumirpc::ReadResourceRequest request;
  request.set_type("shop:index:Thing");
  request.set_name("a");
  request.set_id("asked-for");
  const auto read = [&] {
    auto answer = fixture.loop.RunUntilDone(Call(fixture.loop, fixture.wire(), &Wire::ReadResource, request));
    REQUIRE(answer.ok());
    return *answer;
  };
  fixture.monitor.read_response.id = "given";
  const auto found = read();
  CHECK(found->id() == "given");
  CHECK(found->result() == pulumirpc::SUCCESS);
  CHECK_FALSE(found->unknown());

  fixture.monitor.read_response.id = "";
  fixture.monitor.read_response.unknown = true;
  const auto left_out = read();
  CHECK(left_out->id().empty());
  CHECK(left_out->result() == pulumirpc::SUCCESS);
  CHECK(left_out->unknown());

  fixture.monitor.read_response.outcome = RegisterOutcome::kFail;
  CHECK(read()->result() == pulumirpc::FAIL);
}

TEST_CASE("deeply nested properties pass, and too deep ones are refused with a reason") {
  Fixture fixture;
  auto response = fixture.MustRegister(Thing(Nest(200)));
  WireOptions options;
  auto back = FromStruct(response->object(), options);
  REQUIRE(back.ok());
  CHECK(DeepEqual(*back, Nest(200)));

  fixture.MustRegister(Thing(Nest(3000)));

  pulumirpc::RegisterResourceRequest bottomless = Thing({});
  google::protobuf::Struct object;
  auto* inner = &object;
  for (int i = 0; i < 9000; ++i) inner = (*inner->mutable_fields())["k"].mutable_struct_value();
  bottomless.set_object(object.SerializeAsString());
  auto refused = fixture.loop.RunUntilDone(fixture.Register(bottomless));
  CHECK(refused.status().code() == Code::kInvalidArgument);
  CHECK(refused.status().message().find("nested more than") != std::string::npos);
  CHECK(fixture.monitor.registrations.size() == 2);
}

TEST_CASE("names and IDs without end are refused, and not repeated in full") {
  Fixture fixture;
  const std::string endless(2 << 20, 'x');
  const auto refused = [&fixture](auto change) {
    auto request = Thing({});
    change(&request);
    const Status status = fixture.loop.RunUntilDone(fixture.Register(request)).status();
    CHECK(status.code() == Code::kInvalidArgument);
    CHECK(status.message().find("has 2097") != std::string::npos);
    return status.message().size() < 300;
  };
  CHECK(refused([&](auto* request) { request->set_name(endless); }));
  CHECK(refused([&](auto* request) { request->set_type("shop:index:" + endless); }));
  CHECK(refused([&](auto* request) { request->set_importid(endless); }));
  CHECK(fixture.monitor.registrations.empty());

  pulumirpc::ReadResourceRequest read;
  read.set_type("shop:index:Thing");
  read.set_name("a");
  read.set_id(endless);
  auto reading = Call(fixture.loop, fixture.wire(), &Wire::ReadResource, std::move(read));
  CHECK(fixture.loop.RunUntilDone(std::move(reading)).status().code() == Code::kInvalidArgument);
}

TEST_CASE("thousands of calls can be held at once") {
  Fixture fixture;
  fixture.monitor.hold = true;
  Group group(fixture.loop);
  std::vector<Status> statuses;
  fixture.loop.RunUntilDone(Hold(&fixture, 2000, &group, &statuses));
  CHECK(fixture.server.calls_in_flight() == 2000);
  CHECK(statuses.empty());

  auto finish = [](Fixture* fixture, Group* group) -> Task<void> {
    fixture->monitor.release.Set();
    co_await group->Wait();
  };
  fixture.loop.RunUntilDone(finish(&fixture, &group));
  REQUIRE(statuses.size() == 2000);
  for (const Status& status : statuses) REQUIRE(status.ok());
  CHECK(fixture.server.calls_in_flight() == 0);
}

TEST_CASE("stopping answers the calls that wait, and takes no time") {
  Fixture fixture;
  fixture.monitor.hold = true;
  Group group(fixture.loop);
  std::vector<Status> statuses;
  fixture.loop.RunUntilDone(Hold(&fixture, 50, &group, &statuses));

  const auto start = std::chrono::steady_clock::now();
  auto stop = [](Fixture* fixture, Group* group) -> Task<void> {
    auto stopping = fixture->server.Stop();
    co_await std::move(stopping);
    co_await group->Wait();
  };
  fixture.loop.RunUntilDone(stop(&fixture, &group));
  CHECK(std::chrono::steady_clock::now() - start < kPatience * std::chrono::seconds(5));

  REQUIRE(statuses.size() == 50);
  int constructs = 0;
  for (const Status& status : statuses) {
    CHECK(status.code() == Code::kUnavailable);
    constructs += status.message() == "resource monitor shut down while waiting for construct to complete";
    if (constructs == 0) continue;
  }
  CHECK(constructs == 1);
  // The engine finishes the call later. Its answer has no receiver then, and does no harm.
  auto release = [](Fixture* fixture) -> Task<void> {
    fixture->monitor.release.Set();
    auto pause = Sleep(fixture->loop, std::chrono::milliseconds(20));
    co_await std::move(pause);
  };
  fixture.loop.RunUntilDone(release(&fixture));
}

TEST_CASE("the other calls of the monitor reach the engine") {
  Fixture fixture;
  fixture.monitor.info.project = "shop";
  fixture.monitor.info.config = {{"shop:key", "value"}};
  fixture.monitor.info.features = {0, 16};
  auto info = fixture.loop.RunUntilDone(
      Call(fixture.loop, fixture.wire(), &Wire::GetDeploymentInfo, google::protobuf::Empty()));
  REQUIRE(info.ok());
  CHECK((*info)->config().at("shop:key") == "value");
  CHECK((*info)->supportedfeatures_size() == 2);

  pulumirpc::SupportsFeatureRequest feature;
  feature.set_id("secrets");
  auto supported = fixture.loop.RunUntilDone(Call(fixture.loop, fixture.wire(), &Wire::SupportsFeature, feature));
  CHECK((*supported)->hassupport());

  pulumirpc::ResourceCallRequest method;
  method.set_tok("shop:index:Thing/run");
  auto called = fixture.loop.RunUntilDone(Call(fixture.loop, fixture.wire(), &Wire::Call, method));
  CHECK(called.status().code() == Code::kNotFound);
  CHECK(called.status().message() == "no method shop:index:Thing/run");

  pulumirpc::RegisterResourceOutputsRequest outputs;
  outputs.set_urn("urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev");
  REQUIRE(fixture.loop.RunUntilDone(Call(fixture.loop, fixture.wire(), &Wire::RegisterResourceOutputs, outputs)).ok());
  CHECK(fixture.monitor.outputs_of.size() == 1);
}

TEST_CASE("the dependencies of an argument arrive with it, and return to callers that support output values") {
  Fixture fixture;
  const Urn urn("urn:pulumi:dev::shop::shop:index:Thing::a");
  const PropertyMap args{{"deep", Array{Value::Output({Value("x"), true, true, {urn}})}}};
  WireOptions whole;
  whole.keep_unknowns = whole.keep_secrets = whole.keep_outputs = true;
  pulumirpc::ResourceInvokeRequest request;
  request.set_tok("shop:index:find");
  request.set_accept_output_values(true);
  REQUIRE(ToStruct(args, whole, request.mutable_args()).ok());
  auto answer = fixture.loop.RunUntilDone(Call(fixture.loop, fixture.wire(), &Wire::Invoke, request));
  REQUIRE(answer.ok());
  REQUIRE(fixture.monitor.invokes.size() == 1);
  CHECK(fixture.monitor.invokes[0].accept_output_values);
  CHECK(DeepEqual(fixture.monitor.invokes[0].args, args));
  const auto back = FromStruct((*answer)->return_(), whole);
  REQUIRE(back.ok());
  CHECK(DeepEqual(*back, args));
}

TEST_CASE("a registration records whether its dependencies are output values") {
  Fixture fixture;
  auto request = Thing({{"n", 1}});
  fixture.MustRegister(request);
  request.set_uses_output_values(true);
  fixture.MustRegister(request);
  CHECK_FALSE(fixture.monitor.registrations[0].uses_output_values);
  CHECK(fixture.monitor.registrations[1].uses_output_values);
}

TEST_CASE("a program asks whether a resource exists") {
  Fixture fixture;
  pulumirpc::ExistsResourceRequest request;
  request.set_type("shop:index:Thing");
  request.set_parent("urn:pulumi:dev::shop::shop:index:Box::box");
  request.set_provider("urn:pulumi:dev::shop::pulumi:providers:shop::p::id");
  request.set_version("1.2.3");
  request.set_plugindownloadurl("https://acme.com/plugins");
  request.set_packageref("package-1");
  (*request.mutable_pluginchecksums())["linux"] = "sum";
  WireOptions secrets;
  secrets.keep_secrets = true;
  REQUIRE(ToStruct({{"region", Value::Secret("r")}}, secrets, request.mutable_properties()).ok());
  const auto ask = [&](const std::string& id) {
    request.set_id(id);
    auto answer = fixture.loop.RunUntilDone(Call(fixture.loop, fixture.wire(), &Wire::ExistsResource, request));
    REQUIRE(answer.ok());
    return std::make_pair((*answer)->exists(), (*answer)->unknown());
  };
  CHECK(ask("here") == std::make_pair(true, false));
  CHECK(ask("gone") == std::make_pair(false, false));
  CHECK(ask(std::string(kUnknownString)) == std::make_pair(false, true));
  const ExistsResourceRequest& seen = fixture.monitor.questions[0];
  CHECK(seen.type == "shop:index:Thing");
  CHECK(seen.parent == request.parent());
  CHECK(seen.provider == request.provider());
  CHECK(seen.version == "1.2.3");
  CHECK(seen.plugin_download_url == "https://acme.com/plugins");
  CHECK(seen.package_ref == "package-1");
  CHECK(seen.plugin_checksums.at("linux") == "sum");
  CHECK(DeepEqual(seen.properties, {{"region", Value::Secret("r")}}));

  request.set_id(std::string(2 << 20, 'x'));
  auto refused = fixture.loop.RunUntilDone(Call(fixture.loop, fixture.wire(), &Wire::ExistsResource, request));
  CHECK(refused.status().code() == Code::kInvalidArgument);
}

}  // namespace kingpost::monitor_server_test
