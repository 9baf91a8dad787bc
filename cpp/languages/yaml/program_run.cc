// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/program_run.h"

#include "languages/yaml/body_run.h"

namespace kingpost::yaml {

namespace {

RunResponse Told() {
  RunResponse response;
  response.bail = true;
  return response;
}

// The sections that a program may not have, because only plugins do.
void RefusePluginParts(const ProgramDecl& program, Diagnostics* diagnostics) {
  if (!program.components.empty()) {
    diagnostics->Error(program.components[0].at, "components are only supported in plugins, not in programs",
                       "Move them into a folder of their own with a PulumiPlugin.yaml, and name that folder under "
                       "`plugins: {providers: [...]}` in the project's file.");
  }
  if (program.package_namespace) {
    diagnostics->Error(program.package_namespace->at, "namespace is only supported in component plugins");
  }
}

Task<Result<Urn>> RegisterStack(LanguageServices services, DeploymentInfo info) {
  Monitor* monitor = services.monitor();
  if (!monitor) co_return Status(Code::kUnavailable, "the run was stopped");
  RegisterResourceRequest request;
  request.type = std::string(kRootStackType);
  request.name = info.project + "-" + info.stack;
  auto registering = monitor->RegisterResource(std::move(request));
  auto answer = co_await std::move(registering);
  if (!answer.ok()) co_return answer.status();
  services.set_root_resource(answer->urn.str());
  co_return answer->urn;
}

}  // namespace

Task<RunResponse> RunProgram(LanguageServices services, std::shared_ptr<const LoadedProgram> loaded,
                             DeploymentInfo info) {
  const ProgramDecl& program = loaded->program;
  Diagnostics diagnostics = loaded->diagnostics;
  RefusePluginParts(program, &diagnostics);
  if (!Tell(services, diagnostics, program.source)) co_return Told();
  auto stack = co_await RegisterStack(services, info);
  if (!stack.ok()) co_return Told();  // the engine has said why
  auto book = std::make_shared<PackageIndex>(services, loaded->decls);
  BodyRunParts parts{services, loaded->path, program.source, program.body, book, info, *stack, "", std::nullopt};
  BodyRun run(std::move(parts));
  const bool sound = co_await run.Check();
  if (!sound) co_return Told();
  const Status registered = co_await book->Register();
  if (registered.code() == Code::kUnavailable) co_return Told();
  if (!registered.ok()) {
    RunResponse failed;
    failed.error = registered.message();
    co_return failed;
  }
  const bool well = co_await run.Run();
  Monitor* monitor = services.monitor();
  if (!well || !monitor) co_return Told();
  if (!run.registration_error().empty()) {
    RunResponse failed;
    failed.error = "waiting for RPCs: " + run.registration_error();
    co_return failed;
  }
  const Status done = co_await monitor->RegisterResourceOutputs(stack->str(), FlattenOutputs(run.outputs()));
  co_return done.ok() ? RunResponse() : Told();
}

}  // namespace kingpost::yaml
