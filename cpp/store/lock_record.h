// SPDX-License-Identifier: Apache-2.0
// What a lock says of its holder: the reference's four fields, and after them those by which a process that is
// certainly gone can be told. Any thread.
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

// Of this process, now.
std::string NewLockRecord(bool headed = false);
std::string NewLockId();  // a UUID
// A record that cannot be understood is a lock all the same, of an unknown holder: it may be half-written.
LockRecord ParseLockRecord(const std::string& location, const std::string& bytes);
ProcessIdentity IdentityIn(const std::string& json);  // the same fields of any object

// This process leaves the lock behind on purpose: its owner lives, but nobody uses it.
void LeaveLock(const std::string& location);

std::string TakeoverNotice(const LockRecord& lock, const std::string& stack);
// As `LockedError` tells of them.
std::vector<LockHolder> Holders(const std::vector<LockRecord>& locks);

}  // namespace kingpost
