// SPDX-License-Identifier: Apache-2.0
// A stack that no other process changes while this object lives. What a crash left behind has been recovered, and the
// user has been told.
//
//     lock ─▶ recover the journal ─▶ load ─▶ ... ─▶ save ─▶ release
//
// Blocking; one thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "model/deployment_json.h"
#include "operation/stack_context.h"

namespace kingpost {

struct HoldOptions {
  // A fault of the journal or the checkpoint does not matter: a journal that cannot be recovered is put aside, and a
  // checkpoint that cannot be read counts as none. For those who do away with both (--force).
  bool accept_damaged = false;
  // Tried on what a journal comes to if that is not in order. May be null.
  std::function<Status(Snapshot*)> repair = nullptr;
};

// The detail of a failure: a stack that was known has gone.
struct StackGone {};

class HeldStack {
 public:
  static Result<std::unique_ptr<HeldStack>> Open(StackContext context, const HoldOptions& options = HoldOptions());
  ~HeldStack();
  HeldStack(const HeldStack&) = delete;

  const StackContext& context() const { return context_; }
  const StackName& name() const { return context_.name; }
  const std::string& document() const { return *document_; }  // the checkpoint as it is stored
  std::shared_ptr<const std::string> shared_document() const { return document_; }
  void ForgetDocument();  // for those who need the memory
  StateStore& store() { return *context_.store; }
  StackLock& lock() { return *lock_; }
  bool repaired() const { return repaired_; }  // by HoldOptions::repair
  // Why there is no document, with `accept_damaged`.
  const Status& damage() const { return damage_; }

  // Seals, checks and saves. An integrity error refuses the change unless `force` or the context accepts it.
  Status Save(Snapshot snapshot, const EncodeOptions& options, bool force = false);
  Status Release();

 private:
  explicit HeldStack(StackContext context);
  Status Take(const HoldOptions& options);
  Status RecoverJournal(const HoldOptions& options);

  const StackContext context_;
  std::unique_ptr<StackLock> lock_;
  std::shared_ptr<const std::string> document_ = std::make_shared<const std::string>();
  Status damage_;
  bool repaired_ = false;
  const OperationCaller::Scope holding_;  // a signal releases the lock before it ends the process
};

}  // namespace kingpost
