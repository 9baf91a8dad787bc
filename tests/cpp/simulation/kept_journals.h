// SPDX-License-Identifier: Apache-2.0
// `state recover` for a simulation: merges the journal that an operation kept aside, after it had lost the stack, into
// the state. So does a user who follows the message of that operation.
#pragma once

#include "journal/seal.h"
#include "simulation/sim_disk.h"
#include "store/file_store.h"

namespace kingpost::simulation {

// The files that wait for it.
std::vector<std::string> KeptJournals(const SimDisk& disk);

// Merges all of them into the state of a stack that is held, one after the other.
Status MergeKeptJournals(const SimDisk& disk, FileStore& store, StackLock& lock, const StackName& stack,
                         const SealOptions& seal);

}  // namespace kingpost::simulation
