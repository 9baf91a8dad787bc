// SPDX-License-Identifier: Apache-2.0
// Checks the search for secrets in texts: in every spelling, in parts, and in no similar text.
#include "model/secret_texts.h"

#include <catch2/catch.hpp>

#include "base/encoding.h"
#include "model/type_name.h"

namespace kingpost::secret_texts_test {

std::string MaskOf(const Value& secret, const std::string& text) {
  SecretTexts secrets;
  secrets.AddAll(secret);
  return secrets.Mask(text);
}

TEST_CASE("a secret is found in every spelling that programs give it") {
  const std::string secret = "pa\"ss'wo\\rd <ü> \U0001F600\n\tend&";
  const std::string spellings[] = {secret,
                                   R"(pa\"ss'wo\\rd <ü> 😀\n\tend&)",                               // JSON
                                   R"(pa\"ss'wo\\rd \u003cü\u003e 😀\n\tend\u0026)",                // Go's JSON
                                   R"(pa\"ss'wo\\rd <\u00fc> \ud83d\ude00\n\tend&)",               // Python's JSON
                                   R"(pa\\\"ss'wo\\\\rd <ü> 😀\\n\\tend&)",                         // JSON in JSON
                                   R"(pa"ss\'wo\\rd <ü> 😀\n\tend&)",                               // Python
                                   "pa%22ss%27wo%5Crd%20%3C%C3%BC%3E%20%F0%9F%98%80%0A%09end%26",  // a URL
                                   Base64Encode(secret)};
  for (const std::string& spelling : spellings) {
    INFO(spelling);
    CHECK(MaskOf(Value(secret), "x" + spelling + "y" + spelling) == "x[secret]y[secret]");
  }
}

TEST_CASE("each line of a secret and each part of a document is a secret") {
  const std::string key = "-----BEGIN KEY-----\nfirstline0123\n  secondline456\n-----END KEY-----\n";
  CHECK(MaskOf(Value(key), "| firstline0123") == "| [secret]");
  CHECK(MaskOf(Value(key), "| secondline456 |") == "| [secret] |");
  const Value document(R"({"user": "administrator", "kind": "v1", "nested": [{"pin": 739154826123}]})");
  CHECK(MaskOf(document, "user administrator, pin 739154826123, kind v1") == "user [secret], pin [secret], kind v1");
  const Value object(PropertyMap{{"a", Value(Array{Value("listed"), Value(1234567.0)})}, {"b", Value(true)}});
  CHECK(MaskOf(object, "listed 1234567 true") == "[secret] [secret] true");
}

TEST_CASE("texts that are too short, or only similar to a secret, are not masked") {
  CHECK(MaskOf(Value("abc"), "abc abcd") == "abc abcd");
  CHECK(MaskOf(Value("secret"), "[secret] secret") == "[secret] [secret]");
  CHECK(MaskOf(Value("hunter22"), "hunter2 hunter_22 Hunter22") == "hunter2 hunter_22 Hunter22");
  CHECK(MaskOf(Value("hunter22"), "") == "");
  SecretTexts none;
  CHECK(none.Mask("as it is") == "as it is");
}

TEST_CASE("the longer of two secrets that begin alike is found") {
  SecretTexts secrets;
  secrets.Add("password");
  secrets.Add("password-and-more");
  CHECK(secrets.Mask("password-and-more password") == "[secret] [secret]");
  secrets.Add("pin", SecretTexts::kShortestSet);
  secrets.Add("no", SecretTexts::kShortestSet);
  CHECK(secrets.Mask("pin no") == "[secret] no");
}

TEST_CASE("a type is any text that leaves a URN readable") {
  for (const char* good : {"pkg:m:R", "Box", "pulumi:pulumi:Stack", "a:b/c:D", "prog::Type"})
    CHECK(CheckTypeName(good).ok());
  for (const char* bad : {"", "a$b:c:D", "$"}) CHECK(CheckTypeName(bad).code() == Code::kInvalidArgument);
  CHECK(CheckPackageName("aws-native").ok());
  for (const char* bad : {"", "a$b", "a:b"}) CHECK(CheckPackageName(bad).code() == Code::kInvalidArgument);
}

}  // namespace kingpost::secret_texts_test
