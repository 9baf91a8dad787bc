// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "remote/cloud/aws/s3_bucket.h"
#include "remote/cloud/xml.h"

namespace kingpost {

namespace {

// A rule for objects with a tag is about none of ours.
bool IsAboutTags(const XmlElement& rule) {
  const XmlElement* filter = rule.Child("Filter");
  const XmlElement* both = filter ? filter->Child("And") : nullptr;
  return filter && (filter->Child("Tag") || (both && both->Child("Tag")));
}

BucketRules::Rule ReadRule(const XmlElement& rule) {
  BucketRules::Rule read;
  read.name = rule.TextOf("ID");
  for (const char* place : {"Prefix", "Filter/Prefix", "Filter/And/Prefix"}) {
    if (const std::string prefix = rule.TextOf(place); !prefix.empty()) read.prefix = prefix;
  }
  read.expires_days = std::atoi(rule.TextOf("Expiration/Days").c_str());
  read.old_versions_days = std::atoi(rule.TextOf("NoncurrentVersionExpiration/NoncurrentDays").c_str());
  return read;
}

}  // namespace

// The answer to a question about the bucket itself; nullopt if nothing was ever said about it.
Result<std::optional<XmlElement>> S3Bucket::AskBucket(const std::string& what, const std::string& right) {
  AwsRequest request = BucketRequest("GET");
  request.query = {{what, ""}};
  const Result<Answer> answer = client_.Send(request);
  if (!answer.ok()) return answer.status();
  const HttpResponse& response = answer.value().response;
  if (response.status == 404) return std::optional<XmlElement>();
  if (response.status == 403) {
    return Status(Code::kPermissionDenied,
                  "the right " + right + " on arn:aws:s3:::" + options_.bucket + " is missing");
  }
  if (!response.ok()) return Refusal("ask for the " + what + " of", "", response);
  std::optional<XmlElement> xml = ParseXml(response.body);
  if (!xml) return Status(Code::kUnknown, "the answer about the " + what + " of the bucket cannot be read");
  return xml;
}

Result<BucketRules> S3Bucket::ReadRules() {
  BucketRules rules;
  rules.root = options_.root;
  const Result<std::optional<XmlElement>> versioning = AskBucket("versioning", "s3:GetBucketVersioning");
  if (!versioning.ok()) return versioning.status();
  rules.versions = *versioning && (*versioning)->TextOf("Status") == "Enabled";
  const Result<std::optional<XmlElement>> lifecycle = AskBucket("lifecycle", "s3:GetLifecycleConfiguration");
  if (!lifecycle.ok()) return lifecycle.status();
  if (!*lifecycle) return rules;
  for (const XmlElement& rule : (*lifecycle)->children) {
    if (rule.name == "Rule" && rule.TextOf("Status") == "Enabled" && !IsAboutTags(rule)) {
      rules.rules.push_back(ReadRule(rule));
    }
  }
  return rules;
}

}  // namespace kingpost
