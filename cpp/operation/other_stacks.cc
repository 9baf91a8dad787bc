// SPDX-License-Identifier: Apache-2.0
#include "operation/other_stacks.h"

#include <algorithm>

#include "model/deployment_json.h"

namespace kingpost {

namespace {

constexpr int kWorkers = 4;

// Blocking; any thread. All secrets stay sealed.
OtherStacks::Loaded ReadOther(const StackContext& context, const std::string& typed) {
  const Result<StackDocument> document = context.store->Load(context.name);
  if (!document.ok()) return document.status();
  if (!document->exists) return Status(Code::kNotFound, "unknown stack \"" + typed + "\"");
  Result<CheckpointDocument> checkpoint = DecodeCheckpoint(document->bytes, DecodeOptions());
  if (!checkpoint.ok()) return checkpoint.status();
  return std::make_shared<const Snapshot>(std::move(checkpoint->snapshot));
}

bool IsAskedFor(const State& state, StackPart part) {
  const bool is_part = part == StackPart::kResources || (state.type == kRootStackType && state.parent.empty());
  return is_part && ContainsSecrets(state.outputs);
}

bool HoldsSecrets(const Snapshot& snapshot, StackPart part) {
  return std::any_of(snapshot.resources.begin(), snapshot.resources.end(),
                     [part](const StatePtr& state) { return IsAskedFor(*state, part); });
}

Result<StatePtr> WithOutputsDecrypted(State state, SecretsManager* secrets) {
  state.inputs = PropertyMap();  // nobody asks for them
  const Result<std::string> json = EncodeState(state, EncodeOptions());
  if (!json.ok()) return json.status();
  DecodeOptions decode;
  decode.secrets = secrets;
  return DecodeState(*json, decode);
}

// Blocking; any thread. What cannot be decrypted, because its key is another or cannot be had, stays sealed.
OtherStacks::Loaded Decrypted(const StackContext& context, std::shared_ptr<const Snapshot> sealed, StackPart part) {
  const Result<std::shared_ptr<SecretsManager>> secrets =
      OpenSecretsManager(sealed->secrets_type, sealed->secrets_state_json, context.passphrase, context.name.name);
  if (!secrets.ok()) return sealed;
  auto snapshot = std::make_shared<Snapshot>(*sealed);
  for (StatePtr& state : snapshot->resources) {
    if (!IsAskedFor(*state, part)) continue;
    Result<StatePtr> decrypted = WithOutputsDecrypted(*state, secrets->get());
    // The next one has the same key: it would not be asked for again and again.
    if (!decrypted.ok()) return sealed;
    state = std::move(*decrypted);
  }
  return std::shared_ptr<const Snapshot>(std::move(snapshot));
}

}  // namespace

OtherStacks::OtherStacks(Loop& loop, StackContext own, std::string project)
    : loop_(loop), own_(std::move(own)), project_(std::move(project)) {}

// Few runs refer to another stack. A user gets one question for a passphrase at a time.
WorkerPool& OtherStacks::workers() {
  if (!workers_) workers_ = std::make_unique<WorkerPool>(loop_, own_.passphrase->interactive() ? 1 : kWorkers);
  return *workers_;
}

Task<OtherStacks::Loaded> OtherStacks::Load(std::string typed, StackPart part) {
  KP_ASSERT(loop_.OnLoopThread(), "stack references are read from the loop");
  const Result<StackName> name = StackName::Parse(typed, project_);
  if (!name.ok()) co_return name.status();
  StackContext context = own_;
  context.name = *name;
  std::function<Loaded()> read = [context, typed] { return ReadOther(context, typed); };
  const Loaded sealed = co_await Once(&sealed_[name->str()], std::move(read));
  if (!sealed.ok() || !HoldsSecrets(**sealed, part)) co_return sealed;
  std::function<Loaded()> decrypt = [context, sealed, part] { return Decrypted(context, *sealed, part); };
  std::shared_ptr<Reading>* const entry = &decrypted_[std::make_pair(name->str(), part)];
  co_return co_await Once(entry, std::move(decrypt));
}

Task<OtherStacks::Loaded> OtherStacks::Once(std::shared_ptr<Reading>* entry, std::function<Loaded()> work) {
  if (const std::shared_ptr<Reading> begun = *entry) {
    co_await begun->done;
    co_return begun->loaded;
  }
  const auto reading = std::make_shared<Reading>(loop_);
  *entry = reading;
  auto running = workers().Run(std::move(work));
  reading->loaded = co_await std::move(running);
  reading->done.Set();
  co_return reading->loaded;
}

}  // namespace kingpost
