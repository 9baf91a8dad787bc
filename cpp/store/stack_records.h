// SPDX-License-Identifier: Apache-2.0
// All that a store keeps of a stack beside its checkpoint, as it is kept: history, checkpoints of the history, reasons,
// backups. For moving it to another store, and for going back. Blocking.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kingpost/state_store.h"

namespace kingpost {

class StackRecords {
 public:
  virtual ~StackRecords() = default;
  // "history/dev-1700000000000000000.history.json", "backups/dev.1700000000000000000.json.gz", ...: sorted.
  virtual Result<std::vector<std::string>> Names() = 0;
  virtual Result<std::string> Read(const std::string& name) = 0;
  virtual Status Write(const std::string& name, std::string_view bytes) = 0;
};

// Unimplemented of a store that ends with the process.
Result<std::unique_ptr<StackRecords>> RecordsOf(StateStore& store, const StackName& stack);

// The checkpoints that the history has, the oldest first; each is there as it was after an operation.
struct StackVersion {
  int64_t time_ns = 0;
  std::string checkpoint;  // the name of the record
};
Result<std::vector<StackVersion>> VersionsOf(StackRecords& records);

}  // namespace kingpost
