// SPDX-License-Identifier: Apache-2.0
#include "runtimes/embedded_host.h"

#include <filesystem>

#include "base/command_words.h"
#include "base/json_access.h"
#include "processes/plugin_environment.h"
#include "processes/program_runner.h"
#include "runtimes/runtime.h"

namespace kingpost {

namespace {

class EmbeddedLanguageHost final : public LanguageHost, public std::enable_shared_from_this<EmbeddedLanguageHost> {
 public:
  EmbeddedLanguageHost(Loop& loop, LanguageHostOptions options)
      : loop_(loop),
        options_(std::move(options)),
        pool_(loop, 1),
        runner_(loop, options_.supervisor, options_.project.runtime + " (compiler)"),
        ended_(loop) {}

  // The run reports faults of the program.
  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override {
    auto self = shared_from_this();
    std::vector<RequiredPackage> packages;
    const Result<EmbeddedProgramPtr> loaded = co_await Load(DeploymentInfo());
    if (loaded.ok()) packages = (*loaded)->RequiredPackages();
    co_return packages;
  }

  Task<Result<RunResponse>> Run(RunRequest request) override {
    auto self = shared_from_this();
    if (options_.debug_program) {
      co_return FailedRun("--attach-debugger: there is no debugger for programs in YAML");
    }
    loop_.Spawn(RunInside(self, std::move(request)));
    co_return co_await ended_;
  }

  // Requests that the engine holds back are left to themselves.
  Task<void> Cancel() override {
    auto self = shared_from_this();
    RunResponse stopped;
    stopped.bail = true;
    ended_.Set(stopped);
    co_await runner_.Cancel();
  }

 private:
  static Task<void> RunInside(std::shared_ptr<EmbeddedLanguageHost> self, RunRequest request) {
    const Result<EmbeddedProgramPtr> loaded = co_await self->Load(request.info);
    if (!loaded.ok()) {
      self->ended_.Set(FailedRun(loaded.status().message()));
      co_return;
    }
    auto running = (*loaded)->Run(self->MakeServices(), request.info);
    RunResponse response = co_await std::move(running);
    self->ended_.Set(std::move(response));
  }

  LanguageServices MakeServices() const {
    LanguageServices services;
    services.loop = &loop_;
    services.monitor = options_.in_process.monitor;
    services.program_folder = options_.project.ProgramFolder();
    services.root_folder = options_.project.folder();
    services.load_schema = options_.in_process.load_schema;
    services.log = [log = options_.log](Severity severity, std::string text) { log(severity, std::move(text), 0); };
    services.require_version = [engine = options_.in_process.engine](const std::string& range) {
      return engine()->RequireVersion(range);
    };
    services.set_root_resource = [engine = options_.in_process.engine](std::string urn) {
      engine()->set_root_resource(std::move(urn));
    };
    return services;
  }

  Task<Result<EmbeddedProgramPtr>> Load(DeploymentInfo info) {
    const std::string folder = options_.project.ProgramFolder();
    const auto& given = *options_.project.runtime_options;
    const nlohmann::json* compiler = FieldOf(given, "compiler");
    if (compiler && !compiler->is_string()) {
      co_return Status(Code::kInvalidArgument,
                       options_.project.file + ": the runtime option `compiler` must be a text");
    }
    const auto language = options_.in_process.language;
    if (compiler) {
      Result<std::string> text = co_await Compile(TextIn(*compiler), folder, std::move(info));
      if (!text.ok()) co_return text.status();
      auto load = [language, name = "<stdout from compiler " + TextIn(*compiler) + ">", made = std::move(*text),
                   folder] { return language->LoadText(name, made, folder); };
      co_return co_await pool_.Run(load);
    }
    auto load = [language, folder, file = options_.project.file] { return language->LoadProgram(folder, file); };
    co_return co_await pool_.Run(load);
  }

  // The standard output of the command is the program.
  Task<Result<std::string>> Compile(std::string command, std::string folder, DeploymentInfo info) {
    ProcessSpec spec;
    auto words = SplitCommand(command);
    if (!words.ok()) co_return words.status().Wrap("the runtime option `compiler`");
    spec.argv = std::move(*words);
    auto environment = options_.environment;
    environment["PULUMI_STACK"] = info.stack;
    environment["PULUMI_ORGANIZATION"] = info.organization;
    environment["PULUMI_PROJECT"] = info.project;
    environment["PULUMI_CONFIG"] = nlohmann::json(info.config).dump();
    environment["PULUMI_ROOT_DIRECTORY"] = options_.project.folder();
    spec.environment = PluginEnvironment(ForProgram(std::move(environment)));
    spec.working_directory = folder;
    std::string text, errors;
    auto collect = ProgramRunner::CollectOutput(&text);
    auto running = runner_.RunToEnd(std::move(spec), std::move(collect), &errors);
    const Result<ProcessExit> exit = co_await std::move(running);
    if (!exit.ok()) co_return exit.status().Wrap("error running compiler " + command);
    if (!exit->ok()) {
      co_return Status(Code::kUnknown,
                       "error running compiler " + command + ": " + exit->Describe() + ", stderr follows: " + errors);
    }
    co_return text;
  }

  Loop& loop_;
  const LanguageHostOptions options_;
  WorkerPool pool_;
  ProgramRunner runner_;
  Completion<RunResponse> ended_;
};

}  // namespace

LanguageHostPtr EmbeddedHost(Loop& loop, LanguageHostOptions options) {
  return std::make_shared<EmbeddedLanguageHost>(loop, std::move(options));
}

}  // namespace kingpost
