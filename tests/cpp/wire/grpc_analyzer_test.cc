// SPDX-License-Identifier: Apache-2.0
// A real policy pack, written with PyPI's pulumi-policy. Set KINGPOST_TEST_PYTHON to the python of a virtual
// environment that has `pulumi` and `pulumi-policy`; without it the tests are skipped.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/needs.h"
#include "support/temp_folder.h"
#include "wire/grpc_host.h"

namespace kingpost::grpc_analyzer_test {

namespace fs = std::filesystem;

constexpr char kPack[] = R"(
import pulumi
from pulumi_policy import (EnforcementLevel, PolicyConfigSchema, PolicyPack, ResourceValidationPolicy,
                           StackValidationPolicy)

def size(args, report):
    if args.props.get("size", 0) > args.get_config()["max"]:
        report(f"{args.name} is too big for {pulumi.get_stack()}")

def shrink(args):
    if args.props.get("size", 0) > 100:
        return {**args.props, "size": 1}

def count(args, report):
    if len(args.resources) > 1:
        report("too many")

PolicyPack("probe-pack", policies=[
    ResourceValidationPolicy(name="size", description="sizes", enforcement_level=EnforcementLevel.MANDATORY,
        config_schema=PolicyConfigSchema(properties={"max": {"type": "integer", "default": 5}}),
        validate=size, remediate=shrink),
    StackValidationPolicy(name="count", description="counts", validate=count),
])
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

bool CanRun() {
  return testing::Needed("KINGPOST_TEST_PYTHON", "a Python that has the package pulumi-policy").has_value();
}

class Fixture {
 public:
  Fixture() {
    std::ofstream(folder / "__main__.py") << kPack;
    const fs::path environment = fs::path(std::getenv("KINGPOST_TEST_PYTHON")).parent_path().parent_path();
    std::ofstream(folder / "PulumiPolicy.yaml")
        << "version: 3.2.1\nruntime:\n  name: python\n  options:\n    virtualenv: " << environment.string() << "\n";
    auto created = GrpcHost::Create(loop, {});
    REQUIRE(created.ok());
    host = std::move(*created);
    host->set_engine_service(&service);
  }
  ~Fixture() {
    loop.RunUntilDone(host->Close());
    host.reset();
  }

  Result<AnalyzerPtr> Load(const std::string& config) {
    AnalyzerSpec spec;
    spec.path = folder.string();
    spec.project = "proj";
    spec.stack = "dev";
    if (!config.empty()) {
      spec.config_path = (folder / "config.json").string();
      std::ofstream(spec.config_path) << config;
    }
    return loop.RunUntilDone(host->LoadAnalyzer(spec));
  }

  Loop loop;
  QuietService service;
  const TempFolder temporary;
  const fs::path folder{temporary.path()};
  std::unique_ptr<GrpcHost> host;
};

AnalyzerResource Thing(const std::string& name, double size) {
  AnalyzerResource resource;
  resource.urn = Urn("urn:pulumi:dev::proj::pkg:index:Thing::" + name);
  resource.type = "pkg:index:Thing";
  resource.name = name;
  resource.properties = {{"size", size}, {"password", Value::Secret(Value("hunter2"))}, {"__internal", 1}};
  return resource;
}

TEST_CASE("a policy pack in Python analyzes and remediates resources and analyzes the stack") {
  if (!CanRun()) return;
  Fixture fixture;
  auto loaded = fixture.Load(R"({"size": {"max": 7, "enforcementLevel": "remediate"}})");
  INFO(loaded.status().message());
  REQUIRE(loaded.ok());
  Analyzer& pack = **loaded;
  auto info = fixture.loop.RunUntilDone(pack.GetInfo());
  REQUIRE(info.ok());
  CHECK(info->name == "probe-pack");
  CHECK(info->version == "3.2.1");
  REQUIRE(info->policies.size() == 2);
  CHECK(info->policies[1].level == EnforcementLevel::kRemediate);

  CHECK(fixture.loop.RunUntilDone(pack.Analyze(Thing("fits", 7)))->empty());
  auto diagnostics = fixture.loop.RunUntilDone(pack.Analyze(Thing("big", 8)));
  REQUIRE(diagnostics.ok());
  REQUIRE(diagnostics->size() == 1);
  const PolicyDiagnostic& diagnostic = (*diagnostics)[0];
  CHECK(diagnostic.policy == "size");
  CHECK(diagnostic.pack_version == "3.2.1");
  CHECK(diagnostic.level == EnforcementLevel::kMandatory);  // pulumi-policy lowers it: Analyze cannot remedy
  CHECK(diagnostic.message.find("big is too big for dev") != std::string::npos);

  auto remediations = fixture.loop.RunUntilDone(pack.Remediate(Thing("huge", 101)));
  REQUIRE(remediations.ok());
  REQUIRE(remediations->size() == 1);
  REQUIRE((*remediations)[0].properties);
  CHECK((*remediations)[0].properties->Find("size")->as_number() == 1);
  CHECK((*remediations)[0].properties->Find("password")->is_secret());

  std::vector<AnalyzerResource> stack = {Thing("a", 1), Thing("b", 1)};
  auto whole = fixture.loop.RunUntilDone(pack.AnalyzeStack(stack));
  REQUIRE(whole.ok());
  REQUIRE(whole->size() == 1);
  CHECK((*whole)[0].policy == "count");
}

TEST_CASE("a pack's configuration is checked against its schema before it runs") {
  if (!CanRun()) return;
  Fixture fixture;
  auto loaded = fixture.Load(R"({"size": {"max": "many"}})");
  REQUIRE_FALSE(loaded.ok());
  CHECK(loaded.status().message() ==
        "validating policy config for \"probe-pack\": size: max: Invalid type. Expected: integer, given: string");
}

TEST_CASE("a policy pack that is not there, or does not start, is named") {
  if (!CanRun()) return;
  Fixture fixture;
  AnalyzerSpec spec;
  spec.path = "/no/such/pack";
  CHECK(fixture.loop.RunUntilDone(fixture.host->LoadAnalyzer(spec)).status().message() ==
        "failed to load Pulumi policy project located at \"/no/such/pack\": open /no/such/pack/PulumiPolicy.yaml: no "
        "such file or directory");
  std::ofstream(fixture.folder / "__main__.py") << "raise SystemExit('broken pack')";
  auto broken = fixture.Load("");
  REQUIRE_FALSE(broken.ok());
  CHECK(broken.status().message().find("failed to start") != std::string::npos);
  CHECK(broken.status().message().find("broken pack") != std::string::npos);
}

}  // namespace kingpost::grpc_analyzer_test
