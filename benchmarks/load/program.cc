// SPDX-License-Identifier: Apache-2.0
// See program.h. The thread of Run does all; gRPC's threads only hand it the answers.
#include "load/program.h"

#include <grpcpp/create_channel.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <unordered_set>

#include "load/inputs.h"
#include "pulumi/resource.grpc.pb.h"

namespace kingpost::bench {
namespace {

using google::protobuf::Struct;
using pulumirpc::RegisterResourceRequest;
using pulumirpc::RegisterResourceResponse;

struct Call {
  int node = -1;  // -1: the stack
  grpc::ClientContext context;
  RegisterResourceRequest request;
  RegisterResourceResponse response;
  grpc::Status status;
};
using CallPtr = std::shared_ptr<Call>;

class Registering {
 public:
  Registering(const ProgramOptions& options, const pulumirpc::RunRequest& run)
      : options_(options), run_(run), made_(options.graph.size()) {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);
    stub_ = pulumirpc::ResourceMonitor::NewStub(
        grpc::CreateCustomChannel(run.monitor_address(), grpc::InsecureChannelCredentials(), arguments));
  }

  grpc::Status Run() {
    RegisterStack();
    grpc::Status status = TakeAnswer();
    if (!status.ok()) return status;
    Unblock();
    for (size_t done = 0; done < options_.graph.size(); ++done) {
      while (static_cast<int>(open_.size()) < options_.in_flight_max && !ready_.empty()) RegisterNext();
      status = TakeAnswer();
      if (!status.ok()) return status;
    }
    return RegisterOutputs();
  }

  // Calls without a waiter still hold on to this object.
  ~Registering() {
    for (Call* call : open_) call->context.TryCancel();
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return answers_.size() == open_.size(); });
  }

 private:
  struct Made {
    std::string urn;
    google::protobuf::Value stamp;
    size_t needs_left = 0;
    std::vector<int> needed_by;
  };

  void RegisterStack() {
    auto call = std::make_shared<Call>();
    call->request.set_type("pulumi:pulumi:Stack");
    call->request.set_name(run_.project() + "-" + run_.stack());
    Send(std::move(call));
  }

  // After the stack is there: what needs nothing can go, the rest waits for what it needs.
  void Unblock() {
    for (size_t i = 0; i < options_.graph.size(); ++i) {
      const Node& node = options_.graph[i];
      for (const int need : node.needs) made_[need].needed_by.push_back(static_cast<int>(i));
      if (node.parent >= 0) made_[node.parent].needed_by.push_back(static_cast<int>(i));
      made_[i].needs_left = node.needs.size() + (node.parent >= 0 ? 1 : 0);
      if (made_[i].needs_left == 0) ready_.push_back(static_cast<int>(i));
    }
  }

  void RegisterNext() {
    const int index = ready_.front();
    ready_.pop_front();
    const Node& node = options_.graph[index];
    auto call = std::make_shared<Call>();
    call->node = index;
    RegisterResourceRequest& request = call->request;
    request.set_type(node.component ? "load:index:Group" : "load:index:Thing");
    request.set_name(node.name);
    request.set_parent(node.parent >= 0 ? made_[node.parent].urn : stack_urn_);
    if (!node.component) Describe(node, &request);
    Send(std::move(call));
  }

  void Describe(const Node& node, RegisterResourceRequest* request) const {
    request->set_custom(true);
    const bool secret = options_.secret_every > 0 && node.number % options_.secret_every == 0;
    Struct inputs = MakeInputs(node.number, node.number < options_.changed ? 1 : 0, secret);
    for (const int need : node.needs) {
      *(*inputs.mutable_fields())["upstream"].mutable_list_value()->add_values() = made_[need].stamp;
      request->add_dependencies(made_[need].urn);
      (*request->mutable_propertydependencies())["upstream"].add_urns(made_[need].urn);
    }
    request->set_object(BytesOf(inputs));
  }

  void Send(CallPtr call) {
    call->request.set_acceptsecrets(true);
    call->request.set_acceptresources(true);
    call->request.set_supportspartialvalues(true);
    call->request.set_supportsresultreporting(true);
    auto* const raw = call.get();
    open_.insert(raw);
    stub_->async()->RegisterResource(&raw->context, &raw->request, &raw->response,
                                     [this, call = std::move(call)](const grpc::Status& status) {
                                       call->status = status;
                                       const std::lock_guard lock(mutex_);
                                       answers_.push_back(call);
                                       arrived_.notify_one();
                                     });
  }

  grpc::Status TakeAnswer() {
    CallPtr call;
    {
      std::unique_lock lock(mutex_);
      arrived_.wait(lock, [this] { return !answers_.empty(); });
      call = std::move(answers_.front());
      answers_.pop_front();
    }
    open_.erase(call.get());
    if (!call->status.ok()) return call->status;
    if (call->node < 0) {
      stack_urn_ = call->response.urn();
      return grpc::Status::OK;
    }
    Made& made = made_[call->node];
    made.urn = call->response.urn();
    const Struct outputs = ObjectOf(call->response.object());
    const auto stamp = outputs.fields().find("stamp");
    if (stamp != outputs.fields().end()) made.stamp = stamp->second;
    for (const int next : made.needed_by) {
      if (--made_[next].needs_left == 0) ready_.push_back(next);
    }
    return grpc::Status::OK;
  }

  grpc::Status RegisterOutputs() {
    grpc::ClientContext context;
    pulumirpc::RegisterResourceOutputsRequest request;
    request.set_urn(stack_urn_);
    Struct outputs;
    (*outputs.mutable_fields())["things"].set_number_value(options_.graph.size());
    request.set_outputs(BytesOf(outputs));
    google::protobuf::Empty response;
    return stub_->RegisterResourceOutputs(&context, request, &response);
  }

  const ProgramOptions& options_;
  const pulumirpc::RunRequest& run_;
  std::unique_ptr<pulumirpc::ResourceMonitor::Stub> stub_;
  std::string stack_urn_;
  std::vector<Made> made_;
  std::deque<int> ready_;
  std::unordered_set<Call*> open_;  // begun and not yet taken

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<CallPtr> answers_;
};

}  // namespace

grpc::Status Program::Run(grpc::ServerContext*, const pulumirpc::RunRequest* request,
                          pulumirpc::RunResponse* response) {
  const grpc::Status status = Registering(options_, *request).Run();
  if (!status.ok()) response->set_error(status.error_message());
  return grpc::Status::OK;
}

}  // namespace kingpost::bench
