// SPDX-License-Identifier: Apache-2.0
// Numbers, strings and indentation in Go's spelling. The expected texts are what Go 1.26's encoding/json printed.
#include "model/json_text.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "model/deployment_json.h"

namespace kingpost::json_text_test {

std::string Number(double number) {
  std::string out;
  AppendJsonNumber(number, &out);
  return out;
}

std::string String(std::string_view text) {
  std::string out;
  AppendJsonString(text, &out);
  return out;
}

TEST_CASE("numbers are spelled as Go spells them") {
  CHECK(Number(0) == "0");
  CHECK(Number(-0.0) == "-0");
  CHECK(Number(-1) == "-1");
  CHECK(Number(0.1) == "0.1");
  CHECK(Number(0.30000000000000004) == "0.30000000000000004");
  CHECK(Number(123456.789) == "123456.789");
  CHECK(Number(1e15) == "1000000000000000");
  CHECK(Number(123456789012345678) == "123456789012345680");
  CHECK(Number(9223372036854775807.0) == "9223372036854776000");
  CHECK(Number(1e20) == "100000000000000000000");
  CHECK(Number(1e21) == "1e+21");
  CHECK(Number(1.5e21) == "1.5e+21");
  CHECK(Number(1.7976931348623157e308) == "1.7976931348623157e+308");
  CHECK(Number(1e-6) == "0.000001");
  CHECK(Number(-1.25e-6) == "-0.00000125");
  CHECK(Number(9.5e-7) == "9.5e-7");
  CHECK(Number(-2.5e-10) == "-2.5e-10");
  CHECK(Number(5e-324) == "5e-324");
}

TEST_CASE("every number reads back as itself") {
  const unsigned seed = std::random_device()();
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t bits = random();
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    if (i % 2) number = static_cast<double>(static_cast<int64_t>(bits) >> (i % 60)) / (i % 3 ? 1 : 1000);
    const auto value = DecodeValue(*EncodeValue(Value(number), Urn(), {}), Urn(), {});
    REQUIRE(value.ok());
    REQUIRE(value->SameAs(Value(number)));
  }
}

TEST_CASE("strings are escaped as Go escapes them") {
  CHECK(String("a/b'<&>\x7F") == "\"a/b'<&>\x7F\"");
  CHECK(String("q\"b\\") == R"("q\"b\\")");
  CHECK(String("\b\f\n\r\t") == R"("\b\f\n\r\t")");
  CHECK(String(std::string_view("\0\x01\x1F", 3)) == R"("\u0000\u0001\u001f")");
  CHECK(String("\u00e9\u2027\u2028\u2029\U0001F600") == "\"\u00e9\u2027\\u2028\\u2029\U0001F600\"");
  CHECK(String("a\xFFz\xC3") == "\"a\\ufffdz\\ufffd\"");
  CHECK(String("\xED\xA0\x80") == R"("\ufffd\ufffd\ufffd")");
  std::string html;
  AppendJsonStringForHtml("<a href=\"x\">&", &html);
  CHECK(html == R"("\u003ca href=\"x\"\u003e\u0026")");
}

TEST_CASE("indents and compacts, and leaves strings alone") {
  const std::string compact = R"({"a":[],"b":{},"c":[1,{"d":"x: {, \" ]"}],"e":null})";
  const std::string indented = R"({
    "a": [],
    "b": {},
    "c": [
        1,
        {
            "d": "x: {, \" ]"
        }
    ],
    "e": null
})";
  CHECK(IndentJson(compact) == indented);
  CHECK(CompactJson(indented) == compact);
  CHECK(CompactJson(" [ 1 ,\t\"a b\" ]\r\n") == "[1,\"a b\"]");
}

}  // namespace kingpost::json_text_test
