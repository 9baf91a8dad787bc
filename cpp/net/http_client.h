// SPDX-License-Identifier: Apache-2.0
// Blocking requests over HTTP and HTTPS, for worker threads: redirects, the environment's proxies and certificates,
// progress, cancellation. Stands on libcurl, which is loaded when the first request is made. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace kingpost {

struct HttpRequest {
  std::string method = "GET";
  std::string url;  // "http://..." or "https://..."; may hold "user:password@"
  // Authorization is not sent on to another host that a redirect leads to.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  // Takes the body of a good answer (2xx) as it arrives; false ends the request with Aborted. Null: see
  // HttpResponse::body. The body of any other answer is kept there in part, for messages.
  std::function<bool(std::string_view bytes)> on_body;
  // Now and then while a good answer arrives; `total` is -1 if the server does not tell.
  std::function<void(int64_t received, int64_t total)> on_progress;
  // Set by any thread: the request ends with Cancelled within a second. May be null.
  const std::atomic<bool>* cancelled = nullptr;
};

struct HttpResponse {
  int status = 0;                              // 200, 404, ...
  std::map<std::string, std::string> headers;  // of the last answer; names in lower case
  std::string body;

  bool ok() const { return status >= 200 && status <= 299; }
  std::string header(const std::string& lower_case_name) const;
};

// Whatever the server answers is a response; a Status says that there was no whole answer: Unavailable, Cancelled,
// Aborted or InvalidArgument. Errors name the URL, without what is secret in it, and what to look at.
Result<HttpResponse> SendHttp(const HttpRequest& request);

// The URL for people: without user, password, query and fragment, any of which may hold a token.
std::string PrintableUrl(const std::string& url);

}  // namespace kingpost
