// SPDX-License-Identifier: Apache-2.0
#include "cli/watch/provider_pool.h"

#include <algorithm>
#include <utility>

#include "model/value.h"

namespace kingpost {

namespace {

bool IsSame(const ConfigureRequest& one, const ConfigureRequest& other) {
  return one.urn == other.urn && one.name == other.name && one.type == other.type && one.id == other.id &&
         DeepEqual(one.inputs, other.inputs);
}

}  // namespace

// As one run sees a provider that is kept. What was done to it before is not done again, where that is the same.
class PooledProvider final : public Provider {
 public:
  PooledProvider(ProviderPool& all, std::shared_ptr<ProviderPool::Kept> kept) : all_(all), kept_(std::move(kept)) {}

  const ProviderFeatures& features() const override { return plugin().features(); }
  std::string version() const override { return plugin().version(); }

  Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization value) override {
    if (kept_->parameter == value) co_return kept_->parameter_answer;
    if (kept_->used || kept_->parameter || kept_->configured) {
      auto renewing = Renew();
      const Status renewed = co_await std::move(renewing);
      if (!renewed.ok()) co_return renewed;
    }
    auto asking = plugin().Parameterize(value);
    auto answer = co_await std::move(asking);
    if (answer.ok()) {
      kept_->parameter = std::move(value);
      kept_->parameter_answer = *answer;
    }
    co_return answer;
  }

  Task<Status> Configure(ConfigureRequest request) override {
    if (auto same = all_.FindConfigured(*kept_, request)) {
      kept_ = std::move(same);
      kept_->used = true;
      co_return Status::Ok();
    }
    if (kept_->used || kept_->configured) {
      auto renewing = Renew();
      const Status renewed = co_await std::move(renewing);
      if (!renewed.ok()) co_return renewed;
    }
    kept_->used = true;
    auto configuring = plugin().Configure(request);
    const Status configured = co_await std::move(configuring);
    if (configured.ok()) {
      kept_->configured = std::move(request);
    } else {
      kept_->outdated = true;
    }
    co_return configured;
  }

  Task<Result<CheckResponse>> CheckConfig(CheckRequest request) override {
    return plugin().CheckConfig(std::move(request));
  }
  Task<Result<DiffResponse>> DiffConfig(DiffRequest request) override {
    return plugin().DiffConfig(std::move(request));
  }
  Task<Result<CheckResponse>> Check(CheckRequest request) override { return plugin().Check(std::move(request)); }
  Task<Result<DiffResponse>> Diff(DiffRequest request) override { return plugin().Diff(std::move(request)); }
  Task<Result<CreateResponse>> Create(CreateRequest request) override { return plugin().Create(std::move(request)); }
  Task<Result<ReadResponse>> Read(ReadRequest request) override { return plugin().Read(std::move(request)); }
  Task<Result<UpdateResponse>> Update(UpdateRequest request) override { return plugin().Update(std::move(request)); }
  Task<Status> Delete(DeleteRequest request) override { return plugin().Delete(std::move(request)); }
  Task<Result<ConstructResponse>> Construct(ConstructRequest request) override {
    return plugin().Construct(std::move(request));
  }
  Task<Result<InvokeResponse>> Invoke(InvokeRequest request) override { return plugin().Invoke(std::move(request)); }
  Task<Result<CallResponse>> Call(CallRequest request) override { return plugin().Call(std::move(request)); }
  Task<Result<std::string>> GetSchema(SchemaRequest request) override { return plugin().GetSchema(std::move(request)); }
  Task<void> Cancel() override { return plugin().Cancel(); }

 private:
  Provider& plugin() const { return *kept_->provider; }

  // Another process in the place of one that has been told something else. That one may be of use to who comes next: as
  // the provider that is recorded, for what is to be deleted.
  Task<Status> Renew() {
    auto beginning = all_.Begin(kept_->spec, kept_->fingerprint);
    auto fresh = co_await std::move(beginning);
    if (!fresh.ok()) co_return fresh.status();
    const std::optional<Parameterization> parameter = kept_->parameter;
    kept_ = *fresh;
    if (!parameter) co_return Status::Ok();
    auto asking = plugin().Parameterize(*parameter);
    auto answer = co_await std::move(asking);
    if (!answer.ok()) co_return answer.status();
    kept_->parameter = parameter;
    kept_->parameter_answer = *answer;
    co_return Status::Ok();
  }

  ProviderPool& all_;
  std::shared_ptr<ProviderPool::Kept> kept_;
};

bool ProviderPool::Fits(const Kept& kept, const ProviderSpec& spec, const std::string& fingerprint) const {
  return !kept.outdated && kept.fingerprint == fingerprint && IsSamePlugin(kept.spec, spec) &&
         host_.is_alive(kept.provider.get());
}

// One that the same resource had before, which may be several: as it is recorded, and as it shall be. Until they are
// configured they may be the same process.
std::shared_ptr<ProviderPool::Kept> ProviderPool::Find(const ProviderSpec& spec, const std::string& fingerprint) const {
  for (const auto& kept : kept_) {
    if (Fits(*kept, spec, fingerprint) && kept->spec.needed_by == spec.needed_by) return kept;
  }
  return nullptr;
}

std::shared_ptr<ProviderPool::Kept> ProviderPool::FindConfigured(const Kept& like,
                                                                 const ConfigureRequest& request) const {
  for (const auto& kept : kept_) {
    const bool told_the_same =
        kept->configured && IsSame(*kept->configured, request) && kept->parameter == like.parameter;
    if (told_the_same && !kept->used && Fits(*kept, like.spec, like.fingerprint)) return kept;
  }
  return nullptr;
}

Task<Result<std::shared_ptr<ProviderPool::Kept>>> ProviderPool::Begin(ProviderSpec spec, std::string fingerprint) {
  auto loading = host_.LoadProvider(spec);
  auto loaded = co_await std::move(loading);
  if (!loaded.ok()) co_return loaded.status();
  auto kept = std::make_shared<Kept>();
  kept->spec = std::move(spec);
  kept->fingerprint = std::move(fingerprint);
  kept->provider = std::move(*loaded);
  kept_.push_back(kept);
  co_return kept;
}

Task<Result<ProviderPtr>> ProviderPool::Load(ProviderSpec spec, std::string fingerprint) {
  std::shared_ptr<Kept> kept = Find(spec, fingerprint);
  if (!kept) {
    auto beginning = Begin(std::move(spec), std::move(fingerprint));
    auto fresh = co_await std::move(beginning);
    if (!fresh.ok()) co_return fresh.status();
    kept = *fresh;
  }
  ProviderPtr seen = std::make_shared<PooledProvider>(*this, kept);
  co_return seen;
}

// One that this run had no use for is ended, too: the program does without it.
Task<void> ProviderPool::EndRun() {
  std::vector<std::shared_ptr<Kept>> ended;
  for (const auto& kept : kept_) {
    const bool stays = kept->used && !kept->outdated && kept->configured && host_.is_alive(kept->provider.get());
    if (!stays) ended.push_back(kept);
    kept->used = false;
  }
  std::erase_if(kept_, [&](const auto& kept) { return std::find(ended.begin(), ended.end(), kept) != ended.end(); });
  for (const auto& kept : ended) {
    auto ending = host_.EndProvider(kept->provider);
    co_await std::move(ending);
  }
}

void ProviderPool::InvalidateAll() {
  for (const auto& kept : kept_) kept->outdated = true;
}

}  // namespace kingpost
