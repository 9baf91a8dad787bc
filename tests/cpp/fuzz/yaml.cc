// SPDX-License-Identifier: Apache-2.0
// Fuzzes programs in YAML: reads them, checks them against a schema, and runs them on a monitor that answers with each
// request's own inputs. In a preview, computed values are unknown.
#include "fuzz/fuzz.h"
#include "languages/yaml/program_run.h"
#include "languages/yaml/yaml_stage.h"
#include "wire/fake_monitor.h"

using namespace kingpost;

namespace {

LanguageServices ServicesOf(Loop& loop, testing::FakeMonitor& monitor) {
  LanguageServices services;
  services.loop = &loop;
  services.monitor = [&monitor] { return &monitor; };
  services.program_folder = services.root_folder = "/nowhere";
  services.load_schema = [](ProviderSpec spec, std::optional<Parameterization>) -> Task<Result<std::string>> {
    if (spec.name == "gadgets") co_return std::string(yaml_stage::kGadgets);
    co_return Status(Code::kNotFound, "no such plugin");
  };
  services.log = [](Severity, std::string) {};
  services.require_version = [](const std::string&) { return Status(); };
  services.set_root_resource = [](const std::string&) {};
  return services;
}

void Run(std::string_view text, bool preview) {
  auto loaded = std::make_shared<yaml::LoadedProgram>();
  loaded->program = yaml::ParseProgram({"Pulumi.yaml", std::string(text)}, &loaded->diagnostics);
  loaded->path = "/nowhere/Pulumi.yaml";
  Loop loop;
  testing::FakeMonitor monitor(loop);
  monitor.info.project = "shop";
  monitor.info.stack = "dev";
  monitor.info.dry_run = preview;
  monitor.info.config = {{"shop:size", "3"}, {"shop:names", "[\"a\", {}]"}, {"shop:key", "hush"}};
  monitor.info.config_secret_keys = {"shop:key"};
  (void)loop.RunUntilDone(yaml::RunProgram(ServicesOf(loop, monitor), loaded, monitor.info));
}

}  // namespace

void Try(std::string_view input) {
  Run(input, false);
  Run(input, true);
}
