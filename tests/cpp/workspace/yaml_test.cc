// SPDX-License-Identifier: Apache-2.0
// Checks YAML: values and places are read, texts are changed in place, and written texts read back.
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <random>

#include "workspace/yaml_edit.h"
#include "workspace/yaml_node.h"
#include "workspace/yaml_number.h"
#include "workspace/yaml_writer.h"

namespace kingpost::yaml_test {

using Json = nlohmann::ordered_json;

YamlDocument Parse(const std::string& text) {
  auto document = YamlDocument::Parse("f.yaml", text);
  INFO(text);
  if (!document.ok()) FAIL(document.status().message());
  return std::move(*document);
}

std::string Edit(const std::string& text, const std::string& json) { return EditYaml(Parse(text), Json::parse(json)); }

TEST_CASE("plain scalars have the types of YAML", "[workspace]") {
  const auto json =
      Parse(
          "a: [~, null, '', true, False, yes, 12, -7, +3, 0x1F, 0o17, 017, 1_000, 1.5, 1e3, .5, 1., 1.2.3]\n"
          "b: \"12\"\nc: !!str 12\nd: 18446744073709551615\ne: 18446744073709551616\nf: -9223372036854775808\n"
          "g: |\n  one\n  two\nh: 2020-01-01\ni:\n")
          .json();
  CHECK(json["a"] ==
        nlohmann::json::parse(R"([null,null,"",true,false,"yes",12,-7,3,31,15,15,1000,1.5,1000.0,0.5,1.0,"1.2.3"])"));
  CHECK(json["b"] == "12");
  CHECK(json["c"] == "12");
  CHECK(json["d"] == 18446744073709551615u);
  CHECK(json["e"].is_number_float());
  CHECK(json["f"] == std::numeric_limits<int64_t>::min());
  CHECK(json["g"] == "one\ntwo\n");
  CHECK(json["h"] == "2020-01-01");
  CHECK(json["i"].is_null());
}

TEST_CASE("anchors, merges, empty documents and byte order marks", "[workspace]") {
  CHECK(Parse("a: &x {k: 1}\nb: *x\nc:\n  <<: *x\n  l: 2\n").json() ==
        nlohmann::json::parse(R"({"a":{"k":1},"b":{"k":1},"c":{"k":1,"l":2}})"));
  CHECK(Parse("").json().is_null());
  CHECK(Parse("# only a comment\n").root() == nullptr);
  CHECK(Parse("\xef\xbb\xbf"
              "a: 1\r\nb: x\r\n")
            .json() == nlohmann::json::parse(R"({"a":1,"b":"x"})"));
  CHECK(Parse("a: 1\n---\nb: 2\n").json() == nlohmann::json::parse(R"({"a":1})"));
}

TEST_CASE("broken documents give one line with file and line", "[workspace]") {
  const std::string kInvalid = "invalid YAML file: ";
  const std::string bomb = [] {
    std::string text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 9; ++i) {
      const std::string n = std::to_string(i), p = std::to_string(i - 1);
      text += "a" + n + ": &a" + n + " [*a" + p;
      for (int j = 0; j < 9; ++j) text += ",*a" + p;
      text += "]\n";
    }
    return text;
  }();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a: b\n\tc: d\n", kInvalid + "f.yaml:"},
      {"x: 1\na: 1\n\na: 2\n", kInvalid + "f.yaml:4: the key 'a' is already set in line 2"},
      {"a: [1,2", kInvalid + "f.yaml:"},
      {"x: 1\na: b: c\n", kInvalid + "f.yaml:2: "},
      {"\xff\xfe\x01", "f.yaml:1: "},
      {"x: 1\na: *nope\n", kInvalid + "f.yaml:2: *nope refers to an anchor"},
      {"x: 1\na: \"\xff\"\n", "f.yaml:2: "},
      {"a: \"x", kInvalid + "f.yaml:1: "},
      {"{{{{", kInvalid + "f.yaml:"},
      {std::string("a: 1\nb: \0", 9), "f.yaml:2: the file is not a text in UTF-8"},
      {std::string(5000, '['), kInvalid + "f.yaml:"},
      {"? [a, b]\n: c\n", kInvalid + "f.yaml:1: only strings can be keys"},
      {bomb, "f.yaml: the aliases in it unfold to more than a million values"},
      {std::string(17 << 20, '#'), "f.yaml: the file is larger than 16 MiB"},
  };
  for (const auto& [text, message] : cases) {
    INFO(text.substr(0, 100));
    const auto parsed = YamlDocument::Parse("f.yaml", text);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.status().message().find(message) == 0);
    CHECK(parsed.status().message().find('\n') == std::string::npos);
  }
}

TEST_CASE("every prefix of a document is read or refused", "[workspace]") {
  const std::string text = "# c\na: &x \"q\\n\" # d\nb:\n- {k: [1, 'it''s']}\n- |\n  lit\nc: *x\n? d\n: >-\n  e\n  f\n";
  for (size_t size = 0; size <= text.size(); ++size) {
    const auto parsed = YamlDocument::Parse("f", text.substr(0, size));
    if (parsed.ok()) continue;
    CHECK(parsed.status().message().find("invalid YAML file: f:") == 0);
  }
  CHECK(YamlDocument::Parse("f", text).ok());
}

TEST_CASE("lines are known by pointer", "[workspace]") {
  const auto document = Parse("name: x\nconfig:\n  a:\n\n    b: 1\n  l:\n    - 1\n    - 2\n");
  CHECK(document.LineOf("/name") == 1);
  CHECK(document.LineOf("/config/a/b") == 5);
  CHECK(document.LineOf("/config/l/1") == 8);
  CHECK(document.LineOf("/config/a/none/deeper") == 3);
  CHECK(document.LineOf("/none") == 1);
  CHECK(document.Error("/config/a/b", "bad").message() == "f.yaml:5: bad");
}

TEST_CASE("an edit keeps every other byte", "[workspace]") {
  const std::string text =
      "# Settings of dev.\nencryptionsalt: v1:abc=:v1:d:e\n\nconfig:\n  # where\n  aws:region: us-west-2   # Oregon\n"
      "  shop:size: \"3\" # small\n\n  shop:nested: # deep\n    list:\n      - a # first\n      # between\n      - b\n"
      "    k: v\n  # last words\n";
  auto json = Json::parse(R"({"encryptionsalt":"v1:abc=:v1:d:e","config":{"aws:region":"us-west-2","shop:size":"3",)"
                          R"("shop:nested":{"list":["a","b"],"k":"v"}}})");
  const auto document = Parse(text);
  CHECK(EditYaml(document, json) == text);

  SECTION("a changed scalar") {
    json["config"]["aws:region"] = "eu-west-1";
    std::string expected = text;
    expected.replace(expected.find("us-west-2"), 9, "eu-west-1");
    CHECK(EditYaml(document, json) == expected);
  }
  SECTION("a quoted scalar, and a value that needs quotes") {
    json["config"]["shop:size"] = "yes";
    std::string expected = text;
    expected.replace(expected.find("\"3\""), 3, "\"yes\"");
    CHECK(EditYaml(document, json) == expected);
  }
  SECTION("a new key goes to the end of its map") {
    json["config"]["shop:new"] = Json{{"secure", "v1:x:y"}};
    std::string expected = text;
    expected.insert(expected.find("  # last"), "  shop:new:\n    secure: v1:x:y\n");
    CHECK(EditYaml(document, json) == expected);
  }
  SECTION("a removed key takes only its own lines along") {
    json["config"].erase("shop:size");
    std::string expected = text;
    expected.erase(expected.find("  shop:size"), std::string("  shop:size: \"3\" # small\n").size());
    CHECK(EditYaml(document, json) == expected);
  }
  SECTION("changes inside lists") {
    json["config"]["shop:nested"]["list"] = {"a", "c", "d"};
    std::string expected = text;
    expected.replace(expected.find("- b\n"), 4, "- c\n      - d\n");
    CHECK(EditYaml(document, json) == expected);
    json["config"]["shop:nested"]["list"] = {"a"};
    expected = text;
    expected.erase(expected.find("      - b\n"), 10);
    CHECK(EditYaml(document, json) == expected);
  }
  SECTION("a scalar becomes a map and keeps its comment") {
    json["config"]["aws:region"] = Json{{"secure", "v1:x:y"}};
    std::string expected = text;
    expected.replace(expected.find(" us-west-2   # Oregon\n"), 22, "   # Oregon\n    secure: v1:x:y\n");
    CHECK(EditYaml(document, json) == expected);
  }
  SECTION("a map becomes a scalar") {
    json["config"]["shop:nested"] = 5;
    const std::string edited = EditYaml(document, json);
    CHECK(edited.find("  shop:nested: 5\n  # last words\n") != std::string::npos);
    CHECK(edited.find("# small") != std::string::npos);
  }
  SECTION("several edits at once") {
    json.erase("encryptionsalt");
    json["config"].erase("aws:region");
    json["config"]["shop:nested"]["k"] = true;
    json["config"]["z"] = Json::array({1, "two"});
    json["environment"] = Json::array({"e"});
    const std::string edited = EditYaml(document, json);
    CHECK(Parse(edited).json() == nlohmann::json(json));
    for (const char* comment :
         {"# Settings of dev.", "# where", "# small", "# deep", "# first", "# between", "# last words"}) {
      CHECK(edited.find(comment) != std::string::npos);
    }
  }
}

TEST_CASE("unusual documents are edited or written anew", "[workspace]") {
  CHECK(Edit("", R"({"a":{"b":"c"}})") == "a:\n  b: c\n");
  CHECK(Edit("# hello", R"({"a":1})") == "# hello\na: 1\n");
  CHECK(Edit("a: 1", R"({"a":1,"b":[{"c":"d","e":2},"f"]})") == "a: 1\nb:\n  - c: d\n    e: 2\n  - f\n");
  CHECK(Edit("a:\nb: 2\n", R"({"a":"x","b":2})") == "a: x\nb: 2\n");
  CHECK(Edit("a: 1 # c\nb:\n", R"({"a":1,"b":{"c":3}})") == "a: 1 # c\nb:\n  c: 3\n");
  CHECK(Edit("a: 1\n", "{}") == "{}\n");
  CHECK(Edit("a: {b: 1, c: 2} # c\n", R"({"a":{"b":1,"c":3}})") == "a: # c\n  b: 1\n  c: 3\n");
  CHECK(Edit("a: |\n  x\n  y\n\nb: 1\n", R"({"a":"z","b":1})") == "a: z\n\nb: 1\n");
  CHECK(Edit("a: 'x'\nb: 1\n", R"({"a":"one\ntwo\n","b":1})") == "a: \"one\\ntwo\\n\"\nb: 1\n");
  CHECK(Edit("a: &x 1\nb: *x\n", R"({"a":2,"b":1})") == "a: 2\nb: 1\n");
  CHECK(Edit("a: &x 1\nb: *x # c\n", R"({"a":1,"b":2})") == "a: &x 1\nb: 2 # c\n");
  CHECK(Edit("a: 1\r\nb: 2 # c\r\n", R"({"a":3,"b":2})") == "a: 3\r\nb: 2 # c\r\n");
  CHECK(Edit("'a b': \"c\" # d\n", R"({"a b":"e"})") == "'a b': e # d\n");
  CHECK(Edit("l:\n- a\n- b\n", R"({"l":["a",{"k":1},"c"]})") == "l:\n- a\n- k: 1\n- c\n");
  CHECK(Edit("{\"a\": 1}", R"({"a":2})") == "a: 2\n");
  auto json_file = YamlDocument::Parse("f.json", "{\"a\": 1}");
  CHECK(EditYaml(*json_file, Json{{"a", 2}}) == "{\n    \"a\": 2\n}\n");
}

TEST_CASE("random values are written, read back and edited into one another", "[workspace]") {
  const unsigned seed = 20261121;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const std::vector<std::string> texts = {"",         "a",          "true",
                                          "no",       "~",          "12",
                                          "1e3",      "- a",        "a: b",
                                          "a #b",     "#",          "'",
                                          "\"",       "a\nb",       "a\n",
                                          "\n",       " a",         "a ",
                                          "a:",       "[x]",        "{",
                                          "&x",       "*x",         "!t",
                                          "%",        "@",          "`",
                                          "x,y",      "\t",         "\x01",
                                          "\x7f",     "---",        "...",
                                          "0x1",      "1:30",       "\xc3\xbc",
                                          "\xc2\x85", "a\n\nb",     "?",
                                          "-",        "|",          ">",
                                          "null",     "2020-01-01", "<<",
                                          "=",        "v1:a=:b=",   "\xe2\x80\xa8",
                                          "a\n b\n",  "\\",         "\xf0\x9f\x9a\x80"};
  std::function<Json(int)> make = [&](int depth) -> Json {
    switch (random() % (depth > 2 ? 5 : 8)) {
      case 0:
        return static_cast<int64_t>(random()) - 2000000000;
      case 1:
        return random() % 2 == 0;
      case 2:
        return random() % 3 == 0 ? Json() : Json(static_cast<double>(random()) / 1024.5);
      case 5:
      case 6: {
        Json object = Json::object();
        for (unsigned i = random() % 4; i > 0; --i) object[texts[random() % texts.size()]] = make(depth + 1);
        object.erase("<<");
        return object;
      }
      case 7: {
        Json array = Json::array();
        for (unsigned i = random() % 4; i > 0; --i) array.push_back(make(depth + 1));
        return array;
      }
      default:
        return texts[random() % texts.size()];
    }
  };
  std::string text = "# start\n";
  for (int round = 0; round < 500; ++round) {
    Json value = Json::object();
    for (unsigned i = random() % 4; i > 0; --i) value[std::string(1, static_cast<char>('a' + random() % 6))] = make(0);
    if (!value.empty()) {
      const std::string block = YamlBlock(value, 0);
      INFO(value.dump() << "\n" << block);
      CHECK(Parse(block).json() == nlohmann::json(value));
      CHECK(Parse("k: " + YamlFlow(value) + "\n").json()["k"] == nlohmann::json(value));
    }
    const std::string before = text;
    text = EditYaml(Parse(before), value);
    INFO(before << "----\n" << value.dump() << "\n----\n" << text);
    const auto read = Parse(text).json();
    CHECK((read == nlohmann::json(value) || (read.is_null() && value.empty())));
  }
}

TEST_CASE("a setting made of digits stays as it is written, unless only a number can be meant", "[workspace]") {
  const auto [text, alone, nested] = GENERATE(table<std::string, nlohmann::json, nlohmann::json>({
      {"12", 12, 12},
      {"-7", -7, -7},
      {"1.5", 1.5, 1.5},
      {"18446744073709551615", 18446744073709551615u, 18446744073709551615u},
      {"012345678912", "012345678912", "012345678912"},
      {"0123", "0123", "0123"},
      {"-012", "-012", "-012"},
      {"110717590588123456789", "110717590588123456789", "110717590588123456789"},
      {"1.10", "1.10", 1.1},
      {"20220113.20", "20220113.20", 20220113.2},
      {"1e9", "1e9", 1e9},
      {"0x1F", 31, 31},
      {"0o17", 15, 15},
      {"1_000", 1000, 1000},
      {"+5", 5, 5},
      {"yes", "yes", "yes"},
      {"2024-01-02", "2024-01-02", "2024-01-02"},
      {"true", true, true},
      {"~", nullptr, nullptr},
  }));
  INFO(text);
  CHECK(NumberAsWritten(text, false) == alone);
  CHECK(NumberAsWritten(text, true) == nested);
}

}  // namespace kingpost::yaml_test
