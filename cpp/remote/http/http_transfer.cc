// SPDX-License-Identifier: Apache-2.0
#include "remote/http/http_transfer.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "base/os.h"
#include "base/text.h"
#include "base/trim.h"
#include "base/url_masking.h"
#include "remote/http/link_local.h"

namespace kingpost {

namespace {

constexpr long kStalledSeconds = 60;  // without a byte, a transfer is given up
constexpr long kRedirectsMax = 10;
constexpr size_t kErrorBodyMax = 16 * 1024;
constexpr size_t kBodyMax = size_t{1} << 30;

bool IsLoopback(const std::string& host) { return host == "localhost" || host == "::1" || host.starts_with("127."); }

}  // namespace

std::string HostOfUrl(const std::string& url) {
  const std::string plain = url.substr(0, url.find_first_of("?#"));
  size_t begin = plain.find("://");
  begin = begin == std::string::npos ? 0 : begin + 3;
  const size_t end = std::min(plain.find('/', begin), plain.size());
  std::string host = plain.substr(begin, end - begin);
  host.erase(0, host.rfind('@') + 1);
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

Result<HttpResponse> HttpTransfer::Run() {
  link_local_ = request_.is_untrusted_url && NamesLinkLocal(request_.url);
  if (link_local_) return Explain(CURLE_OK);
  SetTarget();
  SetBody();
  SetHeaders();
  SetTimes();
  SetProxy();
  SetTrust();
  SetCallbacks();
  const CURLcode code = curl_.easy_perform(handle_);
  long status = 0;
  curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
  response_.status = static_cast<int>(status);
  if (code == CURLE_OK) return std::move(response_);
  return Explain(code);
}

void HttpTransfer::SetTarget() {
  const std::string& url = request_.url;
  Set(CURLOPT_URL, url.c_str());
  Set(CURLOPT_PATH_AS_IS, 1L);
  Set(CURLOPT_PROTOCOLS_STR, "http,https");
  // A transfer that began safely is not to be continued unsafely.
  Set(CURLOPT_REDIR_PROTOCOLS_STR, url.starts_with("https:") ? "https" : "http,https");
  Set(CURLOPT_FOLLOWLOCATION, request_.follow_redirects ? 1L : 0L);
  Set(CURLOPT_MAXREDIRS, kRedirectsMax);
  if (request_.method == "HEAD") Set(CURLOPT_NOBODY, 1L);
}

void HttpTransfer::SetBody() {
  if (!request_.body.empty() || request_.method == "PUT" || request_.method == "POST") {
    Set(CURLOPT_UPLOAD, 1L);
    Set(CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    Set(CURLOPT_READFUNCTION, &HttpTransfer::OnRead);
    Set(CURLOPT_READDATA, this);
    Set(CURLOPT_SEEKFUNCTION, &HttpTransfer::OnSeek);
    Set(CURLOPT_SEEKDATA, this);
  }
  Set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
}

void HttpTransfer::SetHeaders() {
  for (const auto& [name, value] : request_.headers) AddHeader(name + (value.empty() ? ";" : ": " + value));
  AddHeader("Expect:");  // no pause before a body
  Set(CURLOPT_HTTPHEADER, header_list_);
}

void HttpTransfer::SetTimes() {
  Set(CURLOPT_NOSIGNAL, 1L);
  Set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.connect_ms));
  Set(CURLOPT_TIMEOUT_MS, static_cast<long>(request_.total_ms));
  Set(CURLOPT_LOW_SPEED_LIMIT, 1L);
  Set(CURLOPT_LOW_SPEED_TIME, kStalledSeconds);
  Set(CURLOPT_TCP_KEEPALIVE, 1L);
}

// libcurl knows the variables of proxies, except that it ignores an upper-case HTTP_PROXY and asks a proxy even for
// this machine. Programs of the reference's kind do neither.
void HttpTransfer::SetProxy() {
  if (request_.direct || IsLoopback(HostOfUrl(request_.url))) {
    Set(CURLOPT_PROXY, "");
  } else if (request_.url.starts_with("http:") && GetEnvironment("http_proxy").empty()) {
    SetText(CURLOPT_PROXY, GetEnvironment("HTTP_PROXY"));
  }
}

void HttpTransfer::SetTrust() {
  const TlsOptions& tls = request_.tls;
  const bool own = !tls.ca_file.empty() || !tls.ca_folder.empty();
  SetText(CURLOPT_CAINFO, own ? tls.ca_file : GetEnvironment("SSL_CERT_FILE"));
  SetText(CURLOPT_CAPATH, own ? tls.ca_folder : GetEnvironment("SSL_CERT_DIR"));
  SetText(CURLOPT_SSLCERT, tls.client_certificate);
  SetText(CURLOPT_SSLKEY, tls.client_key);
  if (tls.verify) return;
  Set(CURLOPT_SSL_VERIFYPEER, 0L);
  Set(CURLOPT_SSL_VERIFYHOST, 0L);
}

void HttpTransfer::SetCallbacks() {
  Set(CURLOPT_ERRORBUFFER, error_);
  Set(CURLOPT_HEADERFUNCTION, &HttpTransfer::OnHeader);
  Set(CURLOPT_HEADERDATA, this);
  Set(CURLOPT_WRITEFUNCTION, &HttpTransfer::OnBytes);
  Set(CURLOPT_WRITEDATA, this);
  Set(CURLOPT_XFERINFOFUNCTION, &HttpTransfer::OnProgress);
  Set(CURLOPT_XFERINFODATA, this);
  Set(CURLOPT_NOPROGRESS, 0L);
  Set(CURLOPT_SOCKOPTFUNCTION, &HttpTransfer::OnSocket);
  if (!request_.is_untrusted_url) return;
  Set(CURLOPT_OPENSOCKETFUNCTION, &HttpTransfer::OnOpenSocket);
  Set(CURLOPT_OPENSOCKETDATA, this);
}

bool HttpTransfer::IsGood() const {
  long status = 0;
  curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
  return status >= 200 && status <= 299;
}

size_t HttpTransfer::OnHeader(char* data, size_t size, size_t count, void* self) {
  auto* transfer = static_cast<HttpTransfer*>(self);
  transfer->TakeHeader(std::string_view(data, size * count));
  return transfer->link_local_ ? 0 : size * count;
}

size_t HttpTransfer::OnBytes(char* data, size_t size, size_t count, void* self) {
  return static_cast<HttpTransfer*>(self)->TakeBytes(std::string_view(data, size * count)) ? size * count : 0;
}

size_t HttpTransfer::OnRead(char* room, size_t size, size_t count, void* self) {
  auto* transfer = static_cast<HttpTransfer*>(self);
  const std::string& body = transfer->request_.body;
  const size_t part = std::min(size * count, body.size() - transfer->sent_);
  std::copy_n(body.data() + transfer->sent_, part, room);
  transfer->sent_ += part;
  return part;
}

int HttpTransfer::OnSeek(void* self, curl_off_t offset, int origin) {
  auto* transfer = static_cast<HttpTransfer*>(self);
  if (origin != SEEK_SET || offset < 0 || static_cast<size_t>(offset) > transfer->request_.body.size()) {
    return CURL_SEEKFUNC_CANTSEEK;
  }
  transfer->sent_ = static_cast<size_t>(offset);
  return CURL_SEEKFUNC_OK;
}

int HttpTransfer::OnProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const HttpRequest& request = static_cast<HttpTransfer*>(self)->request_;
  return request.cancelled && request.cancelled->load() ? 1 : 0;
}

// Once names are resolved, so that no name stands for what is refused.
curl_socket_t HttpTransfer::OnOpenSocket(void* self, curlsocktype, curl_sockaddr* address) {
  if (IsLinkLocal(address->addr)) {
    static_cast<HttpTransfer*>(self)->link_local_ = true;
    return CURL_SOCKET_BAD;
  }
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Programs that we start meanwhile do not inherit connections.
int HttpTransfer::OnSocket(void*, curl_socket_t socket, curlsocktype) {
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  return CURL_SOCKOPT_OK;
}

void HttpTransfer::TakeHeader(std::string_view line) {
  if (line.starts_with("HTTP/")) {  // another answer, after a redirect
    response_.headers.clear();
    response_.body.clear();
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string name = Lowered(std::string(line.substr(0, colon)));
  line.remove_prefix(colon + 1);
  response_.headers[name] = Trimmed(line);
  // Behind a proxy no address is ours to see: what the redirect says is.
  if (name == "location" && request_.is_untrusted_url && NamesLinkLocal(response_.headers[name])) link_local_ = true;
}

bool HttpTransfer::TakeBytes(std::string_view bytes) {
  if (!IsGood()) {
    const size_t room = kErrorBodyMax - std::min(kErrorBodyMax, response_.body.size());
    response_.body.append(bytes.substr(0, room));
    return true;
  }
  received_ += static_cast<int64_t>(bytes.size());
  if (request_.on_progress) request_.on_progress(received_, Total());
  if (request_.on_body) return !(aborted_ = !request_.on_body(bytes));
  too_big_ = response_.body.size() + bytes.size() > kBodyMax;
  if (!too_big_) response_.body.append(bytes);
  return !too_big_;
}

int64_t HttpTransfer::Total() const {
  curl_off_t total = -1;
  curl_.easy_getinfo(handle_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &total);
  return total;
}

Status HttpTransfer::Explain(CURLcode code) const {
  const std::string what = "cannot fetch " + MaskUrls(request_.url);
  if (aborted_) return Status(Code::kAborted, what + ": ended by the reader");
  if (link_local_) {
    return Status(Code::kPermissionDenied,
                  what +
                      ": it leads to a link-local address, where machines in clouds get their credentials; programs "
                      "and providers may not fetch these");
  }
  if (too_big_) return Status(Code::kOutOfRange, what + ": the answer is larger than 1 GiB");
  switch (code) {
    case CURLE_ABORTED_BY_CALLBACK:
      return Status(Code::kCancelled, what + ": cancelled");
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return Status(Code::kInvalidArgument, what + ": expected an http:// or https:// URL, also behind redirects");
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
      return Status(Code::kUnavailable, what + ": the connection ended before the answer did (" +
                                            std::to_string(received_) + " bytes came); try again");
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
      return Status(Code::kUnavailable, what + ": " + Reason(code) +
                                            "; if the certificate is one of your organization, name its file in "
                                            "SSL_CERT_FILE");
    default:
      return Status(Code::kUnavailable, what + ": " + Reason(code) +
                                            "; check the network and the proxy variables (HTTP_PROXY, HTTPS_PROXY, "
                                            "NO_PROXY)");
  }
}

}  // namespace kingpost
