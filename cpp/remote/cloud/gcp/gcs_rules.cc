// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "base/percent.h"
#include "remote/cloud/flat_json.h"
#include "remote/cloud/gcp/gcs_bucket.h"

namespace kingpost {

namespace {

// A rule for several prefixes is as many rules.
std::vector<BucketRules::Rule> ReadGcsRule(const FlatJson& bucket, const std::string& rule) {
  if (bucket.Text(rule + "action.type") != "Delete") return {};
  BucketRules::Rule read;
  read.name = bucket.Text(rule + "action.type");
  const int age = std::atoi(bucket.Text(rule + "condition.age").c_str());
  const int old_days = std::atoi(bucket.Text(rule + "condition.daysSinceNoncurrentTime").c_str());
  const bool old_only = bucket.Text(rule + "condition.isLive") == "false" || old_days > 0 ||
                        !bucket.Text(rule + "condition.numNewerVersions").empty();
  if (old_only) read.old_versions_days = old_days > 0 ? old_days : std::max(age, 1);
  if (!old_only) read.expires_days = age;
  std::vector<BucketRules::Rule> rules;
  for (size_t i = 0;; ++i) {
    read.prefix = bucket.Text(rule + "condition.matchesPrefix." + std::to_string(i));
    if (read.prefix.empty() && i > 0) return rules;
    rules.push_back(read);
    if (read.prefix.empty()) return rules;
  }
}

}  // namespace

Result<BucketRules> GcsBucket::ReadRules() {
  HttpRequest request;
  request.url = options_.endpoint + "/storage/v1/b/" + PercentEncode(options_.bucket) + "?fields=versioning,lifecycle";
  const Result<Answer> answer = client_.Send(request);
  if (!answer.ok()) return answer.status();
  const HttpResponse& response = answer.value().response;
  if (response.status == 403) return Status(Code::kPermissionDenied, "the right storage.buckets.get is missing");
  if (!response.ok()) return Refusal("ask about", "", response);
  const auto fields = FlatJson::Parse(response.body);
  if (!fields) {
    return Status(Code::kUnknown,
                  "the answer about the bucket is not JSON: is " + options_.endpoint + " Google Cloud Storage?");
  }
  BucketRules rules;
  rules.root = options_.root;
  rules.versions = fields->Text("versioning.enabled") == "true";
  for (size_t i = 0;; ++i) {
    const std::string rule = "lifecycle.rule." + std::to_string(i) + ".";
    if (fields->Text(rule + "action.type").empty()) return rules;
    for (BucketRules::Rule& read : ReadGcsRule(*fields, rule)) rules.rules.push_back(std::move(read));
  }
}

}  // namespace kingpost
