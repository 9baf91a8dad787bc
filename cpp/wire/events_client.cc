// SPDX-License-Identifier: Apache-2.0
#include "wire/wire.h"

#include "wire/events_client.h"

#include <google/protobuf/empty.pb.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <chrono>

#include "pulumi/events.grpc.pb.h"
#include "wire/channel.h"

namespace kingpost {

namespace {

constexpr std::chrono::seconds kShutdown{5};

}  // namespace

struct EventsClient::Call {
  std::shared_ptr<grpc::Channel> channel;
  grpc::ClientContext context;
};

Result<std::unique_ptr<EventsClient>> EventsClient::Open(const std::string& url) {
  constexpr std::string_view kScheme = "tcp://";
  const std::string target = url.starts_with(kScheme) ? url.substr(kScheme.size()) : url;
  const size_t colon = target.rfind(':');
  if (colon == 0 || colon == std::string::npos || colon + 1 == target.size()) {
    return Status(Code::kInvalidArgument, "event log " + url + ": expected tcp://HOST:PORT");
  }
  auto call = std::make_unique<Call>();
  call->channel = OpenChannel(target);
  return std::unique_ptr<EventsClient>(new EventsClient(std::move(call)));
}

EventsClient::EventsClient(std::unique_ptr<Call> call) : call_(std::move(call)), thread_([this] { Work(); }) {}

EventsClient::~EventsClient() { Close(); }

void EventsClient::Send(std::string json_line) {
  {
    std::lock_guard lock(mutex_);
    if (failed_ || closing_) return;
    queued_bytes_ += json_line.size();
    if (queued_bytes_ > kQueuedBytesMax) {
      failed_ = true;
      queue_.clear();
      call_->context.TryCancel();
    } else {
      queue_.push_back(std::move(json_line));
    }
  }
  changed_.notify_all();
}

bool EventsClient::failed() {
  std::lock_guard lock(mutex_);
  return failed_;
}

void EventsClient::Close() {
  {
    std::unique_lock lock(mutex_);
    closing_ = true;
    changed_.notify_all();
    if (!changed_.wait_for(lock, kShutdown, [this] { return done_; })) call_->context.TryCancel();
  }
  if (thread_.joinable()) thread_.join();
}

bool EventsClient::Next(std::string* line) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !queue_.empty() || closing_ || failed_; });
  if (queue_.empty() || failed_) return false;
  *line = std::move(queue_.front());
  queue_.pop_front();
  queued_bytes_ -= line->size();
  return true;
}

void EventsClient::Work() {
  auto stub = pulumirpc::Events::NewStub(call_->channel);
  google::protobuf::Empty answer;
  auto stream = stub->StreamEvents(&call_->context, &answer);
  std::string line;
  bool alive = true;
  while (alive && Next(&line)) {
    pulumirpc::EventRequest event;
    event.set_event(std::move(line));
    alive = stream->Write(event);
  }
  stream->WritesDone();
  const bool ok = stream->Finish().ok();
  std::lock_guard lock(mutex_);
  failed_ |= !ok;
  queue_.clear();
  done_ = true;
  changed_.notify_all();
}

}  // namespace kingpost
