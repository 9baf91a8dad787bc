// SPDX-License-Identifier: Apache-2.0
#include "plugins/plugin_download.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "base/digest.h"
#include "base/encoding.h"
#include "base/url_masking.h"
#include "plugins/unpack.h"
#include "remote/http/http_client.h"

namespace kingpost {

namespace {

constexpr int kAttempts = 5;
constexpr std::chrono::milliseconds kFirstDelay{80};
constexpr size_t kReleaseBytesMax = size_t{64} << 20;  // of a description, in JSON

Status SystemError(const std::string& what) { return Status(Code::kUnknown, what + ": " + std::strerror(errno)); }

std::string HexOf(std::string_view bytes) { return HexEncode(bytes); }

bool IsAuthorization(const std::pair<std::string, std::string>& header) { return header.first == "Authorization"; }

// The result of asking one endpoint, or all of them.
struct Outcome {
  Status status;
  bool worth_repeating = false;
};

class Downloader {
 public:
  Downloader(const PluginSpec& spec, const DownloadContext& context, std::shared_ptr<AnonymousFile> file)
      : spec_(spec), context_(context), file_(std::move(file)) {}

  Result<DownloadedArchive> Run() {
    auto endpoints = ArchiveEndpoints(spec_, context_.platform, context_.sources);
    if (!endpoints.ok()) return endpoints.status();
    ProgressReporter progress(context_.on_progress, "plugin-download", spec_.id(), "Downloading plugin");
    progress_ = &progress;
    auto delay = kFirstDelay;
    for (int attempt = 1;; ++attempt, delay *= 2) {
      const Outcome outcome = TryAll(*endpoints);
      if (outcome.status.ok()) return DownloadedArchive{file_, size_};
      if (!outcome.worth_repeating) return outcome.status;
      if (attempt == kAttempts) {
        return outcome.status.Wrap("failed all " + std::to_string(kAttempts) + " attempts");
      }
      if (context_.on_retry) {
        context_.on_retry("Error downloading plugin: " + outcome.status.message() + "\nWill retry in " +
                          std::to_string(delay.count()) + "ms [" + std::to_string(attempt) + "/" +
                          std::to_string(kAttempts) + "]");
      }
      std::this_thread::sleep_for(delay);
    }
  }

  // The body of a small answer.
  Result<std::string> FetchText(const PluginEndpoint& endpoint) {
    Outcome outcome;
    for (int attempt = 1; attempt <= kAttempts; ++attempt) {
      std::string text;
      outcome = Ask(endpoint, [&text](std::string_view bytes) {
        text.append(bytes);
        return true;
      });
      if (outcome.status.ok()) return text;
      if (!outcome.worth_repeating) break;
      std::this_thread::sleep_for(kFirstDelay * (1 << attempt));
    }
    return outcome.status;
  }

 private:
  Outcome TryAll(const std::vector<PluginEndpoint>& endpoints) {
    Outcome all;
    for (const PluginEndpoint& endpoint : endpoints) {
      Outcome one = endpoint.asset.empty() ? FetchArchive(endpoint) : FetchAsset(endpoint);
      if (one.status.ok() || one.status.code() == Code::kCancelled || one.status.code() == Code::kDataLoss) return one;
      all.worth_repeating = all.worth_repeating || one.worth_repeating;
      all.status =
          all.status.ok() ? one.status : Status(one.status.code(), all.status.message() + "; " + one.status.message());
    }
    return all;
  }

  Outcome FetchAsset(const PluginEndpoint& release) {
    std::string json;
    const Outcome described = Ask(release, [&json](std::string_view bytes) {
      json.append(bytes);
      return json.size() <= kReleaseBytesMax;
    });
    if (json.size() > kReleaseBytesMax) return {TooLarge(release, kReleaseBytesMax)};
    if (!described.status.ok()) return described;
    auto url = UrlOfAsset(json, release.asset);
    if (!url.ok()) return {url.status().Wrap("the release at " + MaskUrls(release.url))};
    PluginEndpoint asset = release;
    asset.url = *url;
    if (HostOfUrl(asset.url) != HostOfUrl(release.url)) std::erase_if(asset.headers, IsAuthorization);
    for (auto& [name, value] : asset.headers) {
      if (name == "Accept") value = "application/octet-stream";
    }
    return FetchArchive(asset);
  }

  static Status TooLarge(const PluginEndpoint& endpoint, int64_t limit) {
    return Status(Code::kOutOfRange, "the download from " + MaskUrls(endpoint.url) + " is refused: it has more than " +
                                         std::to_string(limit) + " bytes");
  }

  Outcome FetchArchive(const PluginEndpoint& endpoint) {
    Status written = file_->Clear();
    if (!written.ok()) return {written};
    Sha256 hash;
    size_ = 0;
    is_archive_ = true;
    Outcome outcome = Ask(endpoint, [&](std::string_view bytes) {
      hash.Update(bytes);
      size_ += static_cast<int64_t>(bytes.size());
      written = size_ > UnpackLimits().bytes ? TooLarge(endpoint, UnpackLimits().bytes) : file_->Append(bytes);
      return written.ok();
    });
    is_archive_ = false;
    if (!written.ok()) return {written};
    if (!outcome.status.ok()) return outcome;
    const auto expected = spec_.checksums.find(context_.platform.key());
    if (expected == spec_.checksums.end()) return outcome;
    const auto digest = hash.Digest();
    const std::string_view actual(reinterpret_cast<const char*>(digest.data()), digest.size());
    if (actual == expected->second) return outcome;
    return {Status(Code::kDataLoss, "invalid checksum, expected " + HexOf(expected->second) + ", actual " +
                                        HexOf(actual) + ": " + MaskUrls(endpoint.url) + " has another file")};
  }

  Outcome Ask(const PluginEndpoint& endpoint, const std::function<bool(std::string_view)>& on_body) {
    HttpRequest request;
    request.url = endpoint.url;
    request.is_untrusted_url = true;
    request.headers = endpoint.headers;
    request.headers.push_back({"User-Agent", "kingpost/" KINGPOST_VERSION " (linux)"});
    request.on_body = on_body;
    request.cancelled = context_.cancelled;
    if (is_archive_) {
      request.on_progress = [this](int64_t received, int64_t total) { progress_->Update(received, total); };
    }
    auto response = SendHttp(request);
    if (!response.ok()) return {response.status(), response.status().code() == Code::kUnavailable};
    if (response->ok()) return {};
    if (Refused(*response) && DropAuthorization(&request)) {
      // A token that is too narrow must not keep anyone from what is public.
      auto again = SendHttp(request);
      if (again.ok()) response = std::move(again);
      if (response->ok()) return {};
    }
    return {Explain(endpoint, *response), response->status != 404 && response->status != 403};
  }

  static bool IsRateLimit(const HttpResponse& response) {
    return response.status == 403 && response.header("x-ratelimit-remaining") == "0";
  }
  static bool Refused(const HttpResponse& response) {
    return (response.status == 401 || response.status == 403) && !IsRateLimit(response);
  }
  static bool DropAuthorization(HttpRequest* request) { return std::erase_if(request->headers, IsAuthorization) > 0; }

  static Status Explain(const PluginEndpoint& endpoint, const HttpResponse& response) {
    const std::string url = MaskUrls(endpoint.url);
    std::string text = std::to_string(response.status) + " HTTP error fetching plugin from " + url;
    if (IsRateLimit(response)) {
      text = "rate limit exceeded: " + text + ": set GITHUB_TOKEN to make a request with a higher rate limit";
    } else if (response.status == 404 && HostOfUrl(endpoint.url) == "api.github.com") {
      text +=
          ". If this is a private GitHub repository, try providing a token via the GITHUB_TOKEN environment "
          "variable. See: https://github.com/settings/tokens";
    }
    if (!endpoint.withheld_variable.empty() && (Refused(response) || response.status == 404)) {
      text += ". " + endpoint.withheld_variable +
              " was not sent, because it is not meant for this host; to allow it, name the host in " +
              (endpoint.withheld_variable == "GITHUB_TOKEN" ? "GH_HOST" : "GITLAB_HOST");
    }
    return Status(response.status == 404 ? Code::kNotFound : Code::kUnavailable, text);
  }

  const PluginSpec& spec_;
  const DownloadContext& context_;
  const std::shared_ptr<AnonymousFile> file_;
  ProgressReporter* progress_ = nullptr;  // while an archive is downloaded
  bool is_archive_ = false;
  int64_t size_ = 0;
};

}  // namespace

Result<std::shared_ptr<AnonymousFile>> AnonymousFile::Make(const std::string& folder) {
  std::string name = folder + "/.download-XXXXXX";
  const int fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return SystemError("cannot write to " + folder);
  unlink(name.c_str());
  return std::make_shared<AnonymousFile>(fd);
}

AnonymousFile::~AnonymousFile() { close(fd_); }

Status AnonymousFile::Clear() {
  if (ftruncate(fd_, 0) != 0 || lseek(fd_, 0, SEEK_SET) < 0) return SystemError("cannot write the downloaded archive");
  return Status::Ok();
}

Status AnonymousFile::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError("cannot write the downloaded archive");
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return Status::Ok();
}

Result<DownloadedArchive> DownloadPlugin(const PluginSpec& spec, const DownloadContext& context) {
  auto file = AnonymousFile::Make(context.folder);
  if (!file.ok()) return file.status();
  auto archive = Downloader(spec, context, std::move(*file)).Run();
  if (!archive.ok()) return archive.status().Wrap("failed to download plugin: " + spec.id());
  return archive;
}

Result<std::string> FetchLatestVersion(const PluginSpec& spec, const DownloadContext& context) {
  auto endpoint = LatestVersionEndpoint(spec, context.sources);
  if (!endpoint.ok()) return endpoint.status();
  auto json = Downloader(spec, context, nullptr).FetchText(*endpoint);
  if (!json.ok()) return json.status();
  return VersionOfRelease(*json);
}

}  // namespace kingpost
