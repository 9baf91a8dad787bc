// SPDX-License-Identifier: Apache-2.0
#include "store/condition_probe.h"

#include <sys/stat.h>

#include <ctime>

#include "base/digest.h"
#include "base/disk/durable_file.h"
#include "base/os.h"
#include "store/lock_record.h"

namespace kingpost {

namespace {

constexpr int64_t kWeekSeconds = 7 * 24 * 3600;
constexpr char kYes[] = "conditions\n", kNo[] = "no conditions\n";

std::string AnswerFile(const BlobBucket& bucket) {
  return PulumiHome() + "/probes/" + Sha256Hex(bucket.printable_url()).substr(0, 32);
}

}  // namespace

Result<bool> ProbeConditions(BlobBucket& bucket) {
  const std::string key = ".pulumi/journals/.probe-" + NewLockId();
  const auto put = [&](const char* bytes) {
    return bucket.Put(key, bytes, PutCondition::IfAbsent(), "text/plain; charset=utf-8").status();
  };
  const Status first = put("1");
  if (first.code() == Code::kUnimplemented) return false;
  if (!first.ok()) return first;
  const Status second = put("2");
  const Status removed = bucket.Delete(key);
  if (second.ok() || second.code() == Code::kUnimplemented) return removed.ok() ? Result<bool>(false) : removed;
  if (second.code() != Code::kFailedPrecondition) return second;
  return removed.ok() ? Result<bool>(true) : removed;
}

Result<bool> MindsConditions(BlobBucket& bucket) {
  if (bucket.transactions()) return true;
  const std::string file = AnswerFile(bucket);
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0 && std::time(nullptr) - status.st_mtime < kWeekSeconds) {
    const Result<std::string> known = ReadWholeFile(file);
    if (known.ok() && (*known == kYes || *known == kNo)) return *known == kYes;
  }
  const Result<bool> minds = ProbeConditions(bucket);
  // Where the answer cannot be kept, it is asked for again.
  if (minds.ok()) (void)WriteFileDurably(file, *minds ? kYes : kNo, {.keep_as = "", .sync = false});
  return minds;
}

}  // namespace kingpost
