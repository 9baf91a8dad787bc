// SPDX-License-Identifier: Apache-2.0
// Checks the properties that stay as text: which stay, that callers see no difference, and that all others are parsed
// at once.
#include "model/property_text.h"

#include <catch2/catch.hpp>
#include <random>

#include "model/deployment_json.h"
#include "model/states.h"

namespace kingpost::property_text_test {

std::optional<PropertyMap> Take(const std::string& text, bool sealed = false) {
  PropertyTexts texts(nullptr, sealed);
  size_t length = 0;
  std::optional<PropertyMap> map = texts.Take(text, &length);
  if (map) CHECK(text.substr(length).find_first_not_of(" \n,}") == text.npos);
  return map;
}

PropertyMap ReadAtOnce(const std::string& text) {
  const auto value = DecodeValue(text, Urn(), {});
  REQUIRE(value.status().message() == "");
  return value->as_object();
}

std::string Written(const PropertyMap& map) { return *EncodeProperties(map, Urn(), {}); }

const char* const kPlain[] = {
    R"({"a":1})",
    R"({"a":-12,"b":1.5,"c":1e-7,"d":1.5e+21,"e":0,"f":123456789012345680000})",
    R"({"":null,"a":true,"b":false,"c":{},"d":[],"e":[[],{"x":[1,"two",{"y":null}]}]})",
    R"({"quoted":"\" \\ \b\f\n\r\t / <b> & more than eight bytes \n of it"})",
    "{\"t\u00e9t\u00e9\":\"\u4e16\u754c \U0001F600 and DEL \x7f\"}",
};

TEST_CASE("properties in the form in which they are written stay text") {
  for (const std::string text : kPlain) {
    INFO(text);
    const auto map = Take(text);
    REQUIRE(map);
    CHECK(map->text() == text);
    CHECK_FALSE(map->empty());
    CHECK(Written(*map) == text);
    // Callers see no difference from a map that was parsed at once.
    const PropertyMap read = ReadAtOnce(text);
    CHECK(Written(read) == text);
    CHECK(DeepEqual(*map, read));
    CHECK(DeepEqual(read, *map));
    CHECK(map->size() == read.size());
    CHECK(DeepEqual(map->begin()->second, read.begin()->second));
    CHECK(DeepEqual(map->Read(), read));
    CHECK(map->Read().text().empty());
    CHECK(Written(map->Read()) == text);
  }
}

TEST_CASE("properties in any other form are parsed at once") {
  const std::string sig = "4dabf18193072939515e22adb298388d";
  const std::string others[] = {
      "{}",
      R"({"b":1,"a":2})",
      R"({"a":1,"a":2})",
      R"({"a":-0})",
      R"({"a":1.0})",
      R"({"a":1e3})",
      R"({"a":100000000000000000000000})",
      R"({"a":"\u0041"})",
      R"({"a":"\/"})",
      R"({"\n":1})",
      R"({"a":"\u2028"})",
      "{\"a\":\"\u2028\"}",
      "{\"a\":\"\xff\"}",
      R"({"a":")" + std::string(kUnknownString) + R"("})",
      R"({"a":[{")" + sig + R"(":"1b47061264138c4ac30d75fd1eb44270","plaintext":"1"}]})",
      std::string(200, '[').insert(0, "{\"a\":") + std::string(200, ']') + "}",
  };
  for (const std::string& text : others) {
    INFO(text);
    CHECK_FALSE(Take(text));
  }
}

TEST_CASE("broken JSON is left to the reader that reports its place") {
  for (const std::string text : kPlain) {
    for (size_t i = 0; i < text.size(); ++i) CHECK_FALSE(Take(text.substr(0, i)));
  }
  for (const char* text : {R"({"a":nul})", R"({"a" 1})", R"({"a":1 2})", R"({"a":1,})", R"({,"a":1})", R"({"a":[1,]})",
                           R"({"a":01})", R"({"a":+1})", R"({"a":.5})", R"({"a":1])", R"({"a":"x)", "{\"a\":\"\n\"}",
                           R"({"a":[1}})", R"({"a":})", R"({1:1})", R"({"a":1e})", R"({"a":--1})"}) {
    INFO(text);
    CHECK_FALSE(Take(text));
  }
}

TEST_CASE("blanks between tokens are left out of the copy") {
  const auto map = Take("{ \"a\" : [ 1 ,\n\t{ \"b\" : \"x  y\" } ] , \"c\":{ } }");
  REQUIRE(map);
  CHECK(map->text() == R"({"a":[1,{"b":"x  y"}],"c":{}})");
}

TEST_CASE("a changed copy has no text, and leaves the others theirs") {
  const PropertyMap map = *Take(R"({"a":1,"b":2})");
  PropertyMap other = map, shorter = map;
  other.Set("c", Value(3));
  shorter.Erase("a");
  CHECK(Written(other) == R"({"a":1,"b":2,"c":3})");
  CHECK(Written(shorter) == R"({"b":2})");
  CHECK(map.text() == R"({"a":1,"b":2})");
  CHECK_FALSE(DeepEqual(map, other));
  CHECK_FALSE(DeepEqual(shorter, map));
}

TEST_CASE("texts differ from all that is not the same JSON") {
  const PropertyMap map = *Take(R"({"a":[1,"x",null,{"b":true}]})");
  for (const char* text : {R"({"a":[1,"x",null,{"b":false}]})", R"({"a":[1,"x",null]})", R"({"a":[1,"x",null,{}]})",
                           R"({"a":[1,"x",null,{"b":true},2]})", R"({"b":[1,"x",null,{"b":true}]})",
                           R"({"a":{"b":true}})", R"({"a":1})", R"({"a":[1,"x",null,{"b":true}],"c":1})", "{}"}) {
    INFO(text);
    CHECK_FALSE(DeepEqual(map, ReadAtOnce(text)));
    CHECK_FALSE(DeepEqual(ReadAtOnce(text), map));
  }
  CHECK_FALSE(DeepEqual(*Take(R"({"a":"x"})"), PropertyMap{{"a", Value::Secret(Value("x"))}}));
  CHECK_FALSE(DeepEqual(*Take(R"({"a":"x"})"), PropertyMap{{"a", Value::Output({Value("x"), true, false, {}})}}));
}

TEST_CASE("sealed secrets may be in a text, in the form in which they are written") {
  const std::string sig = R"("4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270")";
  const std::string text =
      R"({"a":1,"b":[{)" + sig + R"(,"ciphertext":"v1:x"}],"c":{)" + sig + R"(,"ciphertext":"y"}})";
  CHECK_FALSE(Take(text));  // a decoder opens the secrets
  const auto map = Take(text, true);
  REQUIRE(map);
  CHECK(map->text() == text);
  CHECK(ContainsSecrets(*map));
  CHECK_FALSE(ContainsUnknowns(*map));
  const PropertyMap read = ReadAtOnce(text);
  CHECK(DeepEqual(*map, read));
  CHECK(DeepEqual(read, *map));
  CHECK(map->Find("c")->as_secret().sealed);
  CHECK(Written(*map) == text);
  CHECK(MaskSecrets(*map).Find("c")->as_string() == "[secret]");
  EncodeOptions show;
  show.show_secrets = true;
  CHECK_FALSE(EncodeProperties(*Take(text, true), Urn(), show).ok());  // they are sealed
  const auto other = Take(R"({"a":1,"b":[],"c":{)" + sig + R"(,"ciphertext":"z"}})", true);
  CHECK_FALSE(DeepEqual(*map, *other));
  CHECK_FALSE(DeepEqual(read, *other));
  CHECK_FALSE(ContainsSecrets(*Take(R"({"a":"4dabf18193072939515e22adb298388d"})", true)));
  for (const std::string& rest : {std::string(R"(,"plaintext":"1")"), std::string(R"(,"ciphertext":"")"), std::string(),
                                  std::string(R"(,"ciphertext":"x","z":1)"), std::string(R"(,"ciphertext":1)")}) {
    INFO(rest);
    CHECK_FALSE(Take(R"({"a":{)" + sig + rest + "}}", true));
  }
  CHECK_FALSE(Take("{" + sig + R"(,"ciphertext":"x"})", true));
  CHECK_FALSE(Take(R"({"a":{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17"}})", true));
  CHECK_FALSE(Take(R"({"a":{" ":1,)" + sig + R"(,"ciphertext":"x"}})", true));
}

// Random values, and random damage to their text: whatever stays text is what the reader and the writer make of it.
TEST_CASE("properties that stay text are read and written as parsed ones are, for any text") {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % n); };
  const std::function<Value(int)> any = [&](int depth) -> Value {
    static const char* const kTexts[] = {"",    "plain text of some length", "\"quoted\"\n", "\u00e9\u2028", "<&>",
                                         "\x01"};
    switch (below(depth > 3 ? 4 : 6)) {
      case 0:
        return Value();
      case 1:
        return Value(below(2) == 0);
      case 2:
        return Value((below(2000) - 1000) / (below(2) ? 1.0 : 7.0));
      case 3:
        return Value(kTexts[below(6)]);
      case 4: {
        Array array;
        for (int i = below(4); i > 0; --i) array.push_back(any(depth + 1));
        return Value(std::move(array));
      }
      default: {
        PropertyMap map;
        for (int i = below(4); i > 0; --i) map.Set(std::string(1, static_cast<char>('a' + below(26))), any(depth + 1));
        return Value(std::move(map));
      }
    }
  };
  int kept = 0;
  for (int i = 0; i < 20000; ++i) {
    PropertyMap map{{"k", any(0)}, {"l", any(0)}};
    std::string text = Written(map);
    if (below(2)) text[below(static_cast<int>(text.size()))] = "{}[],:\"\\ 0-1.e+tn\x80u"[below(19)];
    PropertyTexts texts(nullptr, false);
    size_t length = 0;
    const auto taken = texts.Take(text, &length);
    if (!taken) continue;
    ++kept;
    INFO(text);
    const PropertyMap read = ReadAtOnce(text.substr(0, length));
    REQUIRE(Written(read) == taken->text());
    REQUIRE(DeepEqual(*taken, read));
  }
  CHECK(kept > 5000);
}

TEST_CASE("a document with properties as text is saved as it was, and is the same stack") {
  const std::string document =
      R"({"version":3,"checkpoint":{"stack":"organization/p/s","latest":{"manifest":{"time":"0001-01-01T00:00:00Z",)"
      R"("magic":"","version":""},"resources":[{"urn":"urn:pulumi:s::p::t:t:t::a","custom":true,"id":"1",)"
      R"("type":"t:t:t","inputs":{"a":[1,2,{"b":"c"}]},"outputs":{"z":1.5}},{"urn":"urn:pulumi:s::p::t:t:t::b",)"
      R"("custom":true,"type":"t:t:t","inputs":{"a":1},"dependencies":["urn:pulumi:s::p::t:t:t::a"]}],"metadata":{}}}})";
  for (const bool copied : {true, false}) {
    auto kept = std::make_shared<const std::string>(document);
    DecodeOptions options;
    options.properties_as_text = true;
    if (!copied) options.text_owner = kept;
    const auto read = DecodeCheckpoint(*kept, options);
    REQUIRE(read.ok());
    kept.reset();
    const auto& resources = read->snapshot.resources;
    CHECK(resources[0]->inputs.text() == R"({"a":[1,2,{"b":"c"}]})");
    CHECK(resources[1]->dependencies[0] == resources[0]->urn);
    CHECK(*EncodeCheckpoint(*read, {}) == document);
    const auto at_once = DecodeCheckpoint(document, {});
    for (size_t i = 0; i < resources.size(); ++i) {
      CHECK(at_once->snapshot.resources[i]->inputs.text().empty());
      CHECK(DeepEqual(resources[i]->inputs, at_once->snapshot.resources[i]->inputs));
      CHECK(DeepEqual(resources[i]->outputs, at_once->snapshot.resources[i]->outputs));
    }
  }
}

}  // namespace kingpost::property_text_test
