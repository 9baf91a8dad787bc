// SPDX-License-Identifier: Apache-2.0
// Checks property values on the wire: every kind, every option, and nesting near and beyond the limit.
#include "wire/wire.h"

#include "wire/convert.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/stubs/logging.h>

#include <catch2/catch.hpp>

#include "model/signatures.h"
#include "wire/whole_values.h"

namespace kingpost::convert_test {

using WireStruct = google::protobuf::Struct;
using WireValue = google::protobuf::Value;

WireStruct Send(const PropertyMap& map, const WireOptions& options) {
  std::string bytes;
  Status status = ToStruct(map, options, &bytes);
  INFO(status.message());
  REQUIRE(status.ok());
  WireStruct wire;
  REQUIRE(wire::ParseDeep(bytes, &wire));
  return wire;
}

PropertyMap Receive(const WireStruct& wire, const WireOptions& options) {
  auto map = FromStruct(wire.SerializeAsString(), options);
  INFO(map.status().message());
  REQUIRE(map.ok());
  return *map;
}

std::string FailureOf(const WireStruct& wire, const WireOptions& options) {
  auto map = FromStruct(wire.SerializeAsString(), options);
  REQUIRE_FALSE(map.ok());
  return map.status().message();
}

const WireValue& Field(const WireStruct& wire, const std::string& key) {
  REQUIRE(wire.fields().count(key) == 1);
  return wire.fields().at(key);
}

WireStruct Tagged(std::string_view signature, const std::map<std::string, WireValue>& members) {
  WireStruct wire;
  auto& object = *(*wire.mutable_fields())["p"].mutable_struct_value()->mutable_fields();
  object[std::string(signatures::kKey)].set_string_value(std::string(signature));
  for (const auto& [name, value] : members) object[name] = value;
  return wire;
}

WireValue TextValue(const std::string& text) {
  WireValue value;
  value.set_string_value(text);
  return value;
}

ResourceReference Reference(std::shared_ptr<const Value> id) {
  ResourceReference reference;
  reference.urn = Urn("urn:pulumi:dev::proj::pkg:mod:Type::name");
  reference.id = std::move(id);
  reference.package_version = "1.2.3";
  reference.name = "name";
  reference.type = "pkg:mod:Type";
  return reference;
}

PropertyMap Sample() {
  AssetData asset;
  asset.text = "hello";
  asset.hash = "2cf24dba";
  AssetData path;
  path.kind = AssetData::Kind::kPath;
  path.text = "/some/file";
  ArchiveData archive;
  archive.assets = {{"a", Value::Asset(asset)}, {"b", Value::Asset(path)}};
  archive.hash = "abc";
  OutputData output;
  output.element = Value("x");
  output.secret = true;
  output.dependencies = {Urn("urn:pulumi:dev::proj::pkg:mod:Type::dep")};
  OutputData unknown;
  unknown.known = false;
  unknown.dependencies = output.dependencies;
  return {{"null", Value()},
          {"bool", true},
          {"number", 1.5},
          {"string", "text"},
          {"bytes", std::string("\xff\x00z", 3)},
          {"array", Array{1, Array{"a"}, Value()}},
          {"object", PropertyMap{{"inner", PropertyMap{{"deep", 7}}}}},
          {"secret", Value::Secret(PropertyMap{{"password", "hunter2"}})},
          {"computed", Computed()},
          {"output", Value::Output(output)},
          {"unknown", Value::Output(unknown)},
          {"asset", Value::Asset(asset)},
          {"archive", Value::Archive(archive)},
          {"component", Value::Reference(Reference(nullptr))},
          {"custom", Value::Reference(Reference(std::make_shared<const Value>("id-1")))},
          {"planned", Value::Reference(Reference(std::make_shared<const Value>(Computed())))}};
}

Value Nested(int levels) {
  Value value("bottom");
  for (int i = 0; i < levels; ++i) value = PropertyMap{{"k", value}};
  return value;
}

TEST_CASE("every kind of value survives the wire") {
  const PropertyMap sample = Sample();
  const PropertyMap back = Receive(Send(sample, testing::WholeValues()), testing::WholeValues());
  for (const auto& [key, value] : sample) {
    INFO(key);
    REQUIRE(back.Has(key));
    CHECK(DeepEqual(*back.Find(key), value));
  }
  CHECK(back.size() == sample.size());
}

TEST_CASE("receivers without secrets, references and outputs get plain values") {
  WireOptions plain;
  plain.keep_unknowns = true;
  plain.keep_byte_strings = true;
  const WireStruct wire = Send(Sample(), plain);
  CHECK(Field(wire, "secret").struct_value().fields().at("password").string_value() == "hunter2");
  CHECK(Field(wire, "custom").string_value() == "id-1");
  CHECK(Field(wire, "component").string_value() == "urn:pulumi:dev::proj::pkg:mod:Type::name");
  CHECK(Field(wire, "planned").string_value() == kUnknownString);
  CHECK(Field(wire, "output").string_value() == "x");
  CHECK(Field(wire, "unknown").string_value() == kUnknownString);
  CHECK(Field(wire, "computed").string_value() == kUnknownString);
}

TEST_CASE("unknowns are left out, kept or refused") {
  const PropertyMap map{{"u", Computed()}, {"list", Array{1, Computed(), 2}}};
  WireOptions options;
  const WireStruct without = Send(map, options);
  CHECK(without.fields().count("u") == 0);
  CHECK(Field(without, "list").list_value().values_size() == 2);

  options.reject_unknowns = true;
  std::string out;
  CHECK(ToStruct(PropertyMap{{"u", Computed()}}, options, &out).message() == "unexpected unknown value at u");
}

TEST_CASE("all seven sentinels are unknown on receipt") {
  for (const char* sentinel : {"1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
                               "04da6b54-80e4-46f7-96ec-b56ff0331ba9", "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
                               "030794c1-ac77-496b-92df-f27374a8bd58", "e48ece36-62e2-4504-bad9-02848725956a",
                               "dd056dcd-154b-4c76-9bd3-c8f88648b5ff"}) {
    WireStruct wire;
    (*wire.mutable_fields())["p"].set_string_value(sentinel);
    auto* list = (*wire.mutable_fields())["list"].mutable_list_value();
    list->add_values()->set_string_value(sentinel);
    CHECK(Receive(wire, testing::WholeValues()).Find("p")->is_computed());
    const PropertyMap dropped = Receive(wire, WireOptions());
    CHECK_FALSE(dropped.Has("p"));
    // In a list its place is kept.
    REQUIRE(dropped.Find("list")->as_array().size() == 1);
    CHECK(dropped.Find("list")->as_array()[0].is_null());
  }
}

TEST_CASE("secrets and unknowns become outputs where the receiver asks for it") {
  WireOptions options = testing::WholeValues();
  options.upgrade_to_outputs = true;
  const Value both = Value::Secret(Computed());
  const PropertyMap map{{"both", both}, {"plain", 1}, {"s", Value::Secret(Value("x"))}, {"u", Computed()}};
  const WireStruct wire = Send(map, options);
  const auto& secret = Field(wire, "s").struct_value().fields();
  CHECK(secret.at(std::string(signatures::kKey)).string_value() == signatures::kOutput);
  CHECK(secret.at("value").string_value() == "x");
  CHECK(secret.at("secret").bool_value());
  CHECK(Field(wire, "u").struct_value().fields_size() == 1);
  CHECK(Field(wire, "both").struct_value().fields().count("value") == 0);
  CHECK(Field(wire, "plain").number_value() == 1);
  CHECK(DeepEqual(Receive(wire, testing::WholeValues()), map));
}

TEST_CASE("an output without dependencies is converted to its plain value, sent or received") {
  const PropertyMap plain{{"known", "x"}, {"secret", Value::Secret(Value("x"))}, {"unknown", Computed()}};
  const PropertyMap outputs{{"known", Value::Output({Value("x"), true, false, {}})},
                            {"secret", Value::Output({Value("x"), true, true, {}})},
                            {"unknown", Value::Output({Value(), false, false, {}})}};
  const WireStruct wire = Send(outputs, testing::WholeValues());
  CHECK(Field(wire, "known").string_value() == "x");
  CHECK(Field(wire, "unknown").string_value() == kUnknownString);
  CHECK(DeepEqual(Receive(wire, testing::WholeValues()), plain));
  CHECK(DeepEqual(Receive(Tagged(signatures::kOutput, {{"value", TextValue("x")}}), testing::WholeValues()),
                  PropertyMap{{"p", "x"}}));
}

TEST_CASE("a secret around an unknown stays both, and a secret around an output is a secret output") {
  const Urn urn("urn:pulumi:dev::proj::pkg:mod:Type::dep");
  const Value inner = Value::Output({Value("x"), true, false, {urn}});
  const PropertyMap map{{"output", Value::Secret(inner)}, {"unknown", Value::Secret(Computed())}};
  const PropertyMap back = Receive(Send(map, testing::WholeValues()), testing::WholeValues());
  CHECK(DeepEqual(*back.Find("output"), Value::Output({Value("x"), true, true, {urn}})));
  CHECK(DeepEqual(*back.Find("unknown"), Value::Secret(Computed())));
}

TEST_CASE("an unknown output is left out where unknowns are, and refused where they are") {
  const Urn urn("urn:pulumi:dev::proj::pkg:mod:Type::dep");
  const PropertyMap map{{"u", Value::Output({Value(), false, false, {urn}})}};
  WireOptions options = testing::WholeValues();
  const WireStruct wire = Send(map, options);
  options.keep_unknowns = false;
  CHECK(Send(map, options).fields().empty());
  CHECK(Receive(wire, options).empty());
  options.reject_unknowns = true;
  CHECK(FailureOf(wire, options) == "unexpected unknown value at u");
}

TEST_CASE("a secret is left out with the unknown that it holds, and no secret without a value is sent") {
  const Urn urn("urn:pulumi:dev::proj::pkg:mod:Type::dep");
  const PropertyMap map{{"computed", Value::Secret(Computed())},
                        {"output", Value::Output({Value(), false, true, {urn}})},
                        {"deep", PropertyMap{{"in", Value::Secret(Value::Secret(Computed()))}, {"beside", 1}}},
                        {"list", Array{Value::Secret(Computed()), 2}}};
  WireOptions options = testing::WholeValues();
  options.keep_unknowns = options.keep_outputs = false;
  const WireStruct wire = Send(map, options);
  CHECK(wire.fields_size() == 2);
  CHECK(DeepEqual(Receive(wire, options), PropertyMap{{"deep", PropertyMap{{"beside", 1}}}, {"list", Array{2}}}));
}

TEST_CASE("a byte string is refused for a receiver without support, with the path of its property") {
  std::string out;
  const PropertyMap map{{"a", PropertyMap{{"b.c", Array{1, std::string("\xff")}}}}};
  CHECK(ToStruct(map, WireOptions(), &out).message() ==
        "the value of property a[\"b.c\"][1] is a string that contains non-UTF8 bytes, which the receiver does not "
        "support");
}

TEST_CASE("assets are sent without contents to receivers of hashes, and get the contents back by hash") {
  WireOptions options = testing::WholeValues();
  options.elide_asset_contents = true;
  const PropertyMap sample = Sample();
  const WireStruct wire = Send(sample, options);
  CHECK(Field(wire, "asset").struct_value().fields_size() == 2);
  CHECK(Field(wire, "archive").struct_value().fields_size() == 2);
  const PropertyMap returned = Receive(wire, testing::WholeValues());
  CHECK_FALSE(returned.Find("asset")->as_asset().has_contents);
  const PropertyMap restored = RestoreAssetContents({sample}, returned);
  CHECK(restored.Find("asset")->as_asset().text == "hello");
  CHECK(restored.Find("archive")->as_archive().assets.size() == 2);
  // Whatever was sent may have them: inputs first, then outputs.
  const PropertyMap from_outputs = RestoreAssetContents({PropertyMap{{"other", 1}}, sample}, returned);
  CHECK(from_outputs.Find("asset")->as_asset().text == "hello");
}

TEST_CASE("internal keys and nulls can be left out") {
  WireOptions options = testing::WholeValues();
  options.skip_internal_keys = true;
  options.skip_nulls = true;
  const PropertyMap map{{"__x", 1}, {"n", Value()}, {"o", PropertyMap{{"__kept", 1}}}};
  const WireStruct wire = Send(map, options);
  CHECK(wire.fields_size() == 1);
  CHECK(Field(wire, "o").struct_value().fields().count("__kept") == 1);
}

TEST_CASE("malformed tagged objects are named") {
  const WireOptions all = testing::WholeValues();
  CHECK(FailureOf(Tagged(signatures::kSecret, {}), all) == "p: malformed secret: missing value");
  CHECK(FailureOf(Tagged(signatures::kReference, {}), all) == "p: malformed resource reference: missing urn");
  CHECK(FailureOf(Tagged(signatures::kByteString, {{"value", TextValue("***")}}), all) ==
        "p: malformed byte string: value is not valid base64");
  CHECK(FailureOf(Tagged("no-such-thing", {}), all) == "p: unknown signature \"no-such-thing\"");
  WireOptions no_assets = all;
  no_assets.reject_assets = true;
  CHECK(FailureOf(Tagged(signatures::kAsset, {}), no_assets) == "unexpected asset value at p");
}

TEST_CASE("a sealed secret is never sent") {
  SecretData sealed;
  sealed.ciphertext = "v1:abc";
  sealed.sealed = true;
  std::string out;
  Status status = ToStruct(PropertyMap{{"k", Value::Secret(sealed)}}, testing::WholeValues(), &out);
  REQUIRE_FALSE(status.ok());
  CHECK(status.message().find("property k is still encrypted") != std::string::npos);
}

TEST_CASE("3,000 levels are sent, read and converted; more are refused with the property's name") {
  const WireStruct wire = Send(PropertyMap{{"deep", Nested(3000)}}, testing::WholeValues());
  const PropertyMap back = Receive(wire, testing::WholeValues());
  Value at = *back.Find("deep");
  int levels = 0;
  for (; at.is_object(); ++levels) {
    Value next = *at.as_object().Find("k");
    at = next;
  }
  CHECK(levels == 3000);

  std::string out;
  Status status = ToStruct(PropertyMap{{"deep", Nested(10000)}}, testing::WholeValues(), &out);
  REQUIRE_FALSE(status.ok());
  CHECK(status.message().find("the value of property \"k\" is nested more than 3333 levels deep") == 0);
}

TEST_CASE("bytes nested beyond the limit, or no message at all, are an error and not a crash") {
  // A Struct of 12,000 levels, written from the inside out.
  std::string bytes;
  const auto wrap = [](char tag, const std::string& inner) {
    std::string length;
    for (size_t n = inner.size(); true; n >>= 7) {
      length += static_cast<char>((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
      if (n <= 0x7f) break;
    }
    return tag + length + inner;
  };
  for (int i = 0; i < 12000; ++i) bytes = wrap(0x0a, std::string("\x0a\x01k", 3) + wrap(0x12, wrap(0x2a, bytes)));
  const google::protobuf::LogSilencer quiet;
  const std::string error =
      "cannot read a google.protobuf.Struct message: it is damaged, or its values are nested more "
      "than 3333 levels deep";
  const WireOptions options = testing::WholeValues();
  CHECK(FromStruct(bytes, options).status().message() == error);
  CHECK(FromStruct(bytes, options).status().code() == Code::kInvalidArgument);
  CHECK(FromStruct("no message", options).status().message() == error);
  CHECK(FromStruct(std::string("\x0a\x05\x0a\x01\xff\x12\x00", 7), options).status().message() == error);  // not UTF-8
  CHECK(FromStruct("", options).ok());
  CHECK(wire::Check(WireStruct()).ok());
}

}  // namespace kingpost::convert_test
