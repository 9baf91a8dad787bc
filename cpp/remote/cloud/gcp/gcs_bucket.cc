// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/gcp/gcs_bucket.h"

#include <algorithm>

#include "base/os.h"
#include "base/time_text.h"
#include "remote/blob/service_answers.h"
#include "remote/cloud/gcp/credentials.h"
#include "remote/cloud/service_url.h"
#include "remote/cloud/small_file.h"
#include "remote/cloud/version_tag.h"

namespace kingpost {

namespace {

// A copy may go on for so many requests in a row without a byte more that is copied.
constexpr int kIdleRewritesMax = 100;
constexpr char kGcsParameters[] = "access_id, private_key_path, anonymous and universe_domain";

// An object may be written once in a second; more is answered with 429.
RetryPolicy GcsPolicy() {
  RetryPolicy policy;
  policy.attempts_max = 7;
  policy.first_delay_ms = 400;
  return policy;
}

std::string GcsRight(const std::string& action) {
  if (action == "read") return "storage.objects.get";
  if (action == "list") return "storage.objects.list";
  if (action == "delete") return "storage.objects.delete";
  return "storage.objects.create and storage.objects.delete";
}

bool IsBucketMissing(const HttpResponse& response) {
  return response.body.find("bucket does not exist") != std::string::npos;
}

std::string WithoutSlash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace

Result<GcsOptions> GcsOptions::From(const std::string& text) {
  Result<ServiceUrl> url = ServiceUrl::Parse(text);
  if (!url.ok()) return url.status();
  if (url->host().empty()) return Status(Code::kInvalidArgument, "the URL names no bucket: expected gs://BUCKET");
  GcsOptions options;
  options.bucket = url->host();
  options.root = url->root();
  options.printable_url = url->printable();
  const Result<bool> anonymous = url->TakeBool("anonymous");
  if (!anonymous.ok()) return anonymous.status();
  // Both are about links, which nothing here makes; the key must be there all the same.
  const std::string access_id = url->Take("access_id").value_or("");
  const std::optional<std::string> key_file = url->Take("private_key_path");
  if (key_file) {
    const Result<std::string> key = ReadSmallFile(*key_file);
    if (!key.ok()) return key.status().Wrap("private_key_path of " + options.printable_url);
  }
  const std::string universe = url->Take("universe_domain").value_or("googleapis.com");
  KP_TRY(url->RefuseOthers(kGcsParameters));
  const std::string emulator = WithoutSlash(GetEnvironment("STORAGE_EMULATOR_HOST"));
  options.anonymous = anonymous.value() || access_id == "-" || !emulator.empty();
  options.endpoint = emulator.empty()                            ? "https://storage." + universe
                     : emulator.find("://") == std::string::npos ? "http://" + emulator
                                                                 : emulator;
  return options;
}

GcsBucket::GcsBucket(GcsOptions options, const std::shared_ptr<const CloudIo>& io)
    : options_(std::move(options)),
      client_(
          io, GcsPolicy(),
          options_.anonymous ? TokenCache::Find() : [io] { return FindGcpToken(io, kGcpStorageScope); }) {}

std::string GcsBucket::ObjectUrl(const std::string& key) const {
  return options_.endpoint + "/storage/v1/b/" + PercentEncode(options_.bucket) + "/o/" +
         PercentEncode(options_.root + key);
}

std::string GcsBucket::UrlOf(const std::string& key) const {
  return "gs://" + options_.bucket + "/" + options_.root + key;
}

Status GcsBucket::Refusal(const std::string& action, const std::string& key, const HttpResponse& response) const {
  const auto fields = FlatJson::Parse(response.body);
  const std::string told = fields ? fields->Text("error.message") : "";
  const std::string why = told.empty() ? "HTTP " + std::to_string(response.status) : told;
  const std::string what = "cannot " + action + " " + UrlOf(key) + ": " + why.substr(0, why.find_first_of("\r\n"));
  if (response.status == 401) return {Code::kUnauthenticated, what + "; log in again, and run the command once more"};
  if (response.status == 403)
    return {Code::kPermissionDenied, what + "; the right that is needed is " + GcsRight(action)};
  if (response.status == 404) return {Code::kNotFound, what};
  return {IsTransientFailure(response) ? Code::kUnavailable : Code::kUnknown, what};
}

Result<std::optional<Blob>> GcsBucket::Get(const std::string& key) {
  HttpRequest request;
  request.url = ObjectUrl(key) + "?alt=media";
  Result<Answer> answer = client_.Send(request);
  if (!answer.ok()) return answer.status().Wrap("cannot read " + UrlOf(key));
  HttpResponse& response = answer->response;
  if (response.status == 404 && !IsBucketMissing(response)) return std::optional<Blob>();
  if (!response.ok()) return Refusal("read", key, response);
  Blob blob;
  Result<std::string> tag = VersionTag(response, "x-goog-generation", "cannot read " + UrlOf(key));
  if (!tag.ok()) return tag.status();
  blob.tag = std::move(*tag);
  blob.modified_ms = std::max<int64_t>(0, ParseHttpDate(response.header("last-modified")));
  blob.server_ms = std::max<int64_t>(0, ParseHttpDate(response.header("date")));
  blob.bytes = std::move(response.body);
  return std::optional<Blob>(std::move(blob));
}

Result<std::string> GcsBucket::Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                                   const std::string& content_type) {
  Parameters query = {{"uploadType", "media"}, {"name", options_.root + key}};
  if (condition.kind == PutCondition::Kind::kIfAbsent) query.emplace_back("ifGenerationMatch", "0");
  if (condition.kind == PutCondition::Kind::kIfTag) query.emplace_back("ifGenerationMatch", condition.tag);
  HttpRequest request;
  request.method = "POST";
  request.url = options_.endpoint + "/upload/storage/v1/b/" + PercentEncode(options_.bucket) + "/o?" + FormBody(query);
  request.headers = {{"Content-Type", content_type}};
  request.body = bytes;
  Result<Answer> answer = client_.Send(request);
  if (!answer.ok()) return answer.status().Wrap("cannot write " + UrlOf(key));
  if (answer->response.status == 412) return ResolveFailedPut(*this, key, UrlOf(key), bytes);
  if (!answer->response.ok()) return Refusal("write", key, answer->response);
  const auto fields = FlatJson::Parse(answer->response.body);
  const std::string generation = fields ? fields->Text("generation") : "";
  if (generation.empty())
    return Status(Code::kUnknown, "cannot write " + UrlOf(key) + ": the answer has no generation");
  return generation;
}

Status GcsBucket::Copy(const std::string& from, const std::string& to) {
  const std::string target =
      ObjectUrl(from) + "/rewriteTo/b/" + PercentEncode(options_.bucket) + "/o/" + PercentEncode(options_.root + to);
  // A large object is copied by several requests, each of which says how to go on.
  std::string token;
  int64_t copied = 0;
  for (int idle = 0; idle < kIdleRewritesMax; ++idle) {
    HttpRequest request;
    request.method = "POST";
    request.url = target + (token.empty() ? "" : "?" + FormBody({{"rewriteToken", token}}));
    request.headers = {{"Content-Type", "application/json"}};
    const Result<Answer> answer = client_.Send(request);
    if (!answer.ok()) return answer.status().Wrap("cannot copy " + UrlOf(from));
    const HttpResponse& response = answer.value().response;
    if (response.status == 404 && !IsBucketMissing(response)) return {Code::kNotFound, UrlOf(from) + " is not there"};
    if (!response.ok()) return Refusal("copy", from, response);
    const auto fields = FlatJson::Parse(response.body);
    token = fields ? fields->Text("rewriteToken") : "";
    if (!fields || fields->Text("done") == "true" || token.empty()) return Status::Ok();
    const int64_t now = std::atoll(fields->Text("totalBytesRewritten").c_str());
    if (now > copied) idle = 0;
    copied = std::max(copied, now);
  }
  return {Code::kUnavailable,
          "cannot copy " + UrlOf(from) + ": the service repeats that the copy goes on, and copies nothing; try again"};
}

Status GcsBucket::DeleteVersion(const std::string& key, const std::string& tag) {
  HttpRequest request;
  request.method = "DELETE";
  request.url = ObjectUrl(key) + (tag.empty() ? "" : "?" + FormBody({{"ifGenerationMatch", tag}}));
  const Result<Answer> answer = client_.Send(request);
  if (!answer.ok()) return answer.status().Wrap("cannot delete " + UrlOf(key));
  const HttpResponse& response = answer.value().response;
  const bool absent = response.status == 404 && !IsBucketMissing(response);
  if (response.status == 412) return {Code::kFailedPrecondition, UrlOf(key) + " has changed since it was read"};
  return response.ok() || absent ? Status::Ok() : Refusal("delete", key, response);
}

Result<std::vector<BlobInfo>> GcsBucket::List(const std::string& prefix, bool one_level) {
  return ListAllPages(UrlOf(prefix), prefix, [&](const std::string& token, std::vector<BlobInfo>* found) {
    return ListOnePage(prefix, one_level, token, found);
  });
}

// Gives the token of the next page, "" after the last one.
Result<std::string> GcsBucket::ListOnePage(const std::string& prefix, bool one_level, const std::string& token,
                                           std::vector<BlobInfo>* found) {
  Parameters query = {
      {"prefix", options_.root + prefix}, {"maxResults", "1000"}, {"fields", "items(name,size,updated),nextPageToken"}};
  if (one_level) query.emplace_back("delimiter", "/");
  if (!token.empty()) query.emplace_back("pageToken", token);
  HttpRequest request;
  request.url = options_.endpoint + "/storage/v1/b/" + PercentEncode(options_.bucket) + "/o?" + FormBody(query);
  const Result<Answer> answer = client_.Send(request);
  if (!answer.ok()) return answer.status().Wrap("cannot list " + UrlOf(prefix));
  if (!answer.value().response.ok()) return Refusal("list", prefix, answer.value().response);
  const auto fields = FlatJson::Parse(answer.value().response.body);
  if (!fields) return Status(Code::kUnknown, "cannot list " + UrlOf(prefix) + ": the answer is no JSON");
  for (size_t i = 0;; ++i) {
    const std::string item = "items." + std::to_string(i) + ".";
    const std::string name = fields->Text(item + "name");
    if (name.empty()) break;
    if (!name.starts_with(options_.root)) continue;
    found->push_back({name.substr(options_.root.size()), std::atoll(fields->Text(item + "size").c_str()),
                      std::max<int64_t>(0, ParseIsoTime(fields->Text(item + "updated")))});
  }
  return fields->Text("nextPageToken");
}

}  // namespace kingpost
