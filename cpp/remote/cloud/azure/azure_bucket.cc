// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/azure/azure_bucket.h"

#include <algorithm>

#include "base/digest.h"
#include "base/encoding.h"
#include "base/time_text.h"
#include "remote/blob/service_answers.h"
#include "remote/cloud/azure/credentials.h"
#include "remote/cloud/version_tag.h"
#include "remote/cloud/xml.h"

namespace kingpost {

namespace {

constexpr char kStorageResource[] = "https://storage.azure.com";
constexpr char kStorageVersion[] = "2020-10-02";
constexpr int64_t kCopyPollMs = 200;
constexpr int kCopyPollsMax = 1500;  // five minutes

std::string ErrorCode(const HttpResponse& response) {
  const std::string code = response.header("x-ms-error-code");
  if (!code.empty()) return code;
  const auto xml = ParseXml(response.body);
  return xml ? xml->TextOf("Code") : "";
}

bool IsAbsent(const HttpResponse& response) {
  return response.status == 404 && ErrorCode(response) != "ContainerNotFound";
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find_first_of("\r\n")); }

}  // namespace

AzureBucket::AzureBucket(AzureOptions options, std::shared_ptr<const CloudIo> io)
    : options_(std::move(options)),
      io_(std::move(io)),
      client_(io_, RetryPolicy(), [io = io_] { return FindAzureToken(io, kStorageResource); }),
      retrier_(io_, RetryPolicy()) {}

std::string AzureBucket::UrlOf(const std::string& key) const {
  return "azblob://" + options_.container + "/" + options_.root + key;
}

AzureRequest AzureBucket::RequestFor(const std::string& method, const std::string& key) const {
  AzureRequest request{.method = method, .endpoint = options_.endpoint};
  request.path = options_.path_base + PercentEncodePath(options_.root + key);
  return request;
}

Result<Answer> AzureBucket::Send(AzureRequest request, const std::string& what) {
  request.headers.emplace_back("x-ms-version", kStorageVersion);
  request.query.insert(request.query.end(), options_.sas.begin(), options_.sas.end());
  const auto make = [&]() -> Result<HttpRequest> {
    AzureRequest dated = request;
    dated.headers.emplace_back("x-ms-date", FormatHttpDate(io_->now_ms()));
    return options_.key.empty() ? PlainAzureRequest(dated) : SignWithSharedKey(dated, options_.account, options_.key);
  };
  const bool signs = !options_.key.empty() || !options_.sas.empty();
  Result<Answer> answer = signs ? retrier_.Send(make) : client_.Send(*make());
  return answer.ok() ? std::move(answer) : answer.status().Wrap(what);
}

// Says nothing of what was signed, which the service repeats when a signature is wrong.
Status AzureBucket::Refusal(const std::string& action, const std::string& key, const HttpResponse& response) const {
  const std::string code = ErrorCode(response);
  const auto xml = ParseXml(response.body);
  const std::string told = xml ? FirstLine(xml->TextOf("Message")) : "";
  const std::string why =
      code.empty() ? "HTTP " + std::to_string(response.status) : code + (told.empty() ? "" : ": ") + told;
  const std::string what = "cannot " + action + " " + UrlOf(key) + ": " + why;
  if (response.status == 401) return {Code::kUnauthenticated, what + "; log in again, and run the command once more"};
  if (response.status == 403) {
    return {Code::kPermissionDenied,
            what + "; the role that is needed is Storage Blob Data Contributor, and the clock must be right"};
  }
  if (response.status == 404) return {Code::kNotFound, what};
  return {IsTransientFailure(response) ? Code::kUnavailable : Code::kUnknown, what};
}

Result<std::optional<Blob>> AzureBucket::Get(const std::string& key) {
  Result<Answer> answer = Send(RequestFor("GET", key), "cannot read " + UrlOf(key));
  if (!answer.ok()) return answer.status();
  HttpResponse& response = answer->response;
  if (IsAbsent(response)) return std::optional<Blob>();
  if (!response.ok()) return Refusal("read", key, response);
  Blob blob;
  Result<std::string> tag = VersionTag(response, "etag", "cannot read " + UrlOf(key));
  if (!tag.ok()) return tag.status();
  blob.tag = std::move(*tag);
  blob.modified_ms = std::max<int64_t>(0, ParseHttpDate(response.header("last-modified")));
  blob.server_ms = std::max<int64_t>(0, ParseHttpDate(response.header("date")));
  blob.bytes = std::move(response.body);
  return std::optional<Blob>(std::move(blob));
}

Result<std::string> AzureBucket::Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                                     const std::string& content_type) {
  AzureRequest request = RequestFor("PUT", key);
  request.headers = {{"x-ms-blob-type", "BlockBlob"}, {"Content-Type", content_type}};
  const std::string md5 = Md5(bytes);
  if (!md5.empty()) request.headers.emplace_back("x-ms-blob-content-md5", Base64Encode(md5));
  if (condition.kind == PutCondition::Kind::kIfAbsent) request.headers.emplace_back("If-None-Match", "*");
  if (condition.kind == PutCondition::Kind::kIfTag) request.headers.emplace_back("If-Match", condition.tag);
  request.body = bytes;
  Result<Answer> answer = Send(std::move(request), "cannot write " + UrlOf(key));
  if (!answer.ok()) return answer.status();
  const HttpResponse& response = answer->response;
  if (response.ok()) return VersionTag(response, "etag", "cannot write " + UrlOf(key));
  const bool exists = response.status == 409 && ErrorCode(response) == "BlobAlreadyExists";
  const bool gone = condition.kind == PutCondition::Kind::kIfTag && IsAbsent(response);
  if (response.status == 412 || exists || gone) return ResolveFailedPut(*this, key, UrlOf(key), bytes);
  return Refusal("write", key, response);
}

Status AzureBucket::Copy(const std::string& from, const std::string& to) {
  AzureRequest source = RequestFor("GET", from);
  source.query = options_.sas;
  AzureRequest request = RequestFor("PUT", to);
  request.headers = {{"x-ms-copy-source", PlainAzureRequest(source).url}};
  const Result<Answer> answer = Send(std::move(request), "cannot copy " + UrlOf(from));
  if (!answer.ok()) return answer.status();
  const HttpResponse& response = answer.value().response;
  if (IsAbsent(response)) return {Code::kNotFound, UrlOf(from) + " is not there"};
  if (!response.ok()) return Refusal("copy", from, response);
  return WaitForCopy(to, response.header("x-ms-copy-status"));
}

Status AzureBucket::WaitForCopy(const std::string& key, std::string status) {
  for (int poll = 0; status == "pending" && poll < kCopyPollsMax; ++poll) {
    io_->sleep_ms(kCopyPollMs);
    const Result<Answer> answer = Send(RequestFor("HEAD", key), "cannot copy to " + UrlOf(key));
    if (!answer.ok()) return answer.status();
    if (!answer.value().response.ok()) return Refusal("copy to", key, answer.value().response);
    status = answer.value().response.header("x-ms-copy-status");
  }
  if (status.empty() || status == "success") return Status::Ok();
  return {Code::kUnavailable, "cannot copy to " + UrlOf(key) + ": the copy is " + status};
}

Status AzureBucket::DeleteVersion(const std::string& key, const std::string& tag) {
  AzureRequest request = RequestFor("DELETE", key);
  request.headers = {{"x-ms-delete-snapshots", "include"}};
  if (!tag.empty()) request.headers.emplace_back("If-Match", tag);
  const Result<Answer> answer = Send(std::move(request), "cannot delete " + UrlOf(key));
  if (!answer.ok()) return answer.status();
  const HttpResponse& response = answer.value().response;
  if (response.status == 412) return {Code::kFailedPrecondition, UrlOf(key) + " has changed since it was read"};
  return response.ok() || IsAbsent(response) ? Status::Ok() : Refusal("delete", key, response);
}

Result<std::vector<BlobInfo>> AzureBucket::List(const std::string& prefix, bool one_level) {
  return ListAllPages(UrlOf(prefix), prefix, [&](const std::string& token, std::vector<BlobInfo>* found) {
    return ListOnePage(prefix, one_level, token, found);
  });
}

// Gives the marker of the next page, "" after the last one.
Result<std::string> AzureBucket::ListOnePage(const std::string& prefix, bool one_level, const std::string& marker,
                                             std::vector<BlobInfo>* found) {
  AzureRequest request{.method = "GET", .endpoint = options_.endpoint, .path = options_.path_base};
  request.path.pop_back();  // a container has no "/" after its name
  request.query = {
      {"restype", "container"}, {"comp", "list"}, {"maxresults", "1000"}, {"prefix", options_.root + prefix}};
  if (one_level) request.query.emplace_back("delimiter", "/");
  if (!marker.empty()) request.query.emplace_back("marker", marker);
  const Result<Answer> answer = Send(std::move(request), "cannot list " + UrlOf(prefix));
  if (!answer.ok()) return answer.status();
  if (!answer.value().response.ok()) return Refusal("list", prefix, answer.value().response);
  std::string_view body = answer.value().response.body;
  if (body.starts_with("\xef\xbb\xbf")) body.remove_prefix(3);
  const auto xml = ParseXml(body);
  const XmlElement* blobs = xml ? xml->Child("Blobs") : nullptr;
  if (!blobs) return Status(Code::kUnknown, "cannot list " + UrlOf(prefix) + ": the answer is no listing of Azure's");
  for (const XmlElement& blob : blobs->children) {
    const std::string name = blob.TextOf("Name");
    if (blob.name != "Blob" || !name.starts_with(options_.root)) continue;
    found->push_back({name.substr(options_.root.size()), std::atoll(blob.TextOf("Properties/Content-Length").c_str()),
                      std::max<int64_t>(0, ParseHttpDate(blob.TextOf("Properties/Last-Modified")))});
  }
  return xml->TextOf("NextMarker");
}

}  // namespace kingpost
