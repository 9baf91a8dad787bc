// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/aws/s3_bucket.h"

#include <algorithm>

#include "base/encoding.h"
#include "base/time_text.h"
#include "remote/blob/service_answers.h"
#include "remote/cloud/aws/s3_checksum.h"
#include "remote/cloud/version_tag.h"
#include "remote/cloud/xml.h"

namespace kingpost {

namespace {

constexpr char kPageSize[] = "1000";

// Which right each request needs, for those who write policies.
std::string RightFor(const std::string& action) {
  if (action == "list") return "s3:ListBucket";
  if (action == "read") return "s3:GetObject";
  if (action == "delete") return "s3:DeleteObject";
  return "s3:PutObject";
}

// S3 answers a copy that failed on the way with 200 and an error.
bool HoldsError(const HttpResponse& response) {
  const auto xml = ParseXml(response.body);
  return xml && xml->name == "Error";
}

}  // namespace

std::string S3Bucket::UrlOf(const std::string& key) const {
  return "s3://" + options_.bucket + "/" + options_.root + key;
}

AwsRequest S3Bucket::RequestFor(const std::string& method, const std::string& key) const {
  AwsRequest request{.method = method, .endpoint = options_.endpoint};
  request.path = options_.path_base + PercentEncodePath(options_.root + key);
  return request;
}

AwsRequest S3Bucket::BucketRequest(const std::string& method) const {
  AwsRequest request{.method = method, .endpoint = options_.endpoint, .path = options_.path_base};
  // A bucket that is named in the path has no "/" after its name.
  if (request.path.size() > 1) request.path.pop_back();
  return request;
}

Status S3Bucket::Refusal(const std::string& action, const std::string& key, const HttpResponse& response) const {
  const AwsError error = ReadAwsError(response);
  const std::string what = "cannot " + action + " " + UrlOf(key) + ": " + error.Text(response.status);
  const std::string region = response.header("x-amz-bucket-region");
  if (!region.empty() && region != options_.settings.region) {
    return {Code::kInvalidArgument,
            what + "; the bucket is in region " + region + ": add region=" + region + " to the URL, or set AWS_REGION"};
  }
  if (error.code == "NoSuchBucket") return {Code::kNotFound, what};
  if (IsExpiredCredential(error)) {
    return {Code::kUnauthenticated, what + "; log in again, and run the command once more"};
  }
  if (error.code == "SignatureDoesNotMatch" || error.code == "InvalidAccessKeyId") {
    return {Code::kUnauthenticated, what + " (look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or at the profile)"};
  }
  if (response.status == 401 || response.status == 403) {
    return {Code::kPermissionDenied, what + "; the right that is needed is " + RightFor(action) + " on arn:aws:s3:::" +
                                         options_.bucket + (action == "list" ? "" : "/" + options_.root + "*")};
  }
  if (IsTransientFailure(response)) return {Code::kUnavailable, what};
  return {Code::kUnknown, what};
}

Result<std::optional<S3Bucket::Stored>> S3Bucket::Read(const std::string& key) {
  AwsRequest request = RequestFor("GET", key);
  if (options_.check_checksums) request.headers.emplace_back("x-amz-checksum-mode", "ENABLED");
  Result<Answer> answer = client_.Send(request);
  if (!answer.ok()) return answer.status();
  HttpResponse& response = answer->response;
  if (response.status == 404 && ReadAwsError(response).code != "NoSuchBucket") return std::optional<Stored>();
  if (!response.ok()) return Refusal("read", key, response);
  if (options_.check_checksums && !MatchesChecksums(response)) {
    return Status(Code::kDataLoss, UrlOf(key) + " arrived damaged: its checksum does not match; try again");
  }
  Stored stored;
  stored.content_type = response.header("content-type");
  Result<std::string> tag = VersionTag(response, "etag", "cannot read " + UrlOf(key));
  if (!tag.ok()) return tag.status();
  stored.blob.tag = std::move(*tag);
  stored.blob.modified_ms = std::max<int64_t>(0, ParseHttpDate(response.header("last-modified")));
  stored.blob.server_ms = std::max<int64_t>(0, ParseHttpDate(response.header("date")));
  stored.blob.bytes = std::move(response.body);
  return std::optional<Stored>(std::move(stored));
}

Result<std::optional<Blob>> S3Bucket::Get(const std::string& key) {
  Result<std::optional<Stored>> stored = Read(key);
  if (!stored.ok()) return stored.status();
  if (!*stored) return std::optional<Blob>();
  return std::optional<Blob>(std::move((*stored)->blob));
}

Result<std::string> S3Bucket::Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                                  const std::string& content_type) {
  AwsRequest request = RequestFor("PUT", key);
  request.body = bytes;
  request.headers = options_.put_headers;
  request.headers.emplace_back("Content-Type", content_type);
  if (options_.add_checksums) {
    request.headers.emplace_back("x-amz-checksum-sha256", ChecksumSha256(bytes));
  }
  if (condition.kind == PutCondition::Kind::kIfAbsent) request.headers.emplace_back("If-None-Match", "*");
  if (condition.kind == PutCondition::Kind::kIfTag) request.headers.emplace_back("If-Match", condition.tag);
  Result<Answer> answer = client_.Send(request);
  if (!answer.ok()) return answer.status();
  const int status = answer->response.status;
  if (answer->response.ok()) return VersionTag(answer->response, "etag", "cannot write " + UrlOf(key));
  const bool gone = status == 404 && condition.kind == PutCondition::Kind::kIfTag &&
                    ReadAwsError(answer->response).code != "NoSuchBucket";
  if (status == 412 || gone) return ResolveFailedPut(*this, key, UrlOf(key), bytes);
  return Refusal("write", key, answer->response);
}

Status S3Bucket::Copy(const std::string& from, const std::string& to) {
  AwsRequest request = RequestFor("PUT", to);
  request.headers = options_.put_headers;
  // Some services do not decode the "/" between bucket and key.
  request.headers.emplace_back("x-amz-copy-source",
                               PercentEncode(options_.bucket) + "/" + PercentEncodePath(options_.root + from));
  const Result<Answer> answer = client_.Send(request);
  if (!answer.ok()) return answer.status();
  const HttpResponse& response = answer.value().response;
  if (response.ok() && !HoldsError(response)) return Status::Ok();
  if (response.status == 404 && ReadAwsError(response).code != "NoSuchBucket") {
    return {Code::kNotFound, UrlOf(from) + " is not there"};
  }
  // Services without this request, and policies that allow conditional writes alone.
  return CopyByHand(from, to);
}

Status S3Bucket::CopyByHand(const std::string& from, const std::string& to) {
  const Result<std::optional<Stored>> stored = Read(from);
  if (!stored.ok()) return stored.status();
  if (!stored.value()) return {Code::kNotFound, UrlOf(from) + " is not there"};
  const Stored& source = *stored.value();
  return Put(to, source.blob.bytes, PutCondition::Always(), source.content_type).status();
}

Status S3Bucket::DeleteVersion(const std::string& key, const std::string& tag) {
  AwsRequest request = RequestFor("DELETE", key);
  if (!tag.empty()) request.headers.emplace_back("If-Match", tag);
  const Result<Answer> answer = client_.Send(request);
  if (!answer.ok()) return answer.status();
  const HttpResponse& response = answer.value().response;
  const bool absent = response.status == 404 && ReadAwsError(response).code != "NoSuchBucket";
  if (response.status == 412) return {Code::kFailedPrecondition, UrlOf(key) + " has changed since it was read"};
  return response.ok() || absent ? Status::Ok() : Refusal("delete", key, response);
}

Result<std::vector<BlobInfo>> S3Bucket::List(const std::string& prefix, bool one_level) {
  return ListAllPages(UrlOf(prefix), prefix, [&](const std::string& token, std::vector<BlobInfo>* found) {
    return ListOnePage(prefix, one_level, token, found);
  });
}

// Gives the token of the next page, "" after the last one.
Result<std::string> S3Bucket::ListOnePage(const std::string& prefix, bool one_level, const std::string& token,
                                          std::vector<BlobInfo>* found) {
  AwsRequest request = BucketRequest("GET");
  request.query = {
      {"list-type", "2"}, {"max-keys", kPageSize}, {"encoding-type", "url"}, {"prefix", options_.root + prefix}};
  if (one_level) request.query.emplace_back("delimiter", "/");
  if (!token.empty()) request.query.emplace_back("continuation-token", token);
  const Result<Answer> answer = client_.Send(request);
  if (!answer.ok()) return answer.status();
  if (!answer.value().response.ok()) return Refusal("list", prefix, answer.value().response);
  const auto xml = ParseXml(answer.value().response.body);
  if (!xml || xml->name != "ListBucketResult") {
    return Status(Code::kUnknown, "cannot list " + UrlOf(prefix) + ": the answer is no listing of S3's");
  }
  const bool encoded = xml->TextOf("EncodingType") == "url";
  for (const XmlElement& entry : xml->children) {
    if (entry.name != "Contents") continue;
    const std::string key = entry.TextOf("Key");
    const std::string plain = encoded ? PercentDecode(key, true) : key;
    if (!plain.starts_with(options_.root)) continue;
    found->push_back({plain.substr(options_.root.size()), std::atoll(entry.TextOf("Size").c_str()),
                      std::max<int64_t>(0, ParseIsoTime(entry.TextOf("LastModified")))});
  }
  if (xml->TextOf("IsTruncated") != "true") return std::string();
  const std::string next = xml->TextOf("NextContinuationToken");
  if (!next.empty()) return next;
  return Status(Code::kUnknown, "cannot list " + UrlOf(prefix) +
                                    ": the service has more, but does not say how to ask for it; it has to know the "
                                    "request ListObjectsV2 of S3");
}

}  // namespace kingpost
