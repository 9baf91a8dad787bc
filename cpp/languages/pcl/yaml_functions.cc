// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/yaml_functions.h"

#include <utf8proc.h>

#include <algorithm>
#include <cmath>

#include "base/digest.h"
#include "base/encoding.h"
#include "languages/pcl/builtins.h"
#include "languages/pcl/size_budget.h"

namespace kingpost::pcl::yaml_functions {

namespace {

Status Refuse(const std::string& message) { return Status(Code::kInvalidArgument, message); }

const char* NameOfKind(const Value& value) {
  if (value.is_null()) return "nil";
  if (value.is_bool()) return "a boolean";
  if (value.is_string()) return "a string";
  return KindName(value);
}

Status MustBeText(const std::string& what, const Value& value) {
  return Refuse(what + " must be a string, not " + NameOfKind(value));
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

Result<Value> MakeAsset(AssetData::Kind kind, const Values& v) {
  if (!v[0].is_string()) return MustBeText("what an asset is made of", v[0]);
  AssetData asset;
  asset.kind = kind;
  asset.text = v[0].as_string();
  return Value::Asset(std::move(asset));
}

Result<Value> MakeArchive(ArchiveData::Kind kind, const Values& v) {
  if (!v[0].is_string()) return MustBeText("what an archive is made of", v[0]);
  ArchiveData archive;
  archive.kind = kind;
  archive.text = v[0].as_string();
  return Value::Archive(std::move(archive));
}

}  // namespace

Result<Value> Join(const EvaluationContext&, const Values& v) {
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
    if (joined.size() > kValueSizeMax) return Refuse(kValueTooLarge);
  }
  return Value(std::move(joined));
}

Result<Value> Split(const EvaluationContext& around, const Values& v) {
  for (const Value& value : v) {
    if (!value.is_string()) return MustBeText("the arguments to fn::split", value);
  }
  return FindBuiltin("split")->snippets.compute(around, v);
}

Result<Value> Select(const EvaluationContext&, const Values& v) {
  if (!v[0].is_number()) return Refuse(std::string("index must be a number, not ") + NameOfKind(v[0]));
  const double index = v[0].as_number();
  if (index < 0 || std::floor(index) != index) {
    return Refuse("index must be a positive integral, not " + NumberText(index));
  }
  if (!v[1].is_array()) return Refuse(std::string("receiver must be a list or object, not ") + NameOfKind(v[1]));
  const Array& list = v[1].as_array();
  if (index >= static_cast<double>(list.size())) {
    return Refuse("list index " + NumberText(index) + " out-of-bounds for list of length " +
                  std::to_string(list.size()));
  }
  return list[static_cast<size_t>(index)];
}

Result<Value> ToBase64(const EvaluationContext& around, const Values& v) {
  if (!v[0].is_string()) {
    return Refuse(std::string("expected argument to fn::toBase64 to be a string, got ") + NameOfKind(v[0]));
  }
  return FindBuiltin("toBase64")->snippets.compute(around, v);
}

Result<Value> FromBase64(const EvaluationContext&, const Values& v) {
  if (!v[0].is_string()) {
    return Refuse(std::string("expected argument to fn::fromBase64 to be a string, got ") + NameOfKind(v[0]));
  }
  auto bytes = Base64Decode(v[0].as_string());
  if (!bytes) return Refuse("fn::fromBase64 unable to decode " + v[0].as_string());
  if (!IsValidUtf8(*bytes)) return Refuse("fn::fromBase64 output is not a valid UTF-8 string");
  return Value(std::move(*bytes));
}

Result<Value> Sha1(const EvaluationContext& around, const Values& v) {
  if (!v[0].is_string()) return Refuse(std::string("fn::sha1 requires a string, got ") + NameOfKind(v[0]));
  return FindBuiltin("sha1")->snippets.compute(around, v);
}

Result<Value> Length(const EvaluationContext& around, const Values& v) {
  if (v[0].is_string()) return Value(static_cast<double>(CharactersOf(v[0].as_string())));
  if (!v[0].is_array() && !v[0].is_object()) {
    return Refuse(std::string("fn::length requires a list, map, or string, got ") + NameOfKind(v[0]));
  }
  return FindBuiltin("length")->snippets.compute(around, v);
}

Result<Value> SingleOrNone(const EvaluationContext&, const Values& v) {
  if (!v[0].is_array()) return Refuse(std::string("fn::singleOrNone requires a list, got ") + NameOfKind(v[0]));
  const Array& list = v[0].as_array();
  if (list.size() > 1) {
    return Refuse("fn::singleOrNone expected a list of 0 or 1 elements, got " + std::to_string(list.size()));
  }
  return list.empty() ? Value() : list[0];
}

Result<Value> FileBase64(const EvaluationContext&, const Values& v) { return Value(Base64Encode(v[0].as_string())); }
Result<Value> FileBase64Sha256(const EvaluationContext&, const Values& v) {
  return Value(Base64Encode(*HexDecode(Sha256Hex(v[0].as_string()))));
}

Result<Value> StringAsset(const EvaluationContext&, const Values& v) { return MakeAsset(AssetData::Kind::kText, v); }
Result<Value> FileAsset(const EvaluationContext&, const Values& v) { return MakeAsset(AssetData::Kind::kPath, v); }
Result<Value> RemoteAsset(const EvaluationContext&, const Values& v) { return MakeAsset(AssetData::Kind::kUri, v); }
Result<Value> FileArchive(const EvaluationContext&, const Values& v) {
  return MakeArchive(ArchiveData::Kind::kPath, v);
}
Result<Value> RemoteArchive(const EvaluationContext&, const Values& v) {
  return MakeArchive(ArchiveData::Kind::kUri, v);
}

Result<Value> AssetArchive(const EvaluationContext&, const Values& v) {
  ArchiveData archive;
  archive.kind = ArchiveData::Kind::kAssets;
  archive.assets = v[0].as_object();
  return Value::Archive(std::move(archive));
}

}  // namespace kingpost::pcl::yaml_functions
