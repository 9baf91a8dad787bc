// SPDX-License-Identifier: Apache-2.0
#include "remote/http/http_client.h"

#include <optional>

#include "base/url_masking.h"
#include "remote/http/curl_library.h"
#include "remote/http/http_transfer.h"

namespace kingpost {

namespace {

// A handle of libcurl with the connections that it keeps open.
class Handle {
 public:
  explicit Handle(const CurlLibrary& curl) : curl_(curl), handle_(curl.easy_init()) {}
  Handle(Handle&& other) noexcept : curl_(other.curl_), handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (handle_) curl_.easy_cleanup(handle_);
  }

  Result<HttpResponse> Send(const HttpRequest& request) {
    if (!handle_) return Status(Code::kResourceExhausted, "cannot start a request: libcurl has no memory");
    curl_.easy_reset(handle_);
    return HttpTransfer(curl_, handle_, request).Run();
  }

 private:
  const CurlLibrary& curl_;
  CURL* handle_;
};

}  // namespace

struct HttpConnections::Handles {
  std::vector<Handle> handles;
};

HttpConnections::HttpConnections() : idle_(std::make_unique<Handles>()) {}
HttpConnections::~HttpConnections() = default;

Result<HttpResponse> HttpConnections::Send(const HttpRequest& request) {
  auto curl = CurlLibrary::Get();
  if (!curl.ok()) return curl.status();
  std::optional<Handle> handle;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!idle_->handles.empty()) {
      handle.emplace(std::move(idle_->handles.back()));
      idle_->handles.pop_back();
    }
  }
  if (!handle) handle.emplace(**curl);
  Result<HttpResponse> response = handle->Send(request);
  std::lock_guard<std::mutex> lock(mutex_);
  idle_->handles.push_back(std::move(*handle));
  return response;
}

Result<HttpResponse> SendHttp(const HttpRequest& request) {
  auto curl = CurlLibrary::Get();
  if (!curl.ok()) return curl.status();
  return Handle(**curl).Send(request);
}

std::string HttpResponse::header(const std::string& lower_case_name) const {
  const auto found = headers.find(lower_case_name);
  return found == headers.end() ? "" : found->second;
}

std::string PrintableUrl(const std::string& url) { return MaskUrls(url); }

}  // namespace kingpost
