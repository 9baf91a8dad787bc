// SPDX-License-Identifier: Apache-2.0
// The description of the holder in a lock: the reference's four fields, and after them fields that show
// whether a process is certainly gone. Any thread.
#pragma once

#include <string>
#include <vector>

#include "base/process_identity.h"
#include "kingpost/state_store.h"

namespace kingpost {

struct LockRecord {
  LockHolder holder;
  ProcessIdentity process;
  bool gone = false;    // for certain, or it was left by this very process on purpose
  bool headed = false;  // it is taken after the head of its stack (run_head.h), and counts only while that names it
};

// For this process, now.
std::string NewLockRecord(bool headed = false);
std::string NewLockId();  // a UUID
// A record that cannot be understood is a lock all the same, of an unknown holder: it may be half-written.
LockRecord ParseLockRecord(const std::string& location, const std::string& bytes);
ProcessIdentity IdentityIn(const std::string& json);  // the same fields of any object

// This process leaves the lock behind on purpose: its owner lives, but nobody uses it.
void AbandonLock(const std::string& location);

std::string TakeoverNotice(const LockRecord& lock, const std::string& stack);
// As `LockedError` tells of them.
std::vector<LockHolder> Holders(const std::vector<LockRecord>& locks);

}  // namespace kingpost
