// SPDX-License-Identifier: Apache-2.0
#include "bindings/direct_line.h"

#include <map>
#include <utility>

namespace kingpost::python {

namespace {

constexpr int kUnavailable = 14;  // as gRPC counts

struct DirectNames {
  std::mutex mutex;
  std::map<std::string, DirectServices> services;
  int last = 0;
};

// Never destroyed: threads may ask while the process ends.
DirectNames& AllDirectNames() {
  static auto& names = *new DirectNames();
  return names;
}

std::string NewDirectName() {
  DirectNames& names = AllDirectNames();
  const std::lock_guard<std::mutex> lock(names.mutex);
  return "direct:" + std::to_string(++names.last);
}

}  // namespace

DirectAddress::DirectAddress() : text_(NewDirectName()) {}

DirectAddress::~DirectAddress() {
  DirectNames& names = AllDirectNames();
  DirectServices last;  // let go without the lock
  const std::lock_guard<std::mutex> lock(names.mutex);
  last = std::exchange(names.services[text_], DirectServices());
  names.services.erase(text_);
}

void DirectAddress::Set(DirectServices services) const {
  DirectNames& names = AllDirectNames();
  const std::lock_guard<std::mutex> lock(names.mutex);
  std::swap(names.services[text_], services);
}

DirectLine::DirectLine(const std::string& address) {
  DirectNames& names = AllDirectNames();
  const std::lock_guard<std::mutex> lock(names.mutex);
  const auto found = names.services.find(address);
  if (found != names.services.end()) services_ = found->second;
}

int DirectLine::Begin(const std::string& service, std::string method, std::string request) {
  const int number = ++calls_;
  DirectCallback tell = [shared = shared_, number](DirectAnswer answer) {
    const std::lock_guard<std::mutex> lock(shared->mutex);
    if (shared->arrived.empty()) shared->news.Wake();
    shared->arrived.push_back({number, std::move(answer)});
  };
  const DirectCall& call = service == "monitor" ? services_.monitor : services_.engine;
  if (call) {
    call(std::move(method), std::move(request), std::move(tell));
  } else {
    tell({kUnavailable, "the engine has gone", ""});
  }
  return number;
}

std::vector<DirectLine::Arrived> DirectLine::Take() {
  const std::lock_guard<std::mutex> lock(shared_->mutex);
  shared_->news.Rest();
  return std::exchange(shared_->arrived, {});
}

}  // namespace kingpost::python
