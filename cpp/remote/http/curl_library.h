// SPDX-License-Identifier: Apache-2.0
// libcurl, loaded at run time. Linking it would cost every command 4 ms at its start, for the forty libraries that it
// brings along, and few commands ever ask the network for anything. Any thread.
#pragma once

// Its type checks are macros, which do not work on function pointers.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo

#include "base/status.h"

namespace kingpost {

struct CurlLibrary {
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_reset) easy_reset = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_easy_setopt) easy_setopt = nullptr;
  decltype(&::curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&::curl_easy_perform) easy_perform = nullptr;
  decltype(&::curl_easy_strerror) easy_strerror = nullptr;
  decltype(&::curl_slist_append) slist_append = nullptr;
  decltype(&::curl_slist_free_all) slist_free_all = nullptr;

  // The one library of the process, loaded and initialised; it stays.
  static Result<const CurlLibrary*> Get();
};

}  // namespace kingpost
