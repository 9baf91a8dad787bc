// SPDX-License-Identifier: Apache-2.0
// The world of the clouds' clients: requests, the time, sleep, chance. Tests give another one, where an hour passes at
// once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "remote/http/http_client.h"

namespace kingpost {

struct CloudIo {
  std::function<Result<HttpResponse>(const HttpRequest&)> send;
  std::function<int64_t()> now_ms;  // since 1970, by the clock of this machine
  std::function<void(int64_t ms)> sleep_ms;
  std::function<double()> chance;  // from 0 to 1
};

// The real one, with connections that all of the process share.
std::shared_ptr<const CloudIo> SystemCloudIo();

}  // namespace kingpost
