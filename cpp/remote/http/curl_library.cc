// SPDX-License-Identifier: Apache-2.0
#include "remote/http/curl_library.h"

#include <dlfcn.h>

namespace kingpost {

namespace {

template <class Function>
bool Find(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

Result<const CurlLibrary*> Load() {
  // Debian has the library once for each TLS library; any of them will do.
  void* handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!handle) handle = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    return Status(Code::kUnavailable,
                  "nothing can be downloaded without libcurl.so.4: install libcurl (the package libcurl4 of Debian "
                  "and Ubuntu)");
  }
  static CurlLibrary library;
  decltype(&::curl_global_init) global_init = nullptr;
  const bool complete = Find(handle, "curl_global_init", &global_init) &&
                        Find(handle, "curl_easy_init", &library.easy_init) &&
                        Find(handle, "curl_easy_reset", &library.easy_reset) &&
                        Find(handle, "curl_easy_cleanup", &library.easy_cleanup) &&
                        Find(handle, "curl_easy_setopt", &library.easy_setopt) &&
                        Find(handle, "curl_easy_getinfo", &library.easy_getinfo) &&
                        Find(handle, "curl_easy_perform", &library.easy_perform) &&
                        Find(handle, "curl_easy_strerror", &library.easy_strerror) &&
                        Find(handle, "curl_slist_append", &library.slist_append) &&
                        Find(handle, "curl_slist_free_all", &library.slist_free_all);
  if (!complete || global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    return Status(Code::kUnavailable, "libcurl.so.4 cannot be used: reinstall libcurl");
  }
  return &library;
}

}  // namespace

Result<const CurlLibrary*> CurlLibrary::Get() {
  static const Result<const CurlLibrary*> library = Load();
  return library;
}

}  // namespace kingpost
