// SPDX-License-Identifier: Apache-2.0
// Checks the bytes of Structs against protobuf's own classes, with random values and random damage.
#include "wire/wire.h"

#include "wire/struct_bytes.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/stubs/logging.h>

#include <catch2/catch.hpp>
#include <limits>
#include <random>

#include "model/output_values.h"
#include "wire/convert.h"
#include "wire/whole_values.h"

namespace kingpost::struct_bytes_test {

using WireStruct = google::protobuf::Struct;
using WireValue = google::protobuf::Value;

class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}

  int Below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  double Number() {
    constexpr double kNumbers[] = {0, -0.0, 1, -1.5, 1e300, 0x1p-1074, std::numeric_limits<double>::infinity()};
    return Below(2) == 0 ? kNumbers[Below(7)] : Below(1000000) / 128.0;
  }

  // Lengths on both sides of where a length takes another byte.
  std::string Text() {
    constexpr const char* kTexts[] = {"", "text", "naïve", "日本", "😀", "04da6b54-80e4-46f7-96ec-b56ff0331ba9"};
    if (Below(4) > 0) return kTexts[Below(6)];
    constexpr int kLengths[] = {119, 127, 128, 300, 5000};
    return std::string(static_cast<size_t>(kLengths[Below(5)] + Below(3)), 'x');
  }

  std::string Key() { return Below(8) == 0 ? Text() : std::string(1, static_cast<char>('a' + Below(26))); }

 private:
  std::mt19937 random_;
};

// ---- messages, and what they say

void Fill(Chance& chance, int depth, WireStruct* out);

void Fill(Chance& chance, int depth, WireValue* out) {
  switch (chance.Below(depth > 0 ? 8 : 5)) {
    case 0:
      return;  // no kind at all
    case 1:
      return out->set_null_value(google::protobuf::NULL_VALUE);
    case 2:
      return out->set_bool_value(chance.Below(2) == 0);
    case 3:
      return out->set_number_value(chance.Number());
    case 4:
      return out->set_string_value(chance.Text());
    case 5:
      out->mutable_list_value();
      for (int i = chance.Below(5); i > 0; --i) Fill(chance, depth - 1, out->mutable_list_value()->add_values());
      return;
    default:
      return Fill(chance, depth - 1, out->mutable_struct_value());
  }
}

void Fill(Chance& chance, int depth, WireStruct* out) {
  for (int i = chance.Below(6); i > 0; --i) Fill(chance, depth, &(*out->mutable_fields())[chance.Key()]);
}

PropertyMap Meaning(const WireStruct& wire);

Value Meaning(const WireValue& wire) {
  switch (wire.kind_case()) {
    case WireValue::kBoolValue:
      return wire.bool_value();
    case WireValue::kNumberValue:
      return wire.number_value();
    case WireValue::kStringValue:
      return wire.string_value() == kUnknownString ? Value(Computed()) : Value(wire.string_value());
    case WireValue::kStructValue:
      return Meaning(wire.struct_value());
    case WireValue::kListValue: {
      Array array;
      for (const WireValue& element : wire.list_value().values()) array.push_back(Meaning(element));
      return array;
    }
    default:
      return Value();
  }
}

PropertyMap Meaning(const WireStruct& wire) {
  PropertyMap map;
  for (const auto& [key, value] : wire.fields()) map.Set(key, Meaning(value));
  return map;
}

// ---- values of every kind

PropertyMap AnyMap(Chance& chance, int depth);

Value AnyAsset(Chance& chance) {
  AssetData asset;
  asset.kind = static_cast<AssetData::Kind>(chance.Below(3));
  asset.text = chance.Text() + "x";
  asset.hash = chance.Below(2) == 0 ? "" : "2cf24dba";
  return Value::Asset(asset);
}

Value AnyArchive(Chance& chance) {
  ArchiveData archive;
  archive.kind = static_cast<ArchiveData::Kind>(chance.Below(3));
  archive.hash = chance.Below(2) == 0 ? "" : "abc";
  if (archive.kind != ArchiveData::Kind::kAssets) {
    archive.text = chance.Text() + "x";
    return Value::Archive(archive);
  }
  for (int i = chance.Below(3); i > 0; --i) archive.assets.Set(chance.Key(), AnyAsset(chance));
  return Value::Archive(archive);
}

Value AnyReference(Chance& chance) {
  ResourceReference reference;
  reference.urn = Urn("urn:pulumi:dev::proj::pkg:mod:Type::name");
  reference.name = "name";
  reference.type = "pkg:mod:Type";
  if (chance.Below(2) == 0) reference.package_version = "1.2.3";
  const int id = chance.Below(3);
  if (id == 1) reference.id = std::make_shared<const Value>("id-1");
  if (id == 2) reference.id = std::make_shared<const Value>(Computed());
  return Value::Reference(reference);
}

Value AnyValue(Chance& chance, int depth);

// In the form in which it is read: an output depends on something, and is itself secret or unknown.
Value AnyOutput(Chance& chance, int depth) {
  OutputData output = OutputOf(AnyValue(chance, depth));
  output.secret = output.secret || chance.Below(2) == 0;
  for (int i = chance.Below(3); i >= 0; --i) {
    AddUnique(&output.dependencies, Urn("urn:pulumi:dev::p::a:b:C::" + chance.Key()));
  }
  return Value::Output(output);
}

Value AnySecret(Chance& chance, int depth) {
  Value element = AnyValue(chance, depth);
  if (element.is_secret()) return element;
  if (!element.is_output()) return Value::Secret(element);
  OutputData output = element.as_output();
  output.secret = true;
  return Value::Output(output);
}

Value AnyValue(Chance& chance, int depth) {
  switch (chance.Below(depth > 0 ? 13 : 9)) {
    case 0:
      return Value();
    case 1:
      return chance.Below(2) == 0;
    case 2:
      return chance.Number();
    case 3:
      return Value("-" + chance.Text());
    case 4:
      return Value("\xff" + chance.Text());
    case 5:
      return Computed();
    case 6:
      return AnyAsset(chance);
    case 7:
      return AnyArchive(chance);
    case 8:
      return AnyReference(chance);
    case 9:
      return AnySecret(chance, depth - 1);
    case 10:
      return AnyOutput(chance, depth - 1);
    case 11: {
      Array array;
      for (int i = chance.Below(5); i > 0; --i) array.push_back(AnyValue(chance, depth - 1));
      return array;
    }
    default:
      return AnyMap(chance, depth - 1);
  }
}

PropertyMap AnyMap(Chance& chance, int depth) {
  PropertyMap map;
  for (int i = chance.Below(6); i > 0; --i) map.Set(chance.Key(), AnyValue(chance, depth));
  return map;
}

// ----

TEST_CASE("bytes written by protobuf are plain, and are decoded to the same values") {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    INFO("seed " << seed);
    Chance chance(seed);
    WireStruct wire;
    Fill(chance, 4, &wire);
    const std::string bytes = wire.SerializeAsString();
    REQUIRE(wire::IsPlain(wire::Shape::kStruct, bytes));
    const auto map = FromStruct(bytes, testing::WholeValues());
    REQUIRE(map.ok());
    REQUIRE(DeepEqual(*map, Meaning(wire)));
  }
}

TEST_CASE("bytes written by Kingpost are plain, and survive protobuf unchanged") {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    INFO("seed " << seed);
    Chance chance(seed);
    const PropertyMap map = AnyMap(chance, 4);
    std::string bytes;
    REQUIRE(ToStruct(map, testing::WholeValues(), &bytes).ok());
    REQUIRE(wire::IsPlain(wire::Shape::kStruct, bytes));
    WireStruct wire;
    REQUIRE(wire.ParseFromString(bytes));
    REQUIRE(wire.ByteSizeLong() == bytes.size());
    for (const std::string& arrived : {bytes, wire.SerializeAsString()}) {
      const auto back = FromStruct(arrived, testing::WholeValues());
      INFO(back.status().message());
      REQUIRE(back.ok());
      REQUIRE(DeepEqual(*back, map));
    }
  }
}

TEST_CASE("single values are written and read like those of an object") {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    INFO("seed " << seed);
    Chance chance(seed);
    const Value value = AnyValue(chance, 3);
    std::string bytes;
    bool kept = false;
    REQUIRE(ToWireValue("key", value, testing::WholeValues(), &bytes, &kept).ok());
    REQUIRE(kept);
    WireValue wire;
    REQUIRE(wire.ParseFromString(bytes));
    const auto back = FromWireValue("key", wire.SerializeAsString(), testing::WholeValues());
    REQUIRE(back.ok());
    REQUIRE(DeepEqual(**back, value));
  }
}

// Serializes the struct with its keys in order, so that a seed always gives the same bytes.
std::string Sorted(const WireStruct& wire) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream out(&stream);
    out.SetSerializationDeterministic(true);
    wire.SerializeToCodedStream(&out);
  }
  return bytes;
}

// A few bytes changed, taken out, doubled or put in.
std::string Damaged(Chance& chance, std::string bytes) {
  constexpr char kBytes[] = "\x00\x01\x05\x08\x0a\x0b\x0c\x11\x12\x18\x1a\x20\x2a\x32\x3a\x7f\x80\xff";
  for (int i = 1 + chance.Below(2); i > 0 && !bytes.empty(); --i) {
    const auto at = static_cast<size_t>(chance.Below(static_cast<int>(bytes.size())));
    const size_t count = std::min<size_t>(bytes.size() - at, static_cast<size_t>(1 + chance.Below(12)));
    const char byte = kBytes[chance.Below(sizeof kBytes - 1)];
    switch (chance.Below(5)) {
      case 0:
        bytes[at] = byte;
        break;
      case 1:
        bytes.insert(at, 1, byte);
        break;
      case 2:
        bytes.erase(at, count);
        break;
      case 3:
        bytes.insert(at, bytes.substr(at, count));
        break;
      default:
        bytes += bytes;  // to protobuf, the fields of both
    }
  }
  return bytes;
}

TEST_CASE("damaged bytes are read exactly as protobuf reads them, and refused where it refuses them",
          "[struct_bytes]") {
  const google::protobuf::LogSilencer quiet;
  int plain = 0;
  int odd = 0;
  int refused = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    INFO("seed " << seed);
    Chance chance(seed);
    WireStruct whole;
    Fill(chance, 2, &whole);
    const std::string bytes = Damaged(chance, Sorted(whole));
    const auto map = FromStruct(bytes, testing::WholeValues());
    WireStruct wire;
    REQUIRE(map.ok() == wire::ParseDeep(bytes, &wire));
    if (!map.ok()) {
      ++refused;
      continue;
    }
    REQUIRE(DeepEqual(*map, Meaning(wire)));
    ++(wire::IsPlain(wire::Shape::kStruct, bytes) ? plain : odd);
  }
  CHECK(plain > 1000);
  CHECK(odd > 500);
  CHECK(refused > 1000);
}

TEST_CASE("fields twice, in another order, unknown, missing or of another kind are read as protobuf does") {
  using std::string_literals::operator""s;
  for (const std::string& bytes : {
           "\x0a\x05\x12\x00\x0a\x01k"s,  // the value before its key
           "\x0a\x02\x12\x00"s,
           "\x0a\x03\x0a\x01k"s,
           "\x0a\x00"s,                                   // no key; no value; neither
           "\x0a\x09\x0a\x01k\x12\x04\x20\x01\x20\x00"s,  // a kind twice
           "\x0a\x09\x0a\x01k\x12\x04\x08\x00\x20\x01"s,  // two kinds
           "\x0a\x07\x0a\x01k\x12\x02\x08\x05"s,          // a null that is not 0
           "\x0a\x07\x0a\x01k\x12\x02\x20\x05"s,          // a bool that is neither
           "\x0a\x09\x0a\x01k\x12\x04\x38\x01\x20\x01"s,  // a field that Value does not have
           "\x0a\x06\x0a\x81\x00k\x12\x00"s,              // a length of two bytes that needs one
           "\x0a\x05\x0a\x01k\x12\x00\x10\x01"s,          // a field that Struct does not have
           "\x0a\x07\x0a\x01k\x12\x02\x20\x01\x0a\x07\x0a\x01k\x12\x02\x20\x00"s,  // a key twice
           // Two lists and two objects for one value: both parts.
           "\x0a\x11\x0a\x01k\x12\x0c\x32\x04\x0a\x02\x20\x01\x32\x04\x0a\x02\x20\x00"s,
           "\x0a\x13\x0a\x01k\x12\x0e\x2a\x05\x0a\x03\x0a\x01m\x2a\x05\x0a\x03\x0a\x01n"s,
       }) {
    WireStruct wire;
    REQUIRE(wire.ParseFromString(bytes));
    INFO(wire.ShortDebugString());
    const auto map = FromStruct(bytes, testing::WholeValues());
    REQUIRE(map.ok());
    CHECK(DeepEqual(*map, Meaning(wire)));
  }
}

TEST_CASE("the reader accepts the same depth of nesting as protobuf") {
  const google::protobuf::LogSilencer quiet;
  std::string bytes;
  const auto wrap = [&bytes](char tag) {
    std::string length;
    for (size_t n = bytes.size();; n >>= 7) {
      length += static_cast<char>((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
      if (n <= 0x7f) break;
    }
    bytes = tag + length + bytes;
  };
  int refused = 0;
  for (int levels = 1; levels <= 3340; ++levels) {
    wrap(wire::tag::kStruct);
    wrap(wire::tag::kValue);
    bytes = "\x0a\x01k" + bytes;
    wrap(wire::tag::kField);
    if (levels < 3320) continue;
    WireStruct wire;
    const bool parses = wire::ParseDeep(bytes, &wire);
    CHECK(FromStruct(bytes, testing::WholeValues()).ok() == parses);
    refused += parses ? 0 : 1;
  }
  CHECK(refused > 0);
  CHECK(refused < 20);
}

TEST_CASE("the first of several mistakes is reported, and nothing is sent") {
  WireOptions options;
  options.reject_unknowns = true;
  std::string out = "before";
  const PropertyMap map{{"a", Array{1, std::string("\xff"), Computed()}}, {"b", Computed()}};
  CHECK(ToStruct(map, options, &out).message() ==
        "the value of property a[1] is a string that contains non-UTF8 bytes, which the receiver does not support");
  CHECK(out.empty());
}

}  // namespace kingpost::struct_bytes_test
