// SPDX-License-Identifier: Apache-2.0
// A deployment: one operation on one stack, from its first event to its summary. Owns every part of the engine and
// the order in which they work. Engine thread.
//
//   policies -> refresh -> program -> deletes -> stack outputs -> stack policies -> summary
#pragma once

#include <memory>
#include <optional>

#include "engine/monitor_service.h"
#include "engine/preflight.h"
#include "engine/program.h"
#include "engine/refresh_phase.h"
#include "engine/side_sources.h"

namespace kingpost::engine {

class Deployment : public EngineService {
 public:
  Deployment(Loop& loop, Operation operation);
  ~Deployment() override;

  Task<OperationResult> Run();

  // EngineService
  void Log(Severity severity, std::string message, std::string urn, int stream_id, bool ephemeral) override;
  std::string root_resource() override;
  void set_root_resource(std::string urn) override;
  void StartDebugging(std::map<std::string, std::string> config, std::string message) override;
  Status RequireVersion(const std::string& range) override;
  Status PublishViewSteps(const std::string& token, const std::vector<ViewStep>& steps) override;
  void Progress(const ProgressEvent& event) override;

 private:
  Status ReadOptions();  // those that can be unreadable
  Task<Status> Prepare();
  Task<Status> Execute();
  Task<Status> BringBaseUpToDate();
  Task<Status> RefreshFirst(bool* finished);
  Task<Status> RunSource();
  Task<Status> SettleUnregistered();
  std::string RunKind() const;
  Task<Status> Finish(Status status);
  Status CheckPlanLeftovers();
  void EmitPrelude();
  void EmitSummary(const Status& status, double duration_s);
  RunParts parts() { return {loop_, operation_, run_, report_, recording_, *providers_, hooks_, views_}; }
  OperationResult MakeResult(Status status) const;
  bool cancelled() const { return operation_.cancellation && operation_.cancellation->cancelled(); }
  void OnCancellation();
  Task<void> CloseHost();

  Loop& loop_;
  Operation operation_;
  const OperationOptions& options_;
  engine::Run run_;
  Reporter report_;
  const Preflight preflight_;
  Recording recording_;
  Hooks hooks_;
  Views views_;
  Policies policies_;
  SideSources beside_;
  std::unique_ptr<providers::ProviderRegistry> providers_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<ResourceRequests> requests_;
  std::unique_ptr<DefaultProviders> defaults_;
  std::unique_ptr<MonitorService> monitor_;
  Program program_;
  std::optional<update_plan::UpdatePlan> constraint_;
  std::optional<update_plan::PlanBuilder> plan_builder_;
  std::optional<decisions::Autonamer> autonamer_;

  Event source_done_;  // no more registrations come, or the run has been stopped
  std::string root_resource_;
  bool host_closing_ = false;
  bool delete_refused_ = false;  // reported, and summed up when the run ends
  Event host_closed_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // false once Run has ended
};

}  // namespace kingpost::engine
