// SPDX-License-Identifier: Apache-2.0
// The fake program: statements, one after another, each waiting for its answer as an SDK's await would.
#include "scenarios/requests.h"
#include "scenarios/world.h"

namespace kingpost::scenarios {

namespace {

// Compares an answer with the one that the scenario expects. The program ends with the returned error.
Status Judge(const std::string& what, const Json& statement, const Status& answer) {
  const std::string wanted = statement.value("fails", "");
  if (wanted.empty()) return answer;
  if (answer.ok()) return Status(Code::kInternal, "MISMATCH: " + what + " was to fail with: " + wanted);
  if (answer.message().find(wanted) != std::string::npos) return {};
  return Status(Code::kInternal, "MISMATCH: " + what + " failed with: " + answer.message() + ", wanted: " + wanted);
}

Status Expect(const std::string& what, const Json& statement, const Json& answer) {
  for (const auto& [key, wanted] : Mapping(statement, "expect").items()) {
    const Json got = answer.value(key, Json());
    if (got != wanted) {
      return Status(Code::kInternal,
                    "MISMATCH: " + what + ": " + key + " is " + got.dump() + ", wanted: " + wanted.dump());
    }
  }
  return {};
}

// As the wire has them, where to wait for something is to fail.
const char* Word(RegisterOutcome outcome) {
  static const char* const kWords[] = {"success", "fail", "fail", "skip"};
  return kWords[static_cast<int>(outcome)];
}

Json ToJson(const Names& names, const ReadResourceResponse& response) {
  return {{"urn", response.urn.str()},
          {"id", response.id},
          {"outputs", names.ToJson(response.outputs)},
          {"result", Word(response.outcome)},
          {"unknown", response.unknown}};
}

Json ToJson(const Names& names, const RegisterResourceResponse& response) {
  Json json = {{"urn", response.urn.str()},
               {"id", response.id},
               {"outputs", names.ToJson(response.outputs)},
               {"stable", response.stable},
               {"stables", response.stables},
               {"result", Word(response.outcome)},
               {"unknown", response.unknown},
               {"dependencies", Json::object()}};
  for (const auto& [key, urns] : response.property_dependencies) {
    for (const Urn& urn : urns) json["dependencies"][key].push_back(names.Label(urn));
  }
  return json;
}

Json ToJson(const std::vector<CheckFailure>& failures) {
  Json json = Json::object();
  for (const CheckFailure& failure : failures) json[failure.property] = failure.reason;
  return json;
}

Task<Status> Register(World& world, Json statement, std::string parent) {
  const std::string label = LabelOf(statement);
  Result<RegisterResourceRequest> request = ToRegistration(world.names, statement, parent);
  if (!request.ok()) co_return request.status();
  const bool custom = request->custom;
  const Urn urn = Urn::Make(kStack, kProject, request->parent.empty() ? "" : Urn(request->parent).qualified_type(),
                            request->type, request->name);
  Handle handle{urn, "", {}, false, custom};
  world.names.Learn(label, handle);
  auto call = world.monitor->RegisterResource(std::move(*request));
  const Result<RegisterResourceResponse> response = co_await std::move(call);
  if (response.ok()) {
    handle = {response->urn, response->id, response->outputs, response->unknown, custom};
    // A resource that failed or was left out tells nothing.
    if (response->outcome != RegisterOutcome::kSuccess) handle.unknown = true;
    if (custom && !handle.unknown) world.acknowledged[response->urn.str()] = response->id;
    world.names.Learn(label, handle);
  }
  const Status judged = Judge(label, statement, response.status());
  if (!judged.ok() || !response.ok()) co_return judged;
  co_return Expect(label, statement, ToJson(world.names, *response));
}

Task<Status> RegisterOutputs(World& world, Json statement) {
  const std::string label = statement["outputs"];
  PropertyMap outputs = world.names.ToProperties(statement.value("values", Json::object()));
  auto call = world.monitor->RegisterResourceOutputs(world.names.UrnOf(label), std::move(outputs));
  const Status answer = co_await std::move(call);
  co_return Judge("the outputs of " + label, statement, answer);
}

Task<Status> Read(World& world, Json statement, std::string parent) {
  const std::string label = LabelOf(statement);
  Result<ReadResourceRequest> request = ToRead(world.names, statement, parent);
  if (!request.ok()) co_return request.status();
  Handle handle;
  auto call = world.monitor->ReadResource(std::move(*request));
  const Result<ReadResourceResponse> response = co_await std::move(call);
  const Status judged = Judge(label, statement, response.status());
  if (!judged.ok() || !response.ok()) co_return judged;
  handle.urn = response->urn;
  handle.id = response->id;
  handle.outputs = response->outputs;
  handle.unknown = response->unknown || response->outcome != RegisterOutcome::kSuccess;
  world.names.Learn(label, handle);
  co_return Expect(label, statement, ToJson(world.names, *response));
}

Task<Status> Exists(World& world, Json statement) {
  Result<ExistsResourceRequest> request = ToExists(world.names, statement);
  if (!request.ok()) co_return request.status();
  const std::string what = request->type + " " + request->id;
  auto call = world.monitor->ExistsResource(std::move(*request));
  const Result<ExistsResourceResponse> response = co_await std::move(call);
  const Status judged = Judge(what, statement, response.status());
  if (!judged.ok() || !response.ok()) co_return judged;
  co_return Expect(what, statement, {{"exists", response->exists}, {"unknown", response->unknown}});
}

Task<Status> Invoke(World& world, Json statement) {
  const std::string token = statement["invoke"];
  Result<ResourceInvokeRequest> request = ToInvoke(world.names, statement);
  if (!request.ok()) co_return request.status();
  auto call = world.monitor->Invoke(std::move(*request));
  const Result<ResourceInvokeResponse> response = co_await std::move(call);
  const Status judged = Judge(token, statement, response.status());
  if (!judged.ok() || !response.ok()) co_return judged;
  const Json answer = {{"result", world.names.ToJson(response->result)},
                       {"failures", ToJson(response->failures)},
                       {"unknown", response->unknown}};
  co_return Expect(token, statement, answer);
}

Task<Status> Call(World& world, Json statement) {
  const std::string token = statement["call"];
  Result<ResourceCallRequest> request = ToCall(world.names, statement);
  if (!request.ok()) co_return request.status();
  auto call = world.monitor->Call(std::move(*request));
  const Result<CallResponse> response = co_await std::move(call);
  const Status judged = Judge(token, statement, response.status());
  if (!judged.ok() || !response.ok()) co_return judged;
  Json answer = {{"result", world.names.ToJson(response->result)},
                 {"failures", ToJson(response->failures)},
                 {"dependencies", Json::object()}};
  for (const auto& [key, urns] : response->result_dependencies) {
    for (const Urn& urn : urns) answer["dependencies"][key].push_back(world.names.Label(urn));
  }
  co_return Expect(token, statement, answer);
}

Task<Status> RegisterPackage(World& world, Json statement) {
  const std::string label = statement["package"];
  Result<RegisterPackageRequest> request = ToPackage(statement);
  if (!request.ok()) co_return request.status();
  auto call = world.monitor->RegisterPackage(std::move(*request));
  const Result<std::string> reference = co_await std::move(call);
  const Status judged = Judge("package " + label, statement, reference.status());
  if (!judged.ok() || !reference.ok()) co_return judged;
  world.names.LearnPackage(label, *reference);
  const std::string same = statement.value("same", "");
  if (!same.empty() && world.names.PackageOf(same) != *reference) {
    co_return Status(Code::kInternal, "MISMATCH: packages " + label + " and " + same + " differ");
  }
  co_return Status();
}

Task<Status> RegisterHook(World& world, Json statement) {
  const std::string name = statement["hook"];
  const Callback callback{"program", statement.dump(), true};
  auto call = world.monitor->RegisterResourceHook(name, callback, statement.value("onDryRun", false),
                                                  statement.value("ignoreErrors", false));
  const Status answer = co_await std::move(call);
  co_return Judge("hook " + name, statement, answer);
}

Task<Status> RegisterErrorHook(World& world, Json statement) {
  const std::string name = statement["errorHook"];
  const Callback callback{"program", statement.dump(), true};
  auto call = world.monitor->RegisterErrorHook(name, callback);
  const Status answer = co_await std::move(call);
  co_return Judge("error hook " + name, statement, answer);
}

Task<Status> RegisterTransform(World& world, Json statement) {
  const bool invokes = KindOf(statement) == "invokeTransform";
  const std::string name = statement[KindOf(statement)];
  const Callback callback{"program", name, true};
  auto call =
      invokes ? world.monitor->RegisterStackInvokeTransform(callback) : world.monitor->RegisterStackTransform(callback);
  const Status answer = co_await std::move(call);
  co_return Judge("transform " + name, statement, answer);
}

Status TellInfo(World& world, const Json& statement) {
  const DeploymentInfo info = world.monitor->GetDeploymentInfo();
  return Expect("the deployment's info", statement,
                {{"project", info.project},
                 {"stack", info.stack},
                 {"organization", info.organization},
                 {"config", info.config},
                 {"secretKeys", info.config_secret_keys},
                 {"dryRun", info.dry_run},
                 {"parallel", info.parallel},
                 {"features", info.features}});
}

Status Log(World& world, const Json& statement) {
  static const std::map<std::string, Severity> kSeverities = {{"debug", Severity::kDebug},
                                                              {"info", Severity::kInfo},
                                                              {"warning", Severity::kWarning},
                                                              {"error", Severity::kError}};
  const std::string urn = world.names.UrnOf(statement.value("on", ""));
  world.service->Log(kSeverities.at(statement.value("severity", "info")), statement["log"], urn, 0, false);
  return {};
}

Task<void> Keep(Task<Status> task, Status* first) {
  const Status status = co_await std::move(task);
  if (first->ok()) *first = status;
}

Task<Status> Together(World& world, Json statements, std::string parent) {
  Group group(world.loop());
  Status first;
  for (const Json& statement : statements) {
    group.Spawn(Keep(RunStatements(world, Json::array({statement}), parent), &first));
  }
  co_await group.Wait();
  co_return first;
}

Task<Status> Run(World& world, Json statement, std::string parent) {
  const std::string kind = KindOf(statement);
  if (kind == "outputs") return RegisterOutputs(world, std::move(statement));
  if (kind == "read") return Read(world, std::move(statement), std::move(parent));
  if (kind == "exists") return Exists(world, std::move(statement));
  if (kind == "invoke") return Invoke(world, std::move(statement));
  if (kind == "call") return Call(world, std::move(statement));
  if (kind == "package") return RegisterPackage(world, std::move(statement));
  if (kind == "hook") return RegisterHook(world, std::move(statement));
  if (kind == "errorHook") return RegisterErrorHook(world, std::move(statement));
  if (kind == "stackTransform" || kind == "invokeTransform") return RegisterTransform(world, std::move(statement));
  if (kind == "together") return Together(world, statement["together"], std::move(parent));
  return Register(world, std::move(statement), std::move(parent));
}

// The statements that answer at once; nullopt for the others.
std::optional<Status> RunAtOnce(World& world, const Json& statement) {
  const std::string kind = KindOf(statement);
  if (kind == "info") return TellInfo(world, statement);
  if (kind == "log") return Log(world, statement);
  if (kind == "error") {
    // A host reports so that the program has already printed its error.
    if (statement.value("bail", false)) return Status::Bail();
    return Status(Code::kUnknown, statement["error"]);
  }
  if (kind == "supports") {
    const std::string id = statement["supports"];
    const bool answer = world.monitor->SupportsFeature(id);
    if (answer == statement.value("expect", true)) return Status();
    return Status(Code::kInternal, "MISMATCH: support of " + id + " is " + (answer ? "true" : "false"));
  }
  return std::nullopt;
}

Task<Status> Signal(World& world, Json statement) {
  auto call = world.monitor->SignalAndWaitForShutdown();
  const Status answer = co_await std::move(call);
  co_return Judge("signal", statement, answer);
}

}  // namespace

Task<Status> RunStatements(World& world, Json statements, std::string parent) {
  for (size_t i = 0; i < statements.size(); ++i) {
    Json statement = statements[i];
    if (!world.monitor) co_return Status(Code::kUnavailable, "the engine is gone");
    if (const std::optional<Status> done = RunAtOnce(world, statement)) {
      if (!done->ok()) co_return *done;
      continue;
    }
    Task<Status> running =
        KindOf(statement) == "signal" ? Signal(world, statement) : Run(world, std::move(statement), parent);
    const Status status = co_await std::move(running);
    if (!status.ok()) co_return status;
  }
  co_return Status();
}

}  // namespace kingpost::scenarios
