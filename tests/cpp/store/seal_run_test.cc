// SPDX-License-Identifier: Apache-2.0
// Checks that a run is sealed in bounded time, whatever the service answers.
#include <catch2/catch.hpp>

#include "remote/blob/memory_bucket.h"
#include "store/blob_lock.h"

namespace kingpost::seal_run_test {

// Says that there is something at each place, and has it not.
class ContradictingBucket : public MemoryBucket {
 public:
  Result<std::string> Put(const std::string&, std::string_view, const PutCondition&, const std::string&) override {
    REQUIRE(++puts_ < 100'000);
    return Status(Code::kFailedPrecondition, "there is something");
  }

 private:
  int puts_ = 0;
};

TEST_CASE("sealing a run ends with an error if every place is taken", "[store]") {
  ContradictingBucket bucket;
  const HoldKeys places{.stack = "dev", .head = "h", .runs = "runs/", .locks = "locks/"};
  const Result<uint64_t> sealed = SealRun(bucket, places, "run");
  CHECK(sealed.status().code() == Code::kAborted);
  CHECK(sealed.status().message().find("dev") != std::string::npos);
}

}  // namespace kingpost::seal_run_test
