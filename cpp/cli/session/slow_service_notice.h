// SPDX-License-Identifier: Apache-2.0
// Tells on standard error that a service has not answered yet, while a command waits for it. A display that draws on
// the terminal tells it in its place.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace kingpost {

class SlowServiceNotice {
 public:
  explicit SlowServiceNotice(std::function<void(const std::string& text)> say);
  ~SlowServiceNotice();
  SlowServiceNotice(const SlowServiceNotice&) = delete;

 private:
  void Run();

  const std::function<void(const std::string& text)> say_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace kingpost
