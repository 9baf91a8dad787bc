// SPDX-License-Identifier: Apache-2.0
// How Python code of this process calls the engine's services: messages as bytes, without a socket. A call begins at
// once and is answered later. So no function of ours is on the stack of a waiting thread, and an answer needs no
// GIL:
//
//     Python: line.begin(service, method, request) ─▶ the engine ─▶ queue, descriptor ─▶ Python: line.take()
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bindings/wake_descriptor.h"
#include "wire/direct_calls.h"

namespace kingpost::python {

// A name by which the services of one operation are found, for as long as this lives. Any thread.
class DirectAddress {
 public:
  DirectAddress();
  ~DirectAddress();
  DirectAddress(const DirectAddress&) = delete;

  const std::string& text() const { return text_; }  // "direct:N"
  void Set(DirectServices services) const;

 private:
  const std::string text_;
};

// A caller's end. One thread at a time.
class DirectLine {
 public:
  struct Arrived {
    int number = 0;
    DirectAnswer answer;
  };

  // An address that has gone is answered with Unavailable, as a server that has gone.
  explicit DirectLine(const std::string& address);

  int descriptor() const { return shared_->news.get(); }  // readable once there are answers
  // The number of the call. service: "monitor" or "engine".
  int Begin(const std::string& service, std::string method, std::string request);
  std::vector<Arrived> Take();

 private:
  struct Shared {
    WakeDescriptor news;
    std::mutex mutex;
    std::vector<Arrived> arrived;
  };

  const std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  DirectServices services_;
  int calls_ = 0;
};

}  // namespace kingpost::python
