// SPDX-License-Identifier: Apache-2.0
#include "remote/blob/faulty_bucket.h"

namespace kingpost {

void FaultyBucket::Break(BucketFaults faults) {
  faults_ = std::move(faults);
  calls_ = 0;
}

template <class Answer>
Answer FaultyBucket::Call(const std::string& what, const std::function<Answer()>& call,
                          const std::function<Answer()>& again) {
  const int number = ++calls_;
  const bool faulty = faults_.at > 0 && (number == faults_.at || (faults_.after && number > faults_.at));
  if (!faulty) return call();
  const Status failure(Code::kUnavailable, printable_url() + "/" + what + ": connection reset by peer");
  switch (faults_.kind) {
    case BucketFaults::Kind::kRefused:
      return failure;
    case BucketFaults::Kind::kLostAnswer:
      (void)call();
      return failure;
    case BucketFaults::Kind::kTwice:
      (void)call();
      return again();
    case BucketFaults::Kind::kDelayed:
      faults_.meanwhile();
      return call();
  }
  KP_ASSERT(false, "every kind of fault has its behaviour");
}

Result<std::optional<Blob>> FaultyBucket::Get(const std::string& key) {
  const std::function<Result<std::optional<Blob>>()> call = [&] { return inner_->Get(key); };
  return Call(key, call, call);
}

Result<std::string> FaultyBucket::Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                                      const std::string& content_type) {
  const std::function<Result<std::string>()> call = [&] { return inner_->Put(key, bytes, condition, content_type); };
  return Call<Result<std::string>>(key, call, [&]() -> Result<std::string> {
    Result<std::string> put = call();
    if (put.status().code() != Code::kFailedPrecondition) return put;
    const Result<std::optional<Blob>> there = inner_->Get(key);
    return there.ok() && *there && (*there)->bytes == bytes ? Result<std::string>((*there)->tag) : put;
  });
}

Status FaultyBucket::Copy(const std::string& from, const std::string& to) {
  const std::function<Status()> call = [&] { return inner_->Copy(from, to); };
  return Call(from, call, call);
}

Status FaultyBucket::Delete(const std::string& key) {
  const std::function<Status()> call = [&] { return inner_->Delete(key); };
  return Call(key, call, call);
}

Status FaultyBucket::DeleteIf(const std::string& key, const std::string& tag) {
  const std::function<Status()> call = [&] { return inner_->DeleteIf(key, tag); };
  return Call(key, call, call);
}

Result<std::vector<BlobInfo>> FaultyBucket::List(const std::string& prefix, bool one_level) {
  const std::function<Result<std::vector<BlobInfo>>()> call = [&] { return inner_->List(prefix, one_level); };
  return Call(prefix, call, call);
}

}  // namespace kingpost
