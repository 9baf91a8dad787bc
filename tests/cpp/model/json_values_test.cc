// SPDX-License-Identifier: Apache-2.0
// Single values and states in state files: special objects, hostile input, great depth.
#include <pthread.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "model/deployment_json.h"
#include "model/states.h"

namespace kingpost::json_values_test {

constexpr const char* kSig = "4dabf18193072939515e22adb298388d";

Value Json(const std::string& text) {
  const auto value = DecodeValue(text, Urn(), {});
  REQUIRE(value.status().message() == "");
  return *value;
}

std::string ErrorOf(const std::string& text) {
  const auto value = DecodeValue(text, Urn(), {});
  return value.ok() ? "" : value.status().message();
}

std::string Special(const std::string& signature, const std::string& rest) {
  return std::string("{\"") + kSig + "\":\"" + signature + "\"" + rest + "}";
}

// Runs f on a thread with the stack that threads have by default; sanitizers and -O0 need more of it.
void OnDefaultStack(const std::function<void()>& f) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
  constexpr size_t kStackBytes = 512 << 20;
#else
  constexpr size_t kStackBytes = 8 << 20;
#endif
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const auto run = [](void* body) -> void* {
    (*static_cast<const std::function<void()>*>(body))();
    return nullptr;
  };
  // Catch takes assertions of one thread at a time, so this thread makes none until the other has ended.
  const int created = pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&f));
  if (created == 0) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  REQUIRE(created == 0);
}

std::string Again(const std::string& text) { return *EncodeValue(Json(text), Urn(), {}); }

TEST_CASE("special objects become values and come back") {
  const std::string asset = "c44067f5952c0a294b673a41bacd8c17", archive = "0def7320c3a5731c473e5ecbe6d01bc7";
  const std::string reference = "5cf8f73096256a8f31e491e813e4eb8e", bytes = "803fd3297a5875dc03ca845dda5d2a98";
  const std::string odd = "8ad145fe-0d11-4827-bfd7-1abcbf086f5c";

  const std::string path = Special(asset, R"(,"hash":"h","path":"p")");
  CHECK(Json(path).as_asset().kind == AssetData::Kind::kPath);
  CHECK(Again(path) == path);
  const std::string only_hash = Special(asset, R"(,"hash":"h")");
  CHECK_FALSE(Json(only_hash).as_asset().has_contents);
  CHECK(Again(only_hash) == only_hash);
  CHECK(Json(Special(asset, R"(,"hash":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")"))
            .as_asset()
            .has_contents);
  CHECK(ErrorOf(Special(asset, R"(,"hash":1)")).find("malformed asset") == 0);

  const std::string collection = Special(archive, R"(,"assets":{"f":)" + path + R"(},"hash":"h")");
  CHECK(Json(collection).as_archive().assets.Find("f")->is_asset());
  CHECK(Again(collection) == collection);
  CHECK(Again(Special(archive, R"(,"uri":"u")")) == Special(archive, R"(,"uri":"u")"));
  CHECK(ErrorOf(Special(archive, R"(,"assets":{"f":1})")).find("archive member 'f' is not an asset or archive") == 0);

  const std::string component = Special(reference, R"(,"packageVersion":"","urn":"u")");
  CHECK(Json(component).as_reference().id == nullptr);
  CHECK(Again(component) == component);
  // The name and type for providers come from the URN; they are empty if the text is no URN.
  const ResourceReference named =
      Json(Special(reference, R"(,"packageVersion":"","urn":"urn:pulumi:dev::p::a:b:C$d:e:F::n")")).as_reference();
  CHECK(named.name == "n");
  CHECK(named.type == "d:e:F");
  CHECK(Json(component).as_reference().name == "");
  const std::string unknown = Special(reference, R"(,"id":"","packageVersion":"1","urn":"u")");
  CHECK(Json(unknown).as_reference().id->is_computed());
  CHECK(Again(unknown) == unknown);
  CHECK(Json(Special(reference, R"(,"id":{"V":"x"},"urn":"u")")).as_reference().id->as_string() == "x");
  CHECK(Json(Special(reference, R"(,"id":{"V":null},"urn":"u")")).as_reference().id == nullptr);
  CHECK(Json(Special(reference, R"(,"id":{"V":{}},"urn":"u")")).as_reference().id->is_computed());
  CHECK(ErrorOf(Special(reference, "")).find("malformed resource reference: missing urn") == 0);

  CHECK(Json(Special(bytes, R"(,"value":"//4A")")).as_string() == std::string("\xFF\xFE\0", 3));
  CHECK(Again(Special(bytes, R"(,"value":"//4A")")) == Special(bytes, R"(,"value":"//4A")"));
  CHECK(ErrorOf(Special(bytes, R"(,"value":"?")")).find("malformed byte string") == 0);

  CHECK(std::isnan(Json(Special(odd, R"(,"value":"7ff8000000000001")")).as_number()));
  CHECK(Json(Special(odd, R"(,"value":"fff0000000000000")")).as_number() == -INFINITY);
  CHECK(Again(Special(odd, R"(,"value":"7ff8000000000001")")) == Special(odd, R"(,"value":"7ff8000000000001")"));
  CHECK(ErrorOf(Special(odd, R"(,"value":"xyz")")).find("malformed float value") == 0);

  CHECK(ErrorOf(Special("other", "")).find("unrecognized signature 'other' in property map") == 0);
  CHECK(ErrorOf(Special("d0e6a833031e9bbcd3f4e8bde6ca49a4", "")).find("unrecognized signature") == 0);
}

TEST_CASE("an unknown is written as a string, and an output as its value") {
  CHECK(Json("\"04da6b54-80e4-46f7-96ec-b56ff0331ba9\"").is_computed());
  EncodeOptions shown;
  shown.show_secrets = true;
  const Value outputs(Array{Value::Output({1, true, false, {Urn("d")}}), Value::Output({Value(), false, false, {}}),
                            Value::Output({"s", true, true, {}}), Computed()});
  const std::string unknown = "\"04da6b54-80e4-46f7-96ec-b56ff0331ba9\"";
  CHECK(*EncodeValue(outputs, Urn(), shown) ==
        "[1," + unknown + "," + Special("1b47061264138c4ac30d75fd1eb44270", R"(,"plaintext":"\"s\"")") + "," + unknown +
            "]");
}

TEST_CASE("every field of a state has its place") {
  const std::string json =
      R"({"urn":"urn:pulumi:s::p::a:b:C::n","custom":true,"delete":true,"id":"i","type":"a:b:C","inputs":{"x":1},)"
      R"("outputs":{"y":2},"parent":"pa","protect":true,"taint":true,"external":true,"dependencies":["d1","d2"],)"
      R"("initErrors":["e"],"provider":"pr::id","propertyDependencies":{"a":[],"b":["d1","d2"]},)"
      R"("pendingReplacement":true,"additionalSecretOutputs":["y"],"aliases":["al"],"customTimeouts":{"create":300,)"
      R"("update":0.5,"delete":1e-7,"read":1},"importID":"im","retainOnDelete":true,"deletedWith":"dw",)"
      R"("replaceWith":["rw"],"created":"c","modified":"m","sourcePosition":"sp","stackTrace":[{"sourcePosition":"a"},)"
      R"({}],"ignoreChanges":["ig"],"hideDiff":["hd"],"replaceOnChanges":["rc"],"replacementTrigger":false,)"
      R"("refreshBeforeUpdate":true,"viewOf":"vo","resourceHooks":{"AfterCreate":["ac"],"AfterDelete":["ad"],)"
      R"("AfterUpdate":["au"],"BeforeCreate":["bc","bd"],"BeforeDelete":["be"],"BeforeUpdate":["bu"],)"
      R"("OnError":["oe"]},"extensionRef":"er","snippetID":"si"})";
  const auto state = DecodeState(json, {});
  REQUIRE(state.status().message() == "");
  CHECK((*state)->hooks.of(HookKind::kBeforeCreate) == std::vector<std::string>{"bc", "bd"});
  CHECK((*state)->custom_timeouts.delete_s == 1e-7);
  CHECK((*state)->stack_trace == std::vector<std::string>{"a", ""});
  CHECK(*EncodeState(**state, {}) == json);
  CHECK(*EncodeState(State(), {}) == R"({"urn":"","custom":false,"type":""})");
  const auto nulls = DecodeState(
      R"({"urn":"u","custom":null,"type":"t","inputs":null,"dependencies":null,"propertyDependencies":{"a":null},)"
      R"("customTimeouts":null,"stackTrace":null,"resourceHooks":null,"replacementTrigger":null})",
      {});
  REQUIRE(nulls.ok());
  CHECK(*EncodeState(**nulls, {}) == R"({"urn":"u","custom":false,"type":"t","propertyDependencies":{"a":[]}})");
}

TEST_CASE("ten thousand levels are read, copied, compared, written and let go") {
  const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  const std::string deep = nested(10000);
  std::string objects;
  for (int i = 0; i < 9999; ++i) objects += "{\"a\":";
  objects += "[]" + std::string(9999, '}');
  OnDefaultStack([&] {
    for (const std::string& text : {deep, objects}) {
      const Value value = Json(text);
      CHECK(*EncodeValue(value, Urn(), {}) == text);
      CHECK(DeepEqual(value, Json(text)));
      CHECK_FALSE(ContainsUnknowns(value));
      CHECK(StripSecrets(value).SameAs(value));
    }
  });
  CHECK(ErrorOf(nested(10001)) == "JSON is nested more than 10000 levels deep at byte 10000");
  CHECK(ErrorOf(std::string(1000000, '[')).find("nested more than") != std::string::npos);
  CHECK(DecodeState("{\"urn\":\"u\",\"type\":\"t\",\"x\":" + nested(10001) + "}", {})
            .status()
            .message()
            .find("nested more than") != std::string::npos);
}

TEST_CASE("hostile input is an error of one line with its place") {
  CHECK(ErrorOf("") == "unexpected end of JSON at byte 0");
  CHECK(ErrorOf("[1,]") == "invalid JSON: unexpected \"]\" at byte 3");
  CHECK(ErrorOf("[1 2]") == "invalid JSON: expected ',' or ']' at byte 3");
  CHECK(ErrorOf("{\"a\" 1}") == "invalid JSON: expected ':' at byte 5");
  CHECK(ErrorOf("{,}") == "invalid JSON: unexpected \",\" at byte 1");
  CHECK(ErrorOf("{1:2}") == "expected a string but found a number at byte 1");
  CHECK(ErrorOf("1 1") == "invalid JSON: something follows the end of the document at byte 2");
  CHECK(ErrorOf("nul") == "invalid JSON: expected null at byte 0");
  CHECK(ErrorOf("\"\\x\"").find("unknown escape") != std::string::npos);
  CHECK(ErrorOf("\"\\u12g4\"").find("malformed \\u escape") != std::string::npos);
  CHECK(ErrorOf("\"\\u-123\"").find("malformed \\u escape") != std::string::npos);
  CHECK(ErrorOf("\"a\nb\"").find("control character") != std::string::npos);
  CHECK(ErrorOf("1e999").find("number 1e999 is too large") == 0);
  for (const char* number : {"01", "-", "1.", ".5", "+1", "1e", "0x1", "1e+", "NaN", "--1"}) {
    INFO(number);
    CHECK(ErrorOf(number) != "");
  }
  CHECK(Json("1e-999").as_number() == 0);
  CHECK(Json("-1E+2").as_number() == -100);
  CHECK(ErrorOf("\xEF\xBB\xBF{}").find("at byte 0") != std::string::npos);
}

TEST_CASE("broken text reads as the replacement character, as in Go") {
  CHECK(Json("\"a\xFFz\"").as_string() == "a\uFFFDz");
  CHECK(Json(R"("\ud800x")").as_string() == "\uFFFDx");
  CHECK(Json(R"("\ud800\ud83d\ude00")").as_string() == "\uFFFD\U0001F600");
  CHECK(Json(R"("\udc00")").as_string() == "\uFFFD");
  CHECK(Json(R"("\u00e9\/\b")").as_string() == "\u00e9/\b");
}

TEST_CASE("the later of two equal keys counts") {
  CHECK(Again(R"({"b":1,"a":2,"b":{"c":[]},"":3})") == R"({"":3,"a":2,"b":{"c":[]}})");
}

}  // namespace kingpost::json_values_test
