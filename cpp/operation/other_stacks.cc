// SPDX-License-Identifier: Apache-2.0
#include "operation/other_stacks.h"

#include "operation/stack_document.h"

namespace kingpost {

namespace {

constexpr int kWorkers = 4;

// Blocking; any thread.
OtherStacks::Loaded ReadOther(const StackContext& context, const std::string& typed) {
  const Result<StackDocument> document = context.store->Load(context.name);
  if (!document.ok()) return document.status();
  if (!document->exists) return Status(Code::kNotFound, "unknown stack \"" + typed + "\"");
  const Result<std::shared_ptr<SecretsManager>> secrets = SecretsOfDocument(context, document->bytes);
  if (!secrets.ok()) return secrets.status();
  DecodeOptions decode;
  decode.secrets = secrets->get();
  Result<CheckpointDocument> checkpoint = DecodeCheckpoint(document->bytes, decode);
  if (!checkpoint.ok()) return checkpoint.status();
  return std::make_shared<const Snapshot>(std::move(checkpoint->snapshot));
}

}  // namespace

OtherStacks::OtherStacks(Loop& loop, StackContext own, std::string project)
    : loop_(loop), own_(std::move(own)), project_(std::move(project)) {}

// Few runs refer to another stack. Somebody who is asked for a passphrase is asked one question at a time.
WorkerPool& OtherStacks::workers() {
  if (!workers_) workers_ = std::make_unique<WorkerPool>(loop_, own_.passphrase->interactive() ? 1 : kWorkers);
  return *workers_;
}

Task<OtherStacks::Loaded> OtherStacks::Load(std::string typed) {
  KP_ASSERT(loop_.OnLoopThread(), "stack references are read from the loop");
  const Result<StackName> name = StackName::Parse(typed, project_);
  if (!name.ok()) co_return name.status();
  std::shared_ptr<Reading>& entry = readings_[name->str()];
  if (const std::shared_ptr<Reading> begun = entry) {
    co_await begun->done;
    co_return begun->loaded;
  }
  const auto reading = std::make_shared<Reading>(loop_);
  entry = reading;
  StackContext context = own_;
  context.name = *name;
  auto work = [context, typed] { return ReadOther(context, typed); };
  auto running = workers().Run(std::move(work));
  reading->loaded = co_await std::move(running);
  reading->done.Set();
  co_return reading->loaded;
}

}  // namespace kingpost
