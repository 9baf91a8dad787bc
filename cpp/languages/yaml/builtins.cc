// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/builtins.h"

#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/digest.h"
#include "base/encoding.h"
#include "languages/pcl/builtins.h"

namespace kingpost::yaml {

namespace {

using pcl::Surroundings;
using Values = std::vector<Value>;

Status Refuse(const std::string& message) { return Status(Code::kInvalidArgument, message); }

const char* NameOfKind(const Value& value) {
  if (value.is_null()) return "nil";
  if (value.is_bool()) return "a boolean";
  if (value.is_string()) return "a string";
  return pcl::KindName(value);
}

Status MustBeText(const std::string& what, const Value& value) {
  return Refuse(what + " must be a string, not " + NameOfKind(value));
}

Result<Value> JoinTexts(const Surroundings&, const Values& v) {
  if (!v[0].is_string() && !v[0].is_null()) return MustBeText("delimiter", v[0]);
  if (!v[1].is_array()) {
    return Refuse(std::string("the second argument to fn::join must be a list, found ") + NameOfKind(v[1]));
  }
  const std::string delimiter = v[0].is_string() ? v[0].as_string() : "";
  std::string joined;
  const Array& parts = v[1].as_array();
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].is_string()) {
      return Refuse(std::string("the second argument to fn::join must be a list of strings, found ") +
                    NameOfKind(parts[i]) + " at index " + std::to_string(i));
    }
    joined += (i == 0 ? "" : delimiter) + parts[i].as_string();
  }
  return Value(std::move(joined));
}

Result<Value> SplitText(const Surroundings& around, const Values& v) {
  for (const Value& value : v) {
    if (!value.is_string()) return MustBeText("the arguments to fn::split", value);
  }
  return pcl::FindBuiltin("split")->compute(around, v);
}

Result<Value> Select(const Surroundings&, const Values& v) {
  if (!v[0].is_number()) return Refuse(std::string("index must be a number, not ") + NameOfKind(v[0]));
  const double index = v[0].as_number();
  if (index < 0 || std::floor(index) != index) {
    return Refuse("index must be a positive integral, not " + pcl::NumberText(index));
  }
  if (!v[1].is_array()) return Refuse(std::string("receiver must be a list or object, not ") + NameOfKind(v[1]));
  const Array& list = v[1].as_array();
  if (index >= static_cast<double>(list.size())) {
    return Refuse("list index " + pcl::NumberText(index) + " out-of-bounds for list of length " +
                  std::to_string(list.size()));
  }
  return list[static_cast<size_t>(index)];
}

Result<Value> EncodeText(const Surroundings& around, const Values& v) {
  if (!v[0].is_string()) {
    return Refuse(std::string("expected argument to fn::toBase64 to be a string, got ") + NameOfKind(v[0]));
  }
  return pcl::FindBuiltin("toBase64")->compute(around, v);
}

Result<Value> DecodeText(const Surroundings&, const Values& v) {
  if (!v[0].is_string()) {
    return Refuse(std::string("expected argument to fn::fromBase64 to be a string, got ") + NameOfKind(v[0]));
  }
  auto bytes = Base64Decode(v[0].as_string());
  if (!bytes) return Refuse("fn::fromBase64 unable to decode " + v[0].as_string());
  if (!IsValidUtf8(*bytes)) return Refuse("fn::fromBase64 output is not a valid UTF-8 string");
  return Value(std::move(*bytes));
}

Result<Value> HashText(const Surroundings& around, const Values& v) {
  if (!v[0].is_string()) return Refuse(std::string("fn::sha1 requires a string, got ") + NameOfKind(v[0]));
  return pcl::FindBuiltin("sha1")->compute(around, v);
}

// A letter with its accents is one, and so is a flag.
size_t CharactersOf(const std::string& text) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto size = static_cast<utf8proc_ssize_t>(text.size());
  size_t count = 0;
  utf8proc_int32_t before = 0, state = 0;
  for (utf8proc_ssize_t at = 0; at < size;) {
    utf8proc_int32_t code = 0;
    const utf8proc_ssize_t length = utf8proc_iterate(bytes + at, size - at, &code);
    if (length <= 0) code = 0xFFFD;  // a byte that is no UTF-8
    if (at == 0 || utf8proc_grapheme_break_stateful(before, code, &state)) ++count;
    before = code;
    at += std::max<utf8proc_ssize_t>(length, 1);
  }
  return count;
}

Result<Value> LengthOf(const Surroundings& around, const Values& v) {
  if (v[0].is_string()) return Value(static_cast<double>(CharactersOf(v[0].as_string())));
  if (!v[0].is_array() && !v[0].is_object()) {
    return Refuse(std::string("fn::length requires a list, map, or string, got ") + NameOfKind(v[0]));
  }
  return pcl::FindBuiltin("length")->compute(around, v);
}

Result<Value> OnlyElement(const Surroundings&, const Values& v) {
  if (!v[0].is_array()) return Refuse(std::string("fn::singleOrNone requires a list, got ") + NameOfKind(v[0]));
  const Array& list = v[0].as_array();
  if (list.size() > 1) {
    return Refuse("fn::singleOrNone expected a list of 0 or 1 elements, got " + std::to_string(list.size()));
  }
  return list.empty() ? Value() : list[0];
}

Result<Value> FileBase64(const Surroundings&, const Values& v) { return Value(Base64Encode(v[0].as_string())); }
Result<Value> FileBase64Sha256(const Surroundings&, const Values& v) {
  return Value(Base64Encode(*HexDecode(Sha256Hex(v[0].as_string()))));
}

template <AssetData::Kind kind>
Result<Value> MakeAsset(const Surroundings&, const Values& v) {
  if (!v[0].is_string()) return MustBeText("what an asset is made of", v[0]);
  AssetData asset;
  asset.kind = kind;
  asset.text = v[0].as_string();
  return Value::Asset(std::move(asset));
}

template <ArchiveData::Kind kind>
Result<Value> MakeArchive(const Surroundings&, const Values& v) {
  if (!v[0].is_string()) return MustBeText("what an archive is made of", v[0]);
  ArchiveData archive;
  archive.kind = kind;
  archive.text = v[0].as_string();
  return Value::Archive(std::move(archive));
}

Result<Value> MakeAssetArchive(const Surroundings&, const Values& v) {
  ArchiveData archive;
  archive.kind = ArchiveData::Kind::kAssets;
  archive.assets = v[0].as_object();
  return Value::Archive(std::move(archive));
}

constexpr pcl::Builtin kFunctions[] = {
    // name, least, most, takes null, takes unknown, deep
    {"join", 2, 2, true, false, true, JoinTexts},
    {"split", 2, 2, true, false, false, SplitText},
    {"select", 2, 2, true, false, false, Select},
    {"toBase64", 1, 1, true, false, false, EncodeText},
    {"fromBase64", 1, 1, true, false, false, DecodeText},
    {"sha1", 1, 1, true, false, false, HashText},
    {"length", 1, 1, true, false, false, LengthOf},
    {"singleOrNone", 1, 1, true, false, false, OnlyElement},
    {"filebase64", 1, 1, true, false, false, FileBase64},
    {"filebase64sha256", 1, 1, true, false, false, FileBase64Sha256},
    {"stringAsset", 1, 1, true, false, false, MakeAsset<AssetData::Kind::kText>},
    {"fileAsset", 1, 1, true, false, false, MakeAsset<AssetData::Kind::kPath>},
    {"remoteAsset", 1, 1, true, false, false, MakeAsset<AssetData::Kind::kUri>},
    {"fileArchive", 1, 1, true, false, false, MakeArchive<ArchiveData::Kind::kPath>},
    {"remoteArchive", 1, 1, true, false, false, MakeArchive<ArchiveData::Kind::kUri>},
    {"assetArchive", 1, 1, false, false, true, MakeAssetArchive},
};

const pcl::Builtin* FindFunction(const std::string& name) {
  for (const pcl::Builtin& function : kFunctions) {
    if (name == function.name) return &function;
  }
  return pcl::FindBuiltin(name);
}

// %v of a number: 250000, 1e+06, 0.25.
std::string GoNumber(double number) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof(text), number, std::chars_format::scientific);
  const std::string scientific(text, end.ptr);
  const size_t e = scientific.find('e');
  const int exponent = e == std::string::npos ? 0 : std::atoi(scientific.c_str() + e + 1);
  return exponent < -4 || exponent >= 6 ? scientific : pcl::NumberText(number);
}

}  // namespace

std::optional<std::string> TextInTemplate(const Value& wrapped) {
  const Value value = pcl::Open(wrapped).value;
  if (value.is_null()) return "<nil>";
  if (value.is_number()) return GoNumber(value.as_number());
  if (value.is_array()) {
    std::string text;
    for (const Value& element : value.as_array()) {
      const auto part = TextInTemplate(element);
      if (!part) return std::nullopt;
      text += (text.empty() ? "" : " ") + *part;
    }
    return "[" + text + "]";
  }
  if (value.is_object()) {
    if (value.as_object().Has("__type")) return std::nullopt;  // a resource
    std::string text;
    for (const auto& [key, element] : value.as_object()) {
      const auto part = TextInTemplate(element);
      if (!part) return std::nullopt;
      text += (text.empty() ? "" : " ") + key + ":" + *part;
    }
    return "map[" + text + "]";
  }
  return pcl::ToText(value);
}

pcl::Dialect YamlDialect() {
  pcl::Dialect dialect;
  dialect.find_builtin = FindFunction;
  dialect.why_not_offered = [](const std::string&) { return std::string(); };
  dialect.text_of = TextInTemplate;
  dialect.lenient = true;
  dialect.raw_arguments = true;
  return dialect;
}

}  // namespace kingpost::yaml
