// SPDX-License-Identifier: Apache-2.0
// Many objects of S3 deleted by one request, where the service knows it.
#include <algorithm>

#include "base/digest.h"
#include "base/encoding.h"
#include "base/markup_entities.h"
#include "remote/cloud/aws/s3_bucket.h"
#include "remote/cloud/aws/s3_checksum.h"
#include "remote/cloud/xml.h"

namespace kingpost {

namespace {

constexpr size_t kKeysMax = 1000;  // of one request

std::string XmlText(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (!AppendMarkupEntity(c, &escaped)) escaped += c;
  }
  return escaped;
}

}  // namespace

// Objects that one request does not delete are deleted one by one, which also finds the words for the fault.
Status S3Bucket::DeleteMany(const std::vector<std::string>& keys) {
  std::vector<std::string> left;
  for (size_t begin = 0; begin < keys.size(); begin += kKeysMax) {
    const auto first = keys.begin() + static_cast<ptrdiff_t>(begin);
    const std::vector<std::string> page(first, first + static_cast<ptrdiff_t>(std::min(kKeysMax, keys.size() - begin)));
    Result<std::vector<std::string>> remaining = page;
    if (page.size() > 1 && deletes_together_) remaining = DeleteTogether(page);
    if (!remaining.ok()) return remaining.status();
    left.insert(left.end(), remaining->begin(), remaining->end());
  }
  return left.empty() ? Status::Ok() : BlobBucket::DeleteMany(left);
}

// Gives those that it did not delete.
Result<std::vector<std::string>> S3Bucket::DeleteTogether(const std::vector<std::string>& keys) {
  AwsRequest request = BucketRequest("POST");
  request.query = {{"delete", ""}};
  request.body = "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true</Quiet>";
  for (const std::string& key : keys) {
    request.body += "<Object><Key>" + XmlText(options_.root + key) + "</Key></Object>";
  }
  request.body += "</Delete>";
  request.headers = {{"Content-Type", "application/xml"}};
  // This request must carry a digest. Every service knows the older one.
  if (const std::string md5 = Md5(request.body); !md5.empty()) {
    request.headers.emplace_back("Content-MD5", Base64Encode(md5));
  } else {
    request.headers.emplace_back("x-amz-checksum-sha256", ChecksumSha256(request.body));
  }
  const Result<Answer> answer = client_.Send(request);
  if (!answer.ok()) return answer.status();
  const HttpResponse& response = answer.value().response;
  if (IsTransientFailure(response)) return Refusal("delete", keys.front(), response);
  const auto xml = response.ok() ? ParseXml(response.body) : std::nullopt;
  if (!xml || xml->name != "DeleteResult") {
    deletes_together_ = false;
    return keys;
  }
  std::vector<std::string> left;
  for (const XmlElement& entry : xml->children) {
    const std::string key = entry.name == "Error" ? entry.TextOf("Key") : "";
    if (key.starts_with(options_.root) && !key.empty()) left.push_back(key.substr(options_.root.size()));
  }
  return left;
}

}  // namespace kingpost
