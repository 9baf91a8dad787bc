// SPDX-License-Identifier: Apache-2.0
// Programs run by the native launcher against a fake engine, and hosts reached over gRPC.
#include "wire/wire.h"

#include <signal.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "pulumi/language.grpc.pb.h"
#include "runtimes/native_language_host.h"
#include "runtimes/package_scan.h"
#include "support/needs.h"
#include "support/temp_folder.h"
#include "wire/engine_server.h"
#include "wire/fake_monitor.h"
#include "wire/monitor_server.h"
#include "wire/start_language_host.h"

namespace kingpost::language_host_test {

namespace fs = std::filesystem;
using testing::FakeEngineService;
using testing::FakeMonitor;

// An engine's servers on private sockets, and a Python program beside them.
struct Fixture {
  TempFolder folder;
  Loop loop;
  FakeMonitor monitor{loop};
  FakeEngineService service;
  MonitorServer monitor_server{loop, &monitor, {folder.path(), folder / "monitor"}};
  EngineServer engine_server{loop, &service, {nullptr, folder / "engine"}};
  LanguageHostOptions options;
  std::string monitor_socket;
  std::vector<std::pair<Severity, std::string>> output;

  Fixture() {
    auto monitor_address = monitor_server.Start();
    REQUIRE(monitor_address.ok());
    monitor_socket = *monitor_address;
    auto engine_address = engine_server.Start();
    REQUIRE(engine_address.ok());
    auto supervisor = ProcessSupervisor::Start();
    REQUIRE(supervisor.ok());
    options.project.file = folder / "Pulumi.yaml";
    options.project.name = "shop";
    options.project.runtime = "python";
    options.engine_address = *engine_address;
    options.open_engine_port = [this] { return engine_server.OpenPort(); };
    options.open_monitor_port = [this] { return monitor_server.OpenPort(); };
    options.supervisor = *supervisor;
    options.find_plugin = [](std::string name) -> Task<Result<std::string>> {
      co_return Status(Code::kNotFound, "no language plugin " + name);
    };
    options.log = [this](Severity severity, std::string line, int) { output.emplace_back(severity, std::move(line)); };
    for (int feature = 0; feature < 16; ++feature) monitor.info.features.push_back(feature);
    monitor.info.project = "shop";
    monitor.info.stack = "dev";
    monitor.info.organization = "organization";
    monitor.info.parallel = 4;
    monitor.info.config = {{"shop:colour", "red"}};
  }

  RunRequest Request() const {
    RunRequest request;
    request.info = monitor.info;
    request.monitor_address = monitor_socket;
    return request;
  }
  Result<RunResponse> Run() {
    auto run = [](Fixture* fixture) -> Task<Result<RunResponse>> {
      auto starting = StartLanguageHost(fixture->loop, fixture->options);
      auto host = co_await std::move(starting);
      if (!host.ok()) co_return host.status();
      auto running = (*host)->Run(fixture->Request());
      co_return co_await std::move(running);
    };
    return loop.RunUntilDone(run(this));
  }
  bool Printed(Severity severity, const std::string& text) const {
    for (const auto& [seen, line] : output) {
      if (seen == severity && line.find(text) != std::string::npos) return true;
    }
    return false;
  }
};

// A Python that has the SDK, or "" after saying that the test is skipped.
std::optional<std::string> PythonWithSdk() {
  return testing::Needed("KINGPOST_TEST_PYTHON", "a Python that has the package pulumi");
}

class InlineProgram final : public pulumirpc::LanguageRuntime::Service {
 public:
  pulumirpc::RunRequest seen;
  grpc::Status Run(grpc::ServerContext*, const pulumirpc::RunRequest* request,
                   pulumirpc::RunResponse* response) override {
    seen = *request;
    response->set_error("out of paint");
    return grpc::Status::OK;
  }
};

TEST_CASE("a Python program registers, prints and reads its configuration") {
  const auto python = PythonWithSdk();
  if (!python) return;
  setenv("PULUMI_PYTHON_CMD", python->c_str(), 1);
  Fixture fixture;
  Spit(fixture.folder / "__main__.py", R"(
import sys
import pulumi
print("hello from", pulumi.get_stack(), sys.argv)
print("and a complaint", file=sys.stderr)
class Thing(pulumi.CustomResource):
    def __init__(self, name, opts=None):
        super().__init__("shop:index:Thing", name, {"colour": pulumi.Config().require("colour")}, opts)
thing = Thing("a")
pulumi.export("id", thing.id)
)");
  auto response = fixture.Run();
  INFO(response.status().message());
  REQUIRE(response.ok());
  for (const auto& line : fixture.service.lines) INFO(line.message);
  CHECK(response->error == "");
  CHECK_FALSE(response->bail);
  CHECK(fixture.Printed(Severity::kInfo, "hello from dev ['.']"));
  CHECK(fixture.Printed(Severity::kInfoErr, "and a complaint"));
  REQUIRE(fixture.monitor.registrations.size() == 2);
  CHECK(fixture.monitor.registrations[0].type == "pulumi:pulumi:Stack");
  CHECK(fixture.monitor.registrations[1].inputs.Find("colour")->as_string() == "red");
  REQUIRE(fixture.monitor.outputs.size() == 1);
  CHECK(fixture.monitor.outputs.begin()->second.Find("id")->as_string() == "id-a");
  CHECK(fixture.monitor.signals == 1);
}

TEST_CASE("a Python program that fails says where, and bails") {
  const auto python = PythonWithSdk();
  if (!python) return;
  setenv("PULUMI_PYTHON_CMD", python->c_str(), 1);
  Fixture fixture;
  Spit(fixture.folder / "__main__.py", "def paint():\n    raise ValueError('no paint')\n\npaint()\n");
  auto response = fixture.Run();
  REQUIRE(response.ok());
  CHECK(response->bail);
  REQUIRE_FALSE(fixture.service.lines.empty());
  const auto& line = fixture.service.lines.back();
  CHECK(line.severity == Severity::kError);
  CHECK(line.message.starts_with("Program failed with an unhandled exception:\nTraceback"));
  CHECK(line.message.find("in paint") != std::string::npos);
  CHECK(line.message.find("runpy") == std::string::npos);
}

TEST_CASE("exit codes, signals and missing programs have different errors") {
  const auto python = PythonWithSdk();
  if (!python) return;
  setenv("PULUMI_PYTHON_CMD", python->c_str(), 1);
  Fixture fixture;
  auto missing = fixture.Run();
  REQUIRE(missing.ok());
  CHECK(missing->bail);
  CHECK(fixture.service.lines.back().message.starts_with("unable to find main python program `__main__.py` in `"));

  Spit(fixture.folder / "__main__.py", "import sys\nsys.exit(3)\n");
  CHECK(fixture.Run()->error == "program exited with non-zero exit code: 3");
  Spit(fixture.folder / "__main__.py", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n");
  CHECK(fixture.Run()->error == "program exited unexpectedly: signal: Killed");
}

TEST_CASE("a Node.js program registers, prints and reads its configuration") {
  const auto modules = testing::Needed("KINGPOST_TEST_NODE_MODULES", "a folder node_modules that has @pulumi/pulumi");
  if (!modules) return;
  Fixture fixture;
  fixture.options.project.runtime = "nodejs";
  TempFolder program(fs::path(*modules).parent_path());
  fixture.options.project.file = program / "Pulumi.yaml";
  Spit(program / "package.json", R"({"name": "shop", "main": "index.js"})");
  Spit(program / "index.js", R"(
const pulumi = require("@pulumi/pulumi");
console.log("hello from", pulumi.getStack());
console.error("and a complaint");
const colour = new pulumi.Config().require("colour");
exports.id = new pulumi.CustomResource("shop:index:Thing", "a", { colour }).id;
// As an SDK does that does not know yet how specs of aliases are written.
const old = new (require("@pulumi/pulumi/proto/resource_pb").RegisterResourceRequest)();
old.setType("shop:index:Thing");
old.setName("of-old");
old.setCustom(true);
exports.old = new Promise((done) => pulumi.runtime.getMonitor().registerResource(old, (_, reply) => done(reply.getId())));
)");
  auto response = fixture.Run();
  REQUIRE(response.ok());
  for (const auto& line : fixture.output) UNSCOPED_INFO(line.second);
  CHECK(response->error == "");
  CHECK(fixture.Printed(Severity::kInfo, "hello from dev"));
  CHECK(fixture.Printed(Severity::kInfoErr, "and a complaint"));
  REQUIRE(fixture.monitor.registrations.size() == 3);
  for (const RegisterResourceRequest& request : fixture.monitor.registrations) {
    if (request.name == "a") CHECK(request.inputs.Find("colour")->as_string() == "red");
    CHECK(request.has_legacy_aliases == (request.name == "of-old"));
  }
  CHECK(fixture.monitor.outputs.begin()->second.Find("id")->as_string() == "id-a");
}

TEST_CASE("cancelling ends a program that hangs") {
  const auto python = PythonWithSdk();
  if (!python) return;
  setenv("PULUMI_PYTHON_CMD", python->c_str(), 1);
  Fixture fixture;
  Spit(fixture.folder / "__main__.py", "import time\nprint('ready', flush=True)\ntime.sleep(600)\n");
  auto run = [](Fixture* fixture) -> Task<Result<RunResponse>> {
    auto starting = StartLanguageHost(fixture->loop, fixture->options);
    auto host = co_await std::move(starting);
    auto cancel = [](Fixture* fixture, LanguageHostPtr host) -> Task<void> {
      while (!fixture->Printed(Severity::kInfo, "ready")) {
        auto pause = Sleep(fixture->loop, std::chrono::milliseconds(5));
        co_await std::move(pause);
      }
      auto cancelling = host->Cancel();
      co_await std::move(cancelling);
    };
    Group cancelling(fixture->loop);
    cancelling.Spawn(cancel(fixture, *host));
    auto running = (*host)->Run(fixture->Request());
    auto response = co_await std::move(running);
    co_await cancelling.Wait();
    co_return response;
  };
  auto response = fixture.loop.RunUntilDone(run(&fixture));
  REQUIRE(response.ok());
  CHECK(response->error != "");
}

TEST_CASE("a program that is cancelled before it starts never starts, under every kind of host") {
  Fixture fixture;
  InlineProgram program;
  GrpcServer server;
  auto address = server.Start({&program});
  REQUIRE(address.ok());
  SECTION("attached") { fixture.options.client_address = *address; }
  SECTION("Python") { Spit(fixture.folder / "__main__.py", "open('started', 'w')"); }
  SECTION("Node.js") { fixture.options.project.runtime = "nodejs"; }
  auto run = [](Fixture* fixture) -> Task<Result<RunResponse>> {
    auto starting = StartLanguageHost(fixture->loop, fixture->options);
    auto host = co_await std::move(starting);
    auto cancelling = (*host)->Cancel();
    co_await std::move(cancelling);
    auto running = (*host)->Run(fixture->Request());
    co_return co_await std::move(running);
  };
  auto response = fixture.loop.RunUntilDone(run(&fixture));
  const bool told = !response.ok() || !response->error.empty();
  CHECK(told);
  CHECK(program.seen.monitor_address().empty());
  CHECK_FALSE(std::filesystem::exists(fixture.folder / "started"));
}

TEST_CASE("an attached program gets the engine's address, and may lack optional methods") {
  Fixture fixture;
  InlineProgram program;
  GrpcServer server;
  auto address = server.Start({&program});
  REQUIRE(address.ok());
  fixture.options.client_address = *address;
  fixture.options.project.runtime_options = nlohmann::json{{"virtualenv", "venv"}};

  auto run = [](Fixture* fixture) -> Task<Result<RunResponse>> {
    auto starting = StartLanguageHost(fixture->loop, fixture->options);
    auto host = co_await std::move(starting);
    auto asking = (*host)->GetRequiredPackages();
    auto packages = co_await std::move(asking);
    if (!packages.ok() || !packages->empty()) co_return Status(Code::kInternal, "packages");
    auto running = (*host)->Run(fixture->Request());
    co_return co_await std::move(running);
  };
  auto response = fixture.loop.RunUntilDone(run(&fixture));
  REQUIRE(response.ok());
  CHECK(response->error == "out of paint");
  REQUIRE(program.seen.args_size() == 1);
  CHECK(program.seen.args(0) == *fixture.engine_server.OpenPort());
  CHECK(program.seen.monitor_address() == *fixture.monitor_server.OpenPort());
  CHECK(program.seen.config().at("shop:colour") == "red");
  CHECK(program.seen.info().entry_point() == ".");
  CHECK(program.seen.info().options().fields().at("virtualenv").string_value() == "venv");
}

TEST_CASE("packages of a workspace that are links to each other are looked at once each") {
  TempFolder folder;
  constexpr int kPackages = 12;  // along all paths of eight links they are found 12^8 times
  const auto place = [&](int i) { return "packages/p" + std::to_string(i); };
  for (int i = 0; i < kPackages; ++i) {
    const std::string number = std::to_string(i);
    Spit(folder / (place(i) + "/package.json"),
         R"({"name": "p)" + number + R"(", "version": "1.0.)" + number + R"(", "pulumi": {"resource": true}})");
    std::filesystem::create_directories(folder / (place(i) + "/node_modules"));
    for (int k = 0; k < kPackages; ++k) {
      std::filesystem::create_symlink(folder / place(k), folder / (place(i) + "/node_modules/p" + std::to_string(k)));
    }
  }
  auto found = ScanNodePackages(folder / place(0));
  REQUIRE(found.ok());
  CHECK(found->size() == kPackages);
}

TEST_CASE("installed packages are found without starting an interpreter") {
  TempFolder folder;
  Spit(folder / "venv/pyvenv.cfg", "");
  Spit(folder / "venv/bin/python", "");
  fs::permissions(folder / "venv/bin/python", fs::perms::owner_all);
  const std::string site = "venv/lib/python3.11/site-packages/";
  Spit(folder / (site + "pulumi_paint/pulumi-plugin.json"), R"({"resource": true, "server": "https://paint"})");
  Spit(folder / (site + "pulumi_paint-1.2.3.dist-info/METADATA"), "");
  Spit(folder / (site + "pulumi_brush/pulumi-plugin.json"),
       R"({"resource": true, "name": "base", "version": "v2.0.0",
                   "parameterization": {"name": "brush", "version": "0.1.0", "value": "aGk="}})");
  Spit(folder / (site + "other/pulumi-plugin.json"), R"({"resource": false, "name": "other"})");
  auto python = ScanPythonPackages({{"virtualenv", "venv"}}, folder.path());
  INFO(python.status().message());
  REQUIRE(python.ok());
  REQUIRE(python->size() == 2);
  CHECK((*python)[0].name == "base");
  CHECK((*python)[0].version == "2.0.0");
  CHECK((*python)[0].parameterization->value == "hi");
  CHECK((*python)[1].name == "paint");
  CHECK((*python)[1].version == "1.2.3");
  CHECK((*python)[1].download_url == "https://paint");

  Spit(folder / "app/node_modules/@pulumi/paint/package.json",
       R"({"name": "@pulumi/paint", "version": "4.5.6", "pulumi": {"resource": true}})");
  Spit(folder / "node_modules/plain/package.json", R"({"name": "plain", "version": "1.0.0"})");
  auto node = ScanNodePackages(folder / "app");
  REQUIRE(node.ok());
  REQUIRE(node->size() == 1);
  CHECK((*node)[0].name == "paint");
  CHECK((*node)[0].version == "4.5.6");
}

TEST_CASE("the runtime `client` attaches to the address of its options") {
  Fixture fixture;
  InlineProgram program;
  GrpcServer server;
  auto address = server.Start({&program});
  REQUIRE(address.ok());
  fixture.options.project.runtime = "client";
  CHECK(fixture.Run().status().message().find("missing address of language runtime service") != std::string::npos);
  fixture.options.project.runtime_options = nlohmann::json{{"address", 1}};
  CHECK(fixture.Run().status().message().find("missing address of language runtime service") != std::string::npos);
  fixture.options.project.runtime_options = nlohmann::json{{"address", *address}};
  const auto response = fixture.Run();
  REQUIRE(response.ok());
  CHECK(response->error == "out of paint");
}

TEST_CASE("a runtime without a host names the missing plugin") {
  Fixture fixture;
  fixture.options.project.runtime = "";
  CHECK(fixture.Run().status().message().find("names no runtime") != std::string::npos);
  fixture.options.project.runtime = "cobol";
  CHECK(fixture.Run().status().message().find("cobol") != std::string::npos);
}

}  // namespace kingpost::language_host_test
