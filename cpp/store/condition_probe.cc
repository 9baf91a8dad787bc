// SPDX-License-Identifier: Apache-2.0
#include "store/condition_probe.h"

#include <sys/stat.h>

#include <ctime>
#include <utility>

#include "base/digest.h"
#include "base/disk/durable_file.h"
#include "base/os.h"
#include "store/lock_record.h"

namespace kingpost {

namespace {

constexpr int64_t kWeekSeconds = 7 * 24 * 3600;
// As it is kept in a file.
const std::pair<const char*, HonoredConditions> kAnswers[] = {{"conditions of writes and deletes\n", {true, true}},
                                                              {"conditions of writes\n", {true, false}},
                                                              {"no conditions\n", {false, false}}};

std::string AnswerFile(const BlobBucket& bucket) {
  return PulumiHome() + "/probes/" + Sha256Hex(bucket.printable_url()).substr(0, 32);
}

}  // namespace

Result<HonoredConditions> ProbeConditions(BlobBucket& bucket) {
  const std::string key = ".pulumi/journals/.probe-" + NewLockId();
  const auto put = [&](const char* bytes, const PutCondition& condition) {
    return bucket.Put(key, bytes, condition, "text/plain; charset=utf-8");
  };
  const Result<std::string> first = put("1", PutCondition::IfAbsent());
  if (first.status().code() == Code::kUnimplemented) return HonoredConditions{false, false};
  if (!first.ok()) return first.status();
  const Status second = put("2", PutCondition::IfAbsent()).status();
  const bool minded = second.code() == Code::kFailedPrecondition && put("3", PutCondition::IfTag(*first)).ok();
  // Another version is there by now.
  const Status deleted = minded ? bucket.DeleteIf(key, *first) : Status::Ok();
  const Status removed = bucket.Delete(key);
  if (!minded && !second.ok() && second.code() != Code::kUnimplemented) return second;
  if (!removed.ok()) return removed;
  return HonoredConditions{minded, minded && deleted.code() == Code::kFailedPrecondition};
}

Result<HonoredConditions> FindHonoredConditions(BlobBucket& bucket) {
  if (bucket.transactions()) return HonoredConditions{true, true};
  const std::string file = AnswerFile(bucket);
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0 && std::time(nullptr) - status.st_mtime < kWeekSeconds) {
    const Result<std::string> known = ReadWholeFile(file);
    for (const auto& [text, answer] : kAnswers) {
      if (known.ok() && *known == text) return answer;
    }
  }
  const Result<HonoredConditions> minds = ProbeConditions(bucket);
  if (!minds.ok()) return minds;
  for (const auto& [text, answer] : kAnswers) {
    // Where the answer cannot be kept, it is asked for again.
    if (answer == *minds) (void)WriteFileDurably(file, text, {.backup_path = "", .sync = false});
  }
  return minds;
}

}  // namespace kingpost
