// SPDX-License-Identifier: Apache-2.0
// The outside of cloud clients: the test writes the answers, and the clock moves only when a client sleeps.
#pragma once

#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "remote/cloud/io.h"

namespace kingpost::testing {

class FakeIo {
 public:
  FakeIo() : io_(std::make_shared<CloudIo>()) {
    io_->send = [this](const HttpRequest& request) { return Send(request); };
    io_->now_ms = [this] { return now_ms; };
    io_->sleep_ms = [this](int64_t ms) {
      slept_ms.push_back(ms);
      now_ms += ms;
    };
    io_->chance = [] { return 1.0; };
  }

  std::shared_ptr<const CloudIo> io() const { return io_; }

  void Answer(int status, std::string body = "", std::map<std::string, std::string> headers = {}) {
    HttpResponse response;
    response.status = status;
    response.body = std::move(body);
    response.headers = std::move(headers);
    answers.emplace_back(std::move(response));
  }
  void Fail(Code code = Code::kUnavailable) { answers.emplace_back(Status(code, "cannot fetch: no network")); }

  std::deque<Result<HttpResponse>> answers;  // the next first; without one, the connection is refused
  std::vector<HttpRequest> requests;
  std::vector<int64_t> slept_ms;
  int64_t now_ms = 1'440'938'160'000;  // 2015-08-30T12:36:00Z

 private:
  Result<HttpResponse> Send(const HttpRequest& request) {
    requests.push_back(request);
    if (answers.empty()) return Status(Code::kUnavailable, "cannot fetch: nobody listens");
    Result<HttpResponse> answer = std::move(answers.front());
    answers.pop_front();
    return answer;
  }

  const std::shared_ptr<CloudIo> io_;
};

inline std::string HeaderIn(const HttpRequest& request, const std::string& name) {
  for (const auto& [header, value] : request.headers) {
    if (header == name) return value;
  }
  return "";
}

// Environment variables for one test. It unsets all others that begin with one of `prefixes`.
class FakeEnvironment {
 public:
  explicit FakeEnvironment(const std::vector<std::string>& prefixes) {
    std::vector<std::string> names;
    for (char** entry = environ; *entry; ++entry) {
      const std::string text = *entry, name = text.substr(0, text.find('='));
      for (const std::string& prefix : prefixes) {
        if (name.starts_with(prefix)) names.push_back(name);
      }
    }
    for (const std::string& name : names) Set(name, nullptr);
  }
  ~FakeEnvironment() {
    for (const auto& [name, value] : before_)
      value.has_value() ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }
  FakeEnvironment(const FakeEnvironment&) = delete;

  void Set(const std::string& name, const char* value) {
    const char* now = std::getenv(name.c_str());
    before_.try_emplace(name, now ? std::optional<std::string>(now) : std::nullopt);
    value ? setenv(name.c_str(), value, 1) : unsetenv(name.c_str());
  }
  void Set(const std::string& name, const std::string& value) { Set(name, value.c_str()); }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

// All three clouds, with credentials that are found in variables alone.
struct FakeClouds {
  FakeClouds() : environment({"AWS_", "AZURE_", "GOOGLE_", "STORAGE_", "CLOUDSDK_"}) {
    environment.Set("HOME", "/nowhere");
    environment.Set("AWS_REGION", "eu-west-1");
    environment.Set("AWS_ACCESS_KEY_ID", "CANARYKEY");
    environment.Set("AWS_SECRET_ACCESS_KEY", "canary-secret");
    environment.Set("AZURE_STORAGE_ACCOUNT", "acme");
    environment.Set("AZURE_STORAGE_KEY", "Y2FuYXJ5");
    environment.Set("GOOGLE_OAUTH_ACCESS_TOKEN", "canary-token");
  }
  // Gives the same answer to the next requests.
  void AnswerAlways(const std::string& body, int times = 3000) {
    for (int i = 0; i < times; ++i) world.Answer(200, body);
  }

  FakeEnvironment environment;
  FakeIo world;
};

}  // namespace kingpost::testing
