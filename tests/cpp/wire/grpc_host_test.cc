// SPDX-License-Identifier: Apache-2.0
// The host with a real plugin: a Python program on the PyPI SDK's generated messages, started as a directory plugin.
// Set KINGPOST_TEST_PYTHON to the python of a virtual environment that has `pulumi`; without it the tests are skipped.
#include "wire/grpc_host.h"

#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "kingpost/create_outcome.h"
#include "support/needs.h"
#include "support/patience.h"
#include "support/temp_folder.h"
#include "wire/fake_monitor.h"

namespace kingpost::grpc_host_test {

namespace fs = std::filesystem;

constexpr char kPlugin[] = R"(
import os, sys
from concurrent import futures
import grpc
from google.protobuf import empty_pb2, struct_pb2
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc, status_pb2

class Probe(provider_pb2_grpc.ResourceProviderServicer):
    def Handshake(self, request, context):
        assert request.configure_with_urn and request.engine_address == sys.argv[1]
        assert request.sends_old_outputs_to_check
        assert request.accepts_outputs_in_invoke and request.accepts_outputs_in_call
        assert not request.accepts_outputs_in_check
        return provider_pb2.ProviderHandshakeResponse(
            accept_secrets=False, accept_resources=True, accepts_outputs_in_call="PROBE_OUTPUTS" in os.environ)
    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version="v1.2")
    def CheckConfig(self, request, context):
        context.abort(grpc.StatusCode.UNIMPLEMENTED, "")
    def Configure(self, request, context):
        if "token" not in request.args:
            self.fail(context, "bad config", provider_pb2.ConfigureErrorMissingKeys(missingKeys=[
                provider_pb2.ConfigureErrorMissingKeys.MissingKey(name="token", description="the token")]))
        assert request.variables["probe:config:token"] == "t0p"
        return provider_pb2.ConfigureResponse()
    def Check(self, request, context):
        assert request.HasField("old_outputs")
        return provider_pb2.CheckResponse(inputs=request.news, failures=[
            provider_pb2.CheckFailure(property="p", reason="because")] + [
            provider_pb2.CheckFailure(property=name, reason="was an output") for name in request.old_outputs])
    def Create(self, request, context):
        if request.name == "half":
            self.fail(context, "not ready", provider_pb2.ErrorResourceInitFailed(
                id="half-1", properties=request.properties, reasons=["slow", "tired"]))
        return provider_pb2.CreateResponse(id="" if request.name == "lost" else "id-1", properties=request.properties)
    def Read(self, request, context):
        swapped = self.both(request.inputs, request.properties)
        return provider_pb2.ReadResponse(id=request.id, inputs=swapped, properties=swapped)
    def Update(self, request, context):
        if request.name == "kept":
            return provider_pb2.UpdateResponse(properties=self.both(request.old_inputs, request.olds))
        print("out of memory", file=sys.stderr, flush=True)
        os._exit(42)
    def Call(self, request, context):
        return getattr(provider_pb2, "CallResponse")(**{"return": request.args})
    def Cancel(self, request, context):
        return empty_pb2.Empty()
    def both(self, inputs, outputs):
        for properties, name in ((inputs, "source"), (outputs, "result")):
            assert sorted(properties[name]) == ["4dabf18193072939515e22adb298388d", "hash"], "contents were sent"
        both = struct_pb2.Struct()
        both.CopyFrom(inputs)
        both.MergeFrom(outputs)
        return both
    def fail(self, context, message, detail):
        status = status_pb2.Status(code=2, message=message)
        status.details.add().Pack(detail)
        context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
        context.abort(grpc.StatusCode.UNKNOWN, message)

server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
provider_pb2_grpc.add_ResourceProviderServicer_to_server(Probe(), server)
port = server.add_insecure_port("127.0.0.1:0")
server.start()
open(os.environ["PROBE_PIDS"], "a").write(f"{os.getpid()}\n")
print(port, flush=True)
server.wait_for_termination()
)";

// Never gets as far as its port.
constexpr char kSlowPlugin[] = R"(
import os, time
open(os.environ["PROBE_PIDS"], "a").write(f"{os.getpid()}\n")
time.sleep(60)
)";

class QuietService : public EngineService {
 public:
  void Log(Severity, std::string, std::string, int, bool) override {}
  std::string root_resource() override { return ""; }
  void set_root_resource(std::string) override {}
  void StartDebugging(std::map<std::string, std::string>, std::string) override {}
  Status RequireVersion(const std::string&) override { return Status::Ok(); }
  Status PublishViewSteps(const std::string&, const std::vector<ViewStep>&) override { return Status::Ok(); }
};

class Fixture {
 public:
  explicit Fixture(const char* plugin = kPlugin, std::map<std::string, std::string> environment_of_plugin = {}) {
    std::ofstream(folder / "__main__.py") << plugin;
    const fs::path environment = fs::path(std::getenv("KINGPOST_TEST_PYTHON")).parent_path().parent_path();
    std::ofstream(folder / "PulumiPlugin.yaml")
        << "runtime:\n  name: python\n  options:\n    virtualenv: " << environment.string() << "\n";
    std::ofstream(folder / "Pulumi.yaml") << "name: test\nruntime: python\n";
    GrpcHostOptions options;
    options.project.name = "test";
    options.project.file = (folder / "Pulumi.yaml").string();
    options.project.provider_plugins = {{"probe", "", folder.string()}};
    for (auto& [name, value] : environment_of_plugin) options.environment[name] = value;
    options.environment["PROBE_PIDS"] = (folder / "pids").string();
    auto created = GrpcHost::Create(loop, std::move(options));
    REQUIRE(created.ok());
    host = std::move(*created);
    host->set_engine_service(&service);
  }
  ~Fixture() {
    loop.RunUntilDone(host->Close());
    host.reset();
  }

  ProviderPtr Load() {
    ProviderSpec spec;
    spec.name = "probe";
    auto provider = loop.RunUntilDone(host->LoadProvider(spec));
    INFO(provider.status().message());
    REQUIRE(provider.ok());
    return *provider;
  }
  ProviderPtr Configured() {
    ProviderPtr provider = Load();
    ConfigureRequest request;
    request.urn = Urn("urn:pulumi:dev::test::pulumi:providers:probe::default");
    request.inputs = {{"token", Value::Secret(Value("t0p"))}};
    Status status = loop.RunUntilDone(provider->Configure(request));
    INFO(status.message());
    REQUIRE(status.ok());
    return provider;
  }
  std::vector<pid_t> Pids() const {
    std::ifstream in(folder / "pids");
    std::vector<pid_t> pids;
    for (pid_t pid; in >> pid;) pids.push_back(pid);
    return pids;
  }

  Loop loop;
  QuietService service;
  const TempFolder temporary;
  const fs::path folder{temporary.path()};
  std::unique_ptr<GrpcHost> host;
};

bool CanRun() { return testing::Needed("KINGPOST_TEST_PYTHON", "a Python that has the package pulumi").has_value(); }

Urn UrnOf(const std::string& name) { return Urn("urn:pulumi:dev::test::probe:index:Thing::" + name); }

CreateRequest Creation(const std::string& name) {
  CreateRequest request;
  request.urn = UrnOf(name);
  request.inputs = {{"password", Value::Secret(Value("hunter2"))}, {"size", 3}};
  return request;
}

Task<void> LoadInto(GrpcHost* host, std::optional<Result<ProviderPtr>>* out) {
  ProviderSpec spec;
  spec.name = "probe";
  auto loading = host->LoadProvider(std::move(spec));
  *out = co_await std::move(loading);
}

Task<void> UntilTrue(Loop* loop, std::function<bool()> condition) {
  while (!condition()) {
    auto pause = Sleep(*loop, std::chrono::milliseconds(5));
    co_await std::move(pause);
  }
}

TEST_CASE("a directory plugin in Python is started, configured and used") {
  if (!CanRun()) return;
  Fixture fixture;
  ProviderPtr provider = fixture.Configured();
  CHECK(provider->version() == "1.2.0");
  CHECK_FALSE(provider->features().accept_secrets);
  CHECK(provider->features().supports_preview);

  CheckRequest check;
  check.urn = UrnOf("a");
  check.new_inputs = {{"password", Value::Secret(Value("hunter2"))}, {"later", Computed()}};
  auto checked = fixture.loop.RunUntilDone(provider->Check(check));
  REQUIRE(checked.ok());
  CHECK(checked->inputs.Find("password")->is_secret());
  CHECK(checked->inputs.Find("later")->is_computed());
  REQUIRE(checked->failures.size() == 1);
  CHECK(checked->failures[0].reason == "because");
  // CheckConfig is not implemented: the inputs are taken as they are.
  auto config = fixture.loop.RunUntilDone(provider->CheckConfig(check));
  REQUIRE(config.ok());
  CHECK(DeepEqual(config->inputs, check.new_inputs));

  auto created = fixture.loop.RunUntilDone(provider->Create(Creation("a")));
  REQUIRE(created.ok());
  CHECK(created->id == "id-1");
  CHECK(created->outputs.Find("password")->is_secret());
  CHECK_FALSE(created->outputs.Find("size")->is_secret());
}

PropertyMap TextAsset(const std::string& name, const std::string& text, const std::string& hash) {
  AssetData asset;
  asset.text = text;
  asset.hash = hash;
  return {{name, Value::Asset(asset)}};
}

std::string AssetText(const PropertyMap& map, const std::string& name) {
  const Value* asset = map.Find(name);
  REQUIRE(asset);
  return asset->as_asset().has_contents ? asset->as_asset().text : "no contents";
}

TEST_CASE("a check of an update has the old outputs, and any other check has none") {
  if (!CanRun()) return;
  Fixture fixture;
  ProviderPtr provider = fixture.Configured();
  CheckRequest check;
  check.urn = UrnOf("a");
  check.new_inputs = {{"size", 3}};
  auto fresh = fixture.loop.RunUntilDone(provider->Check(check));
  INFO(fresh.status().message());
  REQUIRE(fresh.ok());
  CHECK(fresh->failures.size() == 1);

  check.old_inputs = {{"size", 2}};
  check.old_outputs = {{"stamp", "s"}};
  auto later = fixture.loop.RunUntilDone(provider->Check(check));
  INFO(later.status().message());
  REQUIRE(later.ok());
  REQUIRE(later->failures.size() == 2);
  CHECK(later->failures[1].property == "stamp");
}

TEST_CASE("assets that a read or an update was sent without contents come back with them") {
  if (!CanRun()) return;
  Fixture fixture;
  ProviderPtr provider = fixture.Configured();
  const PropertyMap inputs = TextAsset("source", "hello", "2cf24dba"),
                    outputs = TextAsset("result", "world", "486ea462");
  ReadRequest read;
  read.urn = UrnOf("a");
  read.id = "id-1";
  read.inputs = inputs;
  read.outputs = outputs;
  auto seen = fixture.loop.RunUntilDone(provider->Read(read));
  INFO(seen.status().message());
  REQUIRE(seen.ok());
  for (const auto& answered : {seen->inputs, seen->outputs}) {
    REQUIRE(answered.has_value());
    CHECK(AssetText(*answered, "source") == "hello");
    CHECK(AssetText(*answered, "result") == "world");
  }

  UpdateRequest update;
  update.urn = UrnOf("kept");
  update.id = "id-1";
  update.old_inputs = inputs;
  update.old_outputs = outputs;
  auto updated = fixture.loop.RunUntilDone(provider->Update(update));
  INFO(updated.status().message());
  REQUIRE(updated.ok());
  CHECK(AssetText(updated->outputs, "source") == "hello");
  CHECK(AssetText(updated->outputs, "result") == "world");
}

TEST_CASE("arguments of a method have their dependencies if the provider accepts output values, and else are plain") {
  if (!CanRun()) return;
  const bool accepts = GENERATE(true, false);
  Fixture fixture(kPlugin, accepts ? std::map<std::string, std::string>{{"PROBE_OUTPUTS", "1"}}
                                   : std::map<std::string, std::string>{});
  testing::FakeMonitor monitor(fixture.loop);
  REQUIRE(fixture.loop.RunUntilDone(fixture.host->ServeMonitor(&monitor)).ok());
  ProviderPtr provider = fixture.Configured();
  CHECK(provider->features().accepts_outputs_in_call == accepts);
  CHECK_FALSE(provider->features().accepts_outputs_in_invoke);
  CHECK_FALSE(provider->features().accept_outputs);

  CallRequest request;
  request.token = "probe:index:Thing/run";
  request.args = {{"size", Value::Output({Value(3), true, false, {UrnOf("a")}})}};
  auto called = fixture.loop.RunUntilDone(provider->Call(request));
  INFO(called.status().message());
  REQUIRE(called.ok());
  CHECK(DeepEqual(called->result, accepts ? request.args : PropertyMap{{"size", 3}}));
  fixture.loop.RunUntilDone(fixture.host->StopMonitor());
}

TEST_CASE("a resource that fails to initialise is reported with its ID and outputs") {
  if (!CanRun()) return;
  Fixture fixture;
  ProviderPtr provider = fixture.Configured();
  auto half = fixture.loop.RunUntilDone(provider->Create(Creation("half")));
  REQUIRE_FALSE(half.ok());
  const InitFailed* failed = half.status().detail<InitFailed>();
  REQUIRE(failed);
  CHECK(failed->id == "half-1");
  CHECK(failed->reasons == std::vector<std::string>{"slow", "tired"});
  CHECK(failed->outputs.Find("password")->is_secret());
  CHECK(half.status().message() == "2 errors occurred:\n\t* slow\n\t* tired\n\n");

  auto lost = fixture.loop.RunUntilDone(provider->Create(Creation("lost")));
  CHECK(lost.status().message() == "plugin returned empty resource.ID from create '" + UrnOf("lost").str() + "'");
  CHECK(lost.status().detail<MayHaveHappened>());
  CHECK_FALSE(half.status().detail<MayHaveHappened>());
}

TEST_CASE("missing configuration says how to set it") {
  if (!CanRun()) return;
  Fixture fixture;
  ConfigureRequest request;
  request.urn = Urn("urn:pulumi:dev::test::pulumi:providers:probe::default");
  Status status = fixture.loop.RunUntilDone(fixture.Load()->Configure(request));
  CHECK(status.message().find("missing required configuration key \"token\": the token\n"
                              "Set a value using the command `kingpost config set token <value>`.") !=
        std::string::npos);
}

TEST_CASE("a plugin that dies in a call is named with its exit code and its last words, and none outlives the host") {
  if (!CanRun()) return;
  std::vector<pid_t> pids;
  {
    Fixture fixture;
    ProviderPtr doomed = fixture.Configured();
    ProviderPtr other = fixture.Configured();
    UpdateRequest update;
    update.urn = UrnOf("a");
    update.id = "id-1";
    auto updated = fixture.loop.RunUntilDone(doomed->Update(update));
    REQUIRE_FALSE(updated.ok());
    CHECK(updated.status().code() == Code::kUnavailable);
    const std::string message = updated.status().message();
    INFO(message);
    CHECK(message.find("the probe (resource) plugin [" + fixture.folder.string() +
                       "] has ended unexpectedly: exit "
                       "status 42") == 0);
    CHECK(message.find("out of memory") != std::string::npos);
    // The plugin is gone now. Calls made while it lived may have taken effect; later ones have not.
    auto created = fixture.loop.RunUntilDone(doomed->Create(Creation("late")));
    REQUIRE_FALSE(created.ok());
    CHECK_FALSE(created.status().detail<MayHaveHappened>());
    pids = fixture.Pids();
    CHECK(pids.size() == 2);  // each instance has a process of its own
  }
  for (pid_t pid : pids) CHECK(kill(pid, 0) != 0);
}

TEST_CASE("a provider that is not installed is named with the remedy") {
  if (!CanRun()) return;
  Fixture fixture;
  ProviderSpec spec;
  spec.name = "no-such-provider";
  spec.version = "1.0.0";
  auto provider = fixture.loop.RunUntilDone(fixture.host->LoadProvider(spec));
  REQUIRE_FALSE(provider.ok());
  CHECK(provider.status().message().find("no resource plugin 'pulumi-resource-no-such-provider' found in the workspace "
                                         "at version v1.0.0") == 0);
}

TEST_CASE("a plugin that is still starting when the host closes is ended, and no caller gets it") {
  if (!CanRun()) return;
  Fixture fixture(kSlowPlugin);
  std::optional<Result<ProviderPtr>> loaded;
  const bool runs = GENERATE(true, false);
  fixture.loop.Spawn(LoadInto(fixture.host.get(), &loaded));
  if (runs) fixture.loop.RunUntilDone(UntilTrue(&fixture.loop, [&] { return !fixture.Pids().empty(); }));
  const auto start = Loop::Clock::now();
  fixture.loop.RunUntilDone(fixture.host->Close());
  fixture.loop.RunUntilDone(UntilTrue(&fixture.loop, [&] { return loaded.has_value(); }));
  CHECK(Loop::Clock::now() - start < kPatience * std::chrono::seconds(20));
  CHECK_FALSE(loaded->ok());
  for (pid_t pid : fixture.Pids()) CHECK(kill(pid, 0) != 0);
}

}  // namespace kingpost::grpc_host_test
