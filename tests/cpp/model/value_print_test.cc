// SPDX-License-Identifier: Apache-2.0
// Checks the text of values for readers who know JSON.
#include "model/value_print.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "model/value_text.h"

namespace kingpost::value_print_test {

Value Text(const std::string& text) {
  AssetData asset;
  asset.text = text;
  return Value::Asset(asset);
}

TEST_CASE("values read like JSON") {
  CHECK(PrintValue(Value(), false) == "null");
  CHECK(PrintValue(true, false) == "true");
  CHECK(PrintValue(1.5, false) == "1.5");
  CHECK(PrintValue("a \"b\"", false) == R"("a \"b\"")");
  CHECK(PrintValue(Array{1, "x", Array{}}, false) == R"([1, "x", []])");
  CHECK(PrintValue(PropertyMap{{"b", 2}, {"a", PropertyMap{}}}, false) == R"({"a": {}, "b": 2})");
  CHECK(PrintValue(Computed(), false) == "<unknown>");
}

TEST_CASE("numbers that JSON lacks are shown, wherever people read values") {
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(PrintValue(Value(infinite), false) == "+Inf");
  CHECK(PrintValue(Value(-infinite), false) == "-Inf");
  CHECK(PrintValue(Value(std::nan("")), false) == "NaN");
  CHECK(ValueText(Value(infinite), false) == "{+Inf}");
}

TEST_CASE("secrets are shown only if the caller asks for them, at any depth") {
  const PropertyMap conn{{"host", "h"}, {"password", Value::Secret("p")}};
  CHECK(PrintValue(conn, false) == R"({"host": "h", "password": <secret>})");
  CHECK(PrintValue(conn, true) == R"({"host": "h", "password": "p"})");
  CHECK(PrintValue(Value::Output({"p", true, true, {}}), false) == "<secret>");
  CHECK(PrintValue(Value::Output({"p", true, true, {}}), true) == "\"p\"");
  SecretData sealed;
  sealed.sealed = true;
  CHECK(PrintValue(Value::Secret(sealed), true) == "<secret>");
}

TEST_CASE("assets and archives tell where their contents are, or their hash") {
  AssetData file;
  file.kind = AssetData::Kind::kPath;
  file.text = "a.txt";
  AssetData elided;
  elided.hash = "abc";
  elided.has_contents = false;
  ArchiveData archive;
  archive.assets = {{"f", Value::Asset(file)}, {"t", Text("hi")}};
  ArchiveData remote;
  remote.kind = ArchiveData::Kind::kUri;
  remote.text = "https://example.com/a.zip";
  CHECK(PrintValue(Value::Asset(elided), false) == "asset(hash=abc)");
  CHECK(PrintValue(Value::Archive(archive), false) ==
        R"(archive(assets={"f": asset(path="a.txt"), "t": asset(text="hi")}))");
  CHECK(PrintValue(Value::Archive(remote), false) == R"(archive(uri="https://example.com/a.zip"))");
}

}  // namespace kingpost::value_print_test
