// SPDX-License-Identifier: Apache-2.0
// A monitor that keeps its requests and gives the answers that the test chose. Header only.
#pragma once

#include <string>
#include <vector>

#include "base/loop.h"
#include "kingpost/monitor.h"

namespace kingpost::testing {

class FakeMonitor : public Monitor {
 public:
  explicit FakeMonitor(Loop& loop) : release(loop), loop_(loop) {}

  DeploymentInfo info;
  std::vector<RegisterResourceRequest> registrations;
  std::vector<ExistsResourceRequest> questions;
  std::vector<ResourceInvokeRequest> invokes;
  std::vector<std::string> outputs_of;
  std::map<std::string, PropertyMap> outputs;
  RegisterResourceResponse* next_response = nullptr;  // null: the inputs come back as outputs
  ReadResourceResponse read_response;                 // apart from its URN and its outputs
  bool hold = false;                                  // registrations wait for `release`
  Event release;
  int signals = 0;

  DeploymentInfo GetDeploymentInfo() override { return info; }
  bool SupportsFeature(const std::string& id) override { return id == "secrets"; }

  Task<Result<RegisterResourceResponse>> RegisterResource(RegisterResourceRequest request) override {
    registrations.push_back(request);
    if (hold) co_await release;
    if (next_response) co_return *next_response;
    RegisterResourceResponse response;
    response.urn = Urn::Make("dev", "shop", "", request.type, request.name);
    response.id = request.custom ? "id-" + request.name : "";
    response.outputs = FlattenOutputs(request.inputs);
    co_return response;
  }
  Task<Status> RegisterResourceOutputs(std::string urn, PropertyMap map) override {
    outputs_of.push_back(urn);
    outputs[urn] = std::move(map);
    co_return Status::Ok();
  }
  Task<Result<ReadResourceResponse>> ReadResource(ReadResourceRequest request) override {
    ReadResourceResponse response = read_response;
    response.urn = Urn::Make("dev", "shop", "", request.type, request.name);
    response.outputs = request.properties;
    co_return response;
  }
  Task<Result<ExistsResourceResponse>> ExistsResource(ExistsResourceRequest request) override {
    questions.push_back(request);
    ExistsResourceResponse response;
    response.exists = request.id == "here";
    response.unknown = request.id == kUnknownString;
    co_return response;
  }
  Task<Result<ResourceInvokeResponse>> Invoke(ResourceInvokeRequest request) override {
    invokes.push_back(request);
    ResourceInvokeResponse response;
    response.result = request.args;
    co_return response;
  }
  Task<Result<CallResponse>> Call(ResourceCallRequest request) override {
    co_return Status(Code::kNotFound, "no method " + request.token);
  }
  Task<Status> RegisterStackTransform(Callback) override { co_return Status::Ok(); }
  Task<Status> RegisterStackInvokeTransform(Callback) override { co_return Status::Ok(); }
  Task<Status> RegisterResourceHook(std::string, Callback, bool, bool) override { co_return Status::Ok(); }
  Task<Status> RegisterErrorHook(std::string, Callback) override { co_return Status::Ok(); }
  Task<Result<std::string>> RegisterPackage(RegisterPackageRequest request) override { co_return request.name; }
  Task<Status> SignalAndWaitForShutdown() override {
    ++signals;
    co_return Status::Ok();
  }

 private:
  Loop& loop_;
};

class FakeEngineService : public EngineService {
 public:
  struct Line {
    Severity severity;
    std::string message, urn;
  };
  std::vector<Line> lines;
  std::string root;
  std::vector<ViewStep> view_steps;

  void Log(Severity severity, std::string message, std::string urn, int, bool) override {
    lines.push_back({severity, std::move(message), std::move(urn)});
  }
  std::string root_resource() override { return root; }
  void set_root_resource(std::string urn) override { root = std::move(urn); }
  void StartDebugging(std::map<std::string, std::string>, std::string) override {}
  Status RequireVersion(const std::string& range) override {
    return range == "<1.0.0" ? Status(Code::kUnknown, "too new") : Status::Ok();
  }
  Status PublishViewSteps(const std::string& token, const std::vector<ViewStep>& steps) override {
    if (token != "t1") return Status(Code::kNotFound, "token " + token + " not found");
    view_steps = steps;
    return Status::Ok();
  }
};

}  // namespace kingpost::testing
