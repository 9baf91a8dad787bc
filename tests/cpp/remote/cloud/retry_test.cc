// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/retry.h"

#include <catch2/catch.hpp>

#include "base/time_text.h"
#include "remote/cloud/fake_io.h"

namespace kingpost::retry_test {

using testing::FakeIo;

Result<HttpRequest> AnyRequest() { return HttpRequest(); }

Retrier With(const FakeIo& world, std::shared_ptr<RetryBudget> budget = nullptr) {
  return Retrier(world.io(), RetryPolicy(), std::move(budget));
}

TEST_CASE("transient failures are retried with growing pauses", "[cloud]") {
  FakeIo world;
  for (const int status : {408, 429, 500, 503}) world.Answer(status);
  world.Answer(200, "at last");
  const Result<Answer> answer = With(world).Send(AnyRequest);
  REQUIRE(answer.ok());
  CHECK(answer.value().response.body == "at last");
  CHECK(answer.value().attempts == 5);
  CHECK(world.slept_ms == std::vector<int64_t>{100, 200, 400, 800});
}

TEST_CASE("other answers are not retried", "[cloud]") {
  for (const int status : {200, 204, 301, 304, 400, 403, 404, 412, 501}) {
    FakeIo world;
    world.Answer(status);
    const Result<Answer> answer = With(world).Send(AnyRequest);
    REQUIRE(answer.ok());
    CHECK(answer.value().response.status == status);
    CHECK(world.slept_ms.empty());
  }
}

TEST_CASE("a request without an answer is retried, and a cancelled one is not", "[cloud]") {
  FakeIo world;
  world.Fail();
  world.Answer(200);
  CHECK(With(world).Send(AnyRequest).ok());
  CHECK(world.requests.size() == 2);
  world.Fail(Code::kCancelled);
  CHECK(With(world).Send(AnyRequest).status().code() == Code::kCancelled);
  CHECK(world.requests.size() == 3);
}

TEST_CASE("the last failure is the one reported", "[cloud]") {
  FakeIo world;
  for (int i = 0; i < 5; ++i) world.Answer(503, "busy");
  const Result<Answer> answer = With(world).Send(AnyRequest);
  REQUIRE(answer.ok());
  CHECK(answer.value().response.status == 503);
  CHECK(world.requests.size() == 5);
  CHECK(With(world).Send(AnyRequest).status().code() == Code::kUnavailable);  // the connection is refused
  CHECK(world.requests.size() == 10);
}

TEST_CASE("a service that says when to come again is believed, up to a minute", "[cloud]") {
  FakeIo world;
  world.Answer(503, "", {{"retry-after", "7"}});
  world.Answer(503, "", {{"retry-after", FormatHttpDate(world.now_ms + 7'100 + 9'000)}});
  world.Answer(429, "", {{"retry-after", "86400"}});
  world.Answer(200);
  CHECK(With(world).Send(AnyRequest).ok());
  CHECK(world.slept_ms == std::vector<int64_t>{7'100, 8'900 + 200, 60'000});
}

TEST_CASE("a budget ends retries before the attempts do", "[cloud]") {
  FakeIo world;
  const auto budget = std::make_shared<RetryBudget>(12);
  for (int i = 0; i < 3; ++i) world.Answer(503);
  const Result<Answer> answer = With(world, budget).Send(AnyRequest);
  REQUIRE(answer.ok());
  CHECK(answer.value().response.status == 503);
  CHECK(world.requests.size() == 3);
}

TEST_CASE("a rebuilt request is sent again without a pause, at most three times", "[cloud]") {
  FakeIo world;
  for (int i = 0; i < 10; ++i) world.Answer(400);
  const auto judge = [](const Result<HttpResponse>&) { return Verdict::kAtOnce; };
  const Result<Answer> answer = With(world).Send(AnyRequest, judge);
  REQUIRE(answer.ok());
  CHECK(world.requests.size() == 4);
  CHECK(world.slept_ms.empty());
}

TEST_CASE("times of services are read and written", "[cloud]") {
  constexpr int64_t kThen = 1'440'938'160'000;
  CHECK(ParseHttpDate("Sun, 30 Aug 2015 12:36:00 GMT") == kThen);
  CHECK(ParseHttpDate("yesterday") == -1);
  CHECK(ParseIsoTime("2015-08-30T12:36:00Z") == kThen);
  CHECK(ParseIsoTime("2015-08-30T12:36:00.250Z") == kThen + 250);
  CHECK(ParseIsoTime("2015-08-30T14:36:00.0000001+02:00") == kThen);
  CHECK(ParseIsoTime("2015-08-30T09:06:00-03:30") == kThen);
  CHECK(ParseIsoTime("2015-08-30T12:36:00") == -1);
  CHECK(ParseIsoTime("") == -1);
  CHECK(FormatHttpDate(kThen) == "Sun, 30 Aug 2015 12:36:00 GMT");
  CHECK(FormatIsoTime(kThen) == "2015-08-30T12:36:00Z");
  CHECK(FormatBasicTime(kThen) == "20150830T123600Z");
}

}  // namespace kingpost::retry_test
