// SPDX-License-Identifier: Apache-2.0
// One request on its way: what libcurl is told, and what it calls back with. The thread that runs it.
#pragma once

#include "remote/http/curl_library.h"
#include "remote/http/http_client.h"

namespace kingpost {

class HttpTransfer {
 public:
  // `handle` is fresh or was reset, and stays the caller's.
  HttpTransfer(const CurlLibrary& curl, CURL* handle, const HttpRequest& request)
      : curl_(curl), handle_(handle), request_(request) {}
  ~HttpTransfer() { curl_.slist_free_all(header_list_); }
  HttpTransfer(const HttpTransfer&) = delete;

  Result<HttpResponse> Run();

 private:
  template <class T>
  void Set(CURLoption option, T value) {
    curl_.easy_setopt(handle_, option, value);
  }
  void SetText(CURLoption option, const std::string& text) {
    if (!text.empty()) Set(option, text.c_str());
  }
  void AddHeader(const std::string& line) { header_list_ = curl_.slist_append(header_list_, line.c_str()); }

  void SetTarget();
  void SetBody();
  void SetHeaders();
  void SetTimes();
  void SetProxy();
  void SetTrust();
  void SetCallbacks();

  static size_t OnHeader(char* data, size_t size, size_t count, void* self);
  static size_t OnBytes(char* data, size_t size, size_t count, void* self);
  static size_t OnRead(char* room, size_t size, size_t count, void* self);
  static int OnSeek(void* self, curl_off_t offset, int origin);
  static int OnProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
  static int OnSocket(void* self, curl_socket_t socket, curlsocktype purpose);
  static curl_socket_t OnOpenSocket(void* self, curlsocktype purpose, curl_sockaddr* address);

  bool IsGood() const;
  void TakeHeader(std::string_view line);
  bool TakeBytes(std::string_view bytes);
  int64_t Total() const;
  Status Explain(CURLcode code) const;
  std::string Reason(CURLcode code) const { return error_[0] ? error_ : curl_.easy_strerror(code); }

  const CurlLibrary& curl_;
  CURL* const handle_;
  const HttpRequest& request_;
  curl_slist* header_list_ = nullptr;
  HttpResponse response_;
  int64_t received_ = 0;
  size_t sent_ = 0;  // of the body
  bool aborted_ = false, too_big_ = false, link_local_ = false;
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace kingpost
