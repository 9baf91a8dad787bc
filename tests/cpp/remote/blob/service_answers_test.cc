// SPDX-License-Identifier: Apache-2.0
// Checks that a listing ends, whatever a service answers.
#include "remote/blob/service_answers.h"

#include <catch2/catch.hpp>

namespace kingpost::service_answers_test {

constexpr char kUrl[] = "s3://team/p/";

// Page after page, each with a token of its own; `key_of` gives the key on page N, "" for none.
struct Service {
  std::function<std::string(int page)> key_of;
  int pages_max = 1'000'000;  // the test fails rather than going on for ever
  int asked = 0;

  Result<std::vector<BlobInfo>> List() {
    return ListAllPages(kUrl, "p/", [this](const std::string&, std::vector<BlobInfo>* found) -> Result<std::string> {
      REQUIRE(asked < 100'000);
      const std::string key = key_of(asked++);
      if (!key.empty()) found->push_back({key, 1, 0});
      return asked < pages_max ? std::to_string(asked) : std::string();
    });
  }
};

void CheckNamed(const Status& status, const std::string& part) {
  CHECK(status.message().find(kUrl) != std::string::npos);
  CHECK(status.message().find(part) != std::string::npos);
}

TEST_CASE("pages come together in the order of keys, each key once", "[blob]") {
  Service service{.key_of = [](int page) { return "p/" + std::to_string((7 * page) % 5); }, .pages_max = 10};
  const auto found = service.List();
  REQUIRE(found.ok());
  std::string keys;
  for (const BlobInfo& info : *found) keys += info.key;
  CHECK(keys == "p/0p/1p/2p/3p/4");
}

TEST_CASE("a listing that is sent in a circle is broken off", "[blob]") {
  for (const int length : {1, 3}) {
    int asked = 0;
    const auto found =
        ListAllPages(kUrl, "p/", [&](const std::string&, std::vector<BlobInfo>* page) -> Result<std::string> {
          REQUIRE(asked < 100);
          page->push_back({"p/" + std::to_string(asked), 1, 0});
          return "token" + std::to_string(asked++ % length);
        });
    CheckNamed(found.status(), "a page that it has given before");
    CHECK(asked == length + 1);
  }
}

TEST_CASE("empty pages are passed over, but not for ever", "[blob]") {
  Service patient{
      .key_of = [](int page) { return page % kIdlePagesMax == kIdlePagesMax - 1 ? "p/" + std::to_string(page) : ""; },
      .pages_max = 3 * kIdlePagesMax};
  const auto found = patient.List();
  REQUIRE(found.ok());
  CHECK(found->size() == 3);
  Service empty{.key_of = [](int) { return ""; }};
  CheckNamed(empty.List().status(), "without any new key");
  CHECK(empty.asked == kIdlePagesMax);
}

TEST_CASE("pages of keys that are known, or were not asked for, bring nothing", "[blob]") {
  Service repeats{.key_of = [](int page) { return "p/" + std::to_string(page % 3); }};
  CheckNamed(repeats.List().status(), "without any new key");
  Service strays{.key_of = [](int page) { return "q/" + std::to_string(page); }};
  CheckNamed(strays.List().status(), "without any new key");
}

}  // namespace kingpost::service_answers_test
