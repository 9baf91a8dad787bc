// SPDX-License-Identifier: Apache-2.0
// Blocking requests over HTTP and HTTPS, for worker threads: redirects, the environment's proxies and certificates,
// progress, cancellation, connections that are kept open. Stands on libcurl, which is loaded when the first request is
// made. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace kingpost {

// Whom to trust and as whom to appear; empty: as the environment and the system say.
struct TlsOptions {
  std::string ca_file, ca_folder;  // instead of SSL_CERT_FILE, SSL_CERT_DIR
  std::string client_certificate, client_key;
  bool verify = true;
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;  // "http://..." or "https://..."; may hold "user:password@"
  // Authorization is not sent on to another host that a redirect leads to.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  // A redirect that is not followed is the answer; a signed request is good for one address alone.
  bool follow_redirects = true;
  bool direct = false;  // asks no proxy: for addresses that only this machine can reach
  // A program or a provider gave the URL: it must not lead, also by redirects, to the link-local addresses where a
  // machine in a cloud gets its credentials. PermissionDenied if it does.
  bool is_untrusted_url = false;
  TlsOptions tls;
  int64_t connect_ms = 30'000;
  int64_t total_ms = 0;  // for all of the request; 0: as long as bytes come

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

// Connections that stay open between requests: a new handshake would cost more than most requests to a cloud do.
class HttpConnections {
 public:
  HttpConnections();
  ~HttpConnections();
  // As SendHttp().
  Result<HttpResponse> Send(const HttpRequest& request);

 private:
  struct Handles;

  std::mutex mutex_;
  std::unique_ptr<Handles> idle_;  // the last one used first: the others may close
};

// The URL for people: without user, password, query and fragment, any of which may hold a token.
std::string PrintableUrl(const std::string& url);
// The host of a URL, or of a text that is only a host: without a port, and without the brackets of an address.
std::string HostOfUrl(const std::string& url);

}  // namespace kingpost
