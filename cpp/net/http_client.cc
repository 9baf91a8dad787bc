// SPDX-License-Identifier: Apache-2.0
#include "net/http_client.h"

#include <algorithm>
#include <cctype>

#include "base/os.h"
#include "net/curl_library.h"

namespace kingpost {

namespace {

constexpr long kConnectSeconds = 30;
constexpr long kStalledSeconds = 60;  // without a byte, a transfer is given up
constexpr long kRedirectsMax = 10;
constexpr size_t kErrorBodyMax = 16 * 1024;
constexpr size_t kBodyMax = size_t{1} << 30;

std::string HostOf(const std::string& url) {
  const std::string plain = PrintableUrl(url);
  size_t begin = plain.find("://");
  begin = begin == std::string::npos ? 0 : begin + 3;
  const size_t end = std::min(plain.find('/', begin), plain.size());
  std::string host = plain.substr(begin, end - begin);
  if (host.starts_with("[")) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

bool IsLoopback(const std::string& host) { return host == "localhost" || host == "::1" || host.starts_with("127."); }

// One request on its way: what libcurl calls back with.
class Transfer {
 public:
  Transfer(const CurlLibrary& curl, const HttpRequest& request) : curl_(curl), request_(request) {
    handle_ = curl_.easy_init();
  }
  ~Transfer() {
    curl_.slist_free_all(header_list_);
    if (handle_) curl_.easy_cleanup(handle_);
  }
  Transfer(const Transfer&) = delete;

  Result<HttpResponse> Run() {
    if (!handle_) return Status(Code::kResourceExhausted, "cannot start a request: libcurl has no memory");
    SetTarget();
    SetTrust();
    SetCallbacks();
    const CURLcode code = curl_.easy_perform(handle_);
    long status = 0;
    curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    response_.status = static_cast<int>(status);
    if (code == CURLE_OK) return std::move(response_);
    return Explain(code);
  }

 private:
  template <class T>
  void Set(CURLoption option, T value) {
    curl_.easy_setopt(handle_, option, value);
  }

  void SetTarget() {
    const std::string& url = request_.url;
    Set(CURLOPT_URL, url.c_str());
    Set(CURLOPT_PROTOCOLS_STR, "http,https");
    // What came safely is not to be continued unsafely.
    Set(CURLOPT_REDIR_PROTOCOLS_STR, url.starts_with("https:") ? "https" : "http,https");
    Set(CURLOPT_FOLLOWLOCATION, 1L);
    Set(CURLOPT_MAXREDIRS, kRedirectsMax);
    Set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
    if (request_.method == "HEAD") Set(CURLOPT_NOBODY, 1L);
    if (!request_.body.empty() || request_.method == "PUT" || request_.method == "POST") {
      Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
      Set(CURLOPT_POSTFIELDS, request_.body.data());
    }
    for (const auto& [name, value] : request_.headers) AddHeader(name + ": " + value);
    AddHeader("Expect:");  // no pause before a body
    Set(CURLOPT_HTTPHEADER, header_list_);
    Set(CURLOPT_NOSIGNAL, 1L);
    Set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    Set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    Set(CURLOPT_LOW_SPEED_TIME, kStalledSeconds);
  }

  // libcurl knows the variables of proxies, except that it ignores an upper-case HTTP_PROXY and asks a proxy even for
  // this machine. Programs of the reference's kind do neither.
  void SetTrust() {
    if (IsLoopback(HostOf(request_.url))) {
      Set(CURLOPT_PROXY, "");
    } else if (request_.url.starts_with("http:") && GetEnvironment("http_proxy").empty()) {
      const std::string proxy = GetEnvironment("HTTP_PROXY");
      if (!proxy.empty()) Set(CURLOPT_PROXY, proxy.c_str());
    }
    const std::string file = GetEnvironment("SSL_CERT_FILE"), folder = GetEnvironment("SSL_CERT_DIR");
    if (!file.empty()) Set(CURLOPT_CAINFO, file.c_str());
    if (!folder.empty()) Set(CURLOPT_CAPATH, folder.c_str());
  }

  void SetCallbacks() {
    Set(CURLOPT_ERRORBUFFER, error_);
    Set(CURLOPT_HEADERFUNCTION, &Transfer::OnHeader);
    Set(CURLOPT_HEADERDATA, this);
    Set(CURLOPT_WRITEFUNCTION, &Transfer::OnBytes);
    Set(CURLOPT_WRITEDATA, this);
    Set(CURLOPT_XFERINFOFUNCTION, &Transfer::OnProgress);
    Set(CURLOPT_XFERINFODATA, this);
    Set(CURLOPT_NOPROGRESS, 0L);
  }

  void AddHeader(const std::string& line) { header_list_ = curl_.slist_append(header_list_, line.c_str()); }

  bool IsGood() const {
    long status = 0;
    curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    return status >= 200 && status <= 299;
  }

  static size_t OnHeader(char* data, size_t size, size_t count, void* self) {
    static_cast<Transfer*>(self)->TakeHeader(std::string_view(data, size * count));
    return size * count;
  }
  static size_t OnBytes(char* data, size_t size, size_t count, void* self) {
    return static_cast<Transfer*>(self)->TakeBytes(std::string_view(data, size * count)) ? size * count : 0;
  }
  static int OnProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    const HttpRequest& request = static_cast<Transfer*>(self)->request_;
    return request.cancelled && request.cancelled->load() ? 1 : 0;
  }

  void TakeHeader(std::string_view line) {
    if (line.starts_with("HTTP/")) {  // another answer, after a redirect
      response_.headers.clear();
      response_.body.clear();
    }
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    line.remove_prefix(colon + 1);
    const size_t begin = line.find_first_not_of(" \t\r\n"), end = line.find_last_not_of(" \t\r\n");
    response_.headers[name] = begin == std::string_view::npos ? "" : std::string(line.substr(begin, end + 1 - begin));
  }

  bool TakeBytes(std::string_view bytes) {
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

  int64_t Total() const {
    curl_off_t total = -1;
    curl_.easy_getinfo(handle_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &total);
    return total;
  }

  Status Explain(CURLcode code) const {
    const std::string what = "cannot fetch " + PrintableUrl(request_.url);
    if (aborted_) return Status(Code::kAborted, what + ": ended by the reader");
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
  std::string Reason(CURLcode code) const { return error_[0] ? error_ : curl_.easy_strerror(code); }

  const CurlLibrary& curl_;
  const HttpRequest& request_;
  CURL* handle_ = nullptr;
  curl_slist* header_list_ = nullptr;
  HttpResponse response_;
  int64_t received_ = 0;
  bool aborted_ = false, too_big_ = false;
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace

std::string HttpResponse::header(const std::string& lower_case_name) const {
  const auto found = headers.find(lower_case_name);
  return found == headers.end() ? "" : found->second;
}

Result<HttpResponse> SendHttp(const HttpRequest& request) {
  auto curl = CurlLibrary::Get();
  if (!curl.ok()) return curl.status();
  return Transfer(**curl, request).Run();
}

std::string PrintableUrl(const std::string& url) {
  const size_t scheme = url.find("://");
  std::string text = url.substr(0, url.find_first_of("?#"));
  if (scheme == std::string::npos || scheme > text.size()) return text;
  const size_t begin = scheme + 3;
  const size_t at = text.substr(0, text.find('/', begin)).rfind('@');
  if (at != std::string::npos && at >= begin) text.erase(begin, at + 1 - begin);
  return text;
}

}  // namespace kingpost
