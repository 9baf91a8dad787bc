// SPDX-License-Identifier: Apache-2.0
#include "alone/host.h"

#include <algorithm>

namespace kingpost::bench {
namespace {

constexpr int kAtATime = 1000;

// About 600 bytes.
PropertyMap InputsOf(int number, bool changed) {
  const std::string suffix = std::to_string(number);
  PropertyMap labels;
  for (const char* key : {"cost", "owner", "stage", "team"}) labels.Set(key, Value(std::string(key) + "-" + suffix));
  Array ports;
  for (int i = 0; i < 5; ++i) ports.push_back(Value(PropertyMap{{"open", Value(i == 0)}, {"port", Value(8000 + i)}}));
  return {{"labels", Value(std::move(labels))},
          {"note", Value("thing " + suffix + std::string(240, static_cast<char>('a' + number % 26)))},
          {"ports", Value(std::move(ports))},
          {"revision", Value(changed ? 1 : 0)}};
}

class CountingProvider : public testing::PlainProvider {
 public:
  explicit CountingProvider(std::map<std::string, int>* asked) : asked_(*asked) {}

  Task<Result<DiffResponse>> Diff(DiffRequest request) override {
    DiffResponse response;
    response.changes = DeepEqual(request.old_inputs, request.new_inputs) ? DiffChanges::kNone : DiffChanges::kSome;
    if (response.changes == DiffChanges::kSome) response.changed_keys = {"revision"};
    co_return response;
  }
  Task<Result<CreateResponse>> Create(CreateRequest request) override {
    ++asked_["create"];
    CreateResponse response;
    response.id = request.preview ? std::string() : std::string(request.name);
    response.outputs = request.inputs;
    co_return response;
  }
  Task<Result<ReadResponse>> Read(ReadRequest request) override {
    ++asked_["read"];
    ReadResponse response;
    response.id = request.id;
    response.inputs = request.inputs;
    response.outputs = request.outputs;
    co_return response;
  }
  Task<Result<UpdateResponse>> Update(UpdateRequest request) override {
    ++asked_["update"];
    UpdateResponse response;
    response.outputs = request.new_inputs;
    co_return response;
  }
  Task<Status> Delete(DeleteRequest) override {
    ++asked_["delete"];
    co_return Status();
  }

 private:
  std::map<std::string, int>& asked_;
};

}  // namespace

bool Host::AskedAsExpected(const std::string& phase) const {
  std::map<std::string, int> expected;
  if (phase == "create") expected["create"] = count_;
  if (phase == "change10") expected["update"] = std::min(changed_, count_);
  if (phase == "refresh") expected["read"] = count_;
  if (phase == "destroy") expected["delete"] = count_;
  return asked_ == expected;
}

Task<Result<ProviderPtr>> Host::LoadProvider(ProviderSpec) {
  co_return ProviderPtr(std::make_shared<CountingProvider>(&asked_));
}

Task<Result<RunResponse>> Host::Run(RunRequest) {
  loop_.Spawn(RegisterStack());
  co_await program_ended_;
  RunResponse response;
  response.bail = failed_;
  co_return response;
}

Task<void> Host::RegisterStack() {
  RegisterResourceRequest request;
  request.type = std::string(kRootStackType);
  request.name = "bench-dev";
  Task<Result<RegisterResourceResponse>> asking = monitor_->RegisterResource(std::move(request));
  const Result<RegisterResourceResponse> answer = co_await std::move(asking);
  failed_ = !answer.ok();
  if (failed_ || count_ == 0) {
    program_ended_.Set();
    co_return;
  }
  stack_urn_ = answer->urn;
  for (int i = 0; i < std::min(count_, kAtATime); ++i) loop_.Spawn(RegisterNext());
}

Task<void> Host::RegisterNext() {
  while (next_ < count_ && !failed_) {
    const int number = next_++;
    RegisterResourceRequest request;
    request.type = "load:index:Thing";
    request.name = "thing-" + std::to_string(number);
    request.parent = stack_urn_;
    request.custom = true;
    request.inputs = InputsOf(number, number < changed_);
    Task<Result<RegisterResourceResponse>> asking = monitor_->RegisterResource(std::move(request));
    const Result<RegisterResourceResponse> answer = co_await std::move(asking);
    failed_ = failed_ || !answer.ok();
    ++answered_;
  }
  if (failed_ || answered_ == count_) program_ended_.Set();
}

}  // namespace kingpost::bench
