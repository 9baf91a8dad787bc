// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/builtins.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/digest.h"
#include "base/encoding.h"
#include "languages/pcl/evaluator.h"
#include "languages/pcl/size_budget.h"
#include "languages/pcl/yaml_functions.h"
#include "model/deployment_json.h"
#include "model/json_text.h"

namespace kingpost::pcl {

namespace {

using Values = std::vector<Value>;

// False where it is more than a value may come to.
bool AppendJson(const Value& value, std::string* json) {
  if (json->size() > kValueSizeMax) return false;
  if (value.is_number()) {
    std::isfinite(value.as_number()) ? AppendJsonNumber(value.as_number(), json) : void(*json += "null");
  } else if (value.is_bool()) {
    *json += *ToText(value);
  } else if (value.is_string()) {
    AppendJsonStringForHtml(value.as_string(), json);
  } else if (value.is_reference()) {
    AppendJsonStringForHtml(value.as_reference().urn.str(), json);
  } else if (value.is_array()) {
    const char* before = "[";
    for (const Value& part : value.as_array()) {
      *json += std::exchange(before, ",");
      if (!AppendJson(part, json)) return false;
    }
    *json += value.as_array().empty() ? "[]" : "]";
  } else if (value.is_object()) {
    const char* before = "{";
    for (const auto& [key, part] : value.as_object()) {
      *json += std::exchange(before, ",");
      AppendJsonStringForHtml(key, json);
      *json += ':';
      if (!AppendJson(part, json)) return false;
    }
    *json += value.as_object().empty() ? "{}" : "}";
  } else {
    *json += "null";
  }
  return true;
}

Status Fail(const std::string& message) { return Status(Code::kInvalidArgument, message); }

Result<std::string> TextOf(const Value& value, const char* what) {
  if (const auto text = ToText(value)) return *text;
  return Fail(std::string(what) + " must be a text, not " + KindName(value));
}

Result<double> WholeNumber(const Value& value, const char* what) {
  const auto number = ToNumber(value);
  if (!number || std::floor(*number) != *number) return Fail(std::string(what) + " must be a whole number");
  return *number;
}

Result<Value> NameOfPlace(const std::string& name, const char* function) {
  if (name.empty()) return Fail(std::string(function) + " is not known here");
  return Value(name);
}
Result<Value> Cwd(const EvaluationContext& a, const Values&) { return NameOfPlace(a.working_directory, "cwd"); }
Result<Value> RootDirectory(const EvaluationContext& a, const Values&) {
  return NameOfPlace(a.root_directory, "rootDirectory");
}
Result<Value> Project(const EvaluationContext& a, const Values&) { return NameOfPlace(a.project, "project"); }
Result<Value> Stack(const EvaluationContext& a, const Values&) { return NameOfPlace(a.stack, "stack"); }
Result<Value> Organization(const EvaluationContext& a, const Values&) {
  return NameOfPlace(a.organization, "organization");
}

Result<Value> Same(const EvaluationContext&, const Values& v) { return v[0]; }

Result<Value> Extreme(const Values& v, bool largest) {
  std::optional<double> best;
  for (const Value& value : v) {
    const auto number = ToNumber(value);
    if (!number) return Fail(std::string("every argument must be a number, not ") + KindName(value));
    if (!best || (largest ? *number > *best : *number < *best)) best = number;
  }
  return Value(*best);
}
Result<Value> Max(const EvaluationContext&, const Values& v) { return Extreme(v, true); }
Result<Value> Min(const EvaluationContext&, const Values& v) { return Extreme(v, false); }

// Characters of a text, elements of a list or an object.
Result<Value> Length(const EvaluationContext&, const Values& v) {
  if (v[0].is_array()) return Value(static_cast<double>(v[0].as_array().size()));
  if (v[0].is_object()) return Value(static_cast<double>(v[0].as_object().size()));
  if (!v[0].is_string()) return Fail(std::string("only texts, lists and objects have a length, not ") + KindName(v[0]));
  const std::string& text = v[0].as_string();
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return Value(static_cast<double>(std::count_if(text.begin(), text.end(), begins_character)));
}

Result<Value> Split(const EvaluationContext&, const Values& v) {
  auto separator = TextOf(v[0], "the separator");
  if (!separator.ok()) return separator.status();
  auto text = TextOf(v[1], "the text");
  if (!text.ok()) return text.status();
  Array parts;
  const auto too_many = [&parts] { return parts.size() > kValueSizeMax / kScalarSize; };
  if (separator->empty()) {  // into characters
    for (size_t at = 0, size = 0; at < text->size(); at += size) {
      if (too_many()) return Fail(kValueTooLarge);
      size = std::max<size_t>(1, Utf8Length(*text, at));
      parts.push_back(Value(text->substr(at, size)));
    }
    return Value(std::move(parts));
  }
  size_t begin = 0;
  for (size_t end; (end = text->find(*separator, begin)) != std::string::npos; begin = end + separator->size()) {
    if (too_many()) return Fail(kValueTooLarge);
    parts.push_back(Value(text->substr(begin, end - begin)));
  }
  parts.push_back(Value(text->substr(begin)));
  return Value(std::move(parts));
}

Result<Value> Join(const EvaluationContext&, const Values& v) {
  auto separator = TextOf(v[0], "the separator");
  if (!separator.ok()) return separator.status();
  std::string joined;
  bool first = true;
  for (size_t i = 1; i < v.size(); ++i) {
    if (!v[i].is_array()) return Fail(std::string("what is joined must be a list, not ") + KindName(v[i]));
    for (const Value& part : v[i].as_array()) {
      auto text = TextOf(part, "every element");
      if (!text.ok()) return text.status();
      joined += (first ? "" : *separator) + *text;
      if (joined.size() > kValueSizeMax) return Fail(kValueTooLarge);
      first = false;
    }
  }
  return Value(std::move(joined));
}

// The index counts on from the begin after the end.
Result<Value> Element(const EvaluationContext&, const Values& v) {
  if (!v[0].is_array() || v[0].as_array().empty()) return Fail("the first argument must be a list that is not empty");
  auto index = WholeNumber(v[1], "the index");
  if (!index.ok()) return index.status();
  if (*index < 0) return Fail("the index must not be negative");
  const Array& list = v[0].as_array();
  return list[static_cast<size_t>(std::fmod(*index, static_cast<double>(list.size())))];
}

Result<Value> Lookup(const EvaluationContext&, const Values& v) {
  if (!v[0].is_object()) return Fail(std::string("the first argument must be an object, not ") + KindName(v[0]));
  auto key = TextOf(v[1], "the key");
  if (!key.ok()) return key.status();
  if (const Value* found = v[0].as_object().Find(*key)) return *found;
  if (v.size() == 3) return v[2];
  return Fail("the object has no such key, and there is no third argument to take instead");
}

Result<Value> Entries(const EvaluationContext&, const Values& v) {
  if (!v[0].is_object()) return Fail(std::string("the argument must be an object, not ") + KindName(v[0]));
  Array entries;
  for (const auto& [key, value] : v[0].as_object()) {
    entries.push_back(Value(PropertyMap{{"key", Value(key)}, {"value", value}}));
  }
  return Value(std::move(entries));
}

Result<Value> SingleOrNone(const EvaluationContext&, const Values& v) {
  if (!v[0].is_array()) return Fail(std::string("the argument must be a list, not ") + KindName(v[0]));
  const Array& list = v[0].as_array();
  if (list.size() > 1) {
    return Fail("expected list to have at most one element, got " + std::to_string(list.size()));
  }
  return list.empty() ? Value() : list[0];
}

Result<Value> Range(const EvaluationContext&, const Values& v) {
  constexpr double kElementsMax = 100000;
  double from = 0;
  if (v.size() == 2) {
    auto begin = WholeNumber(v[0], "the begin");
    if (!begin.ok()) return begin.status();
    from = *begin;
  }
  auto to = WholeNumber(v.back(), "the end");
  if (!to.ok()) return to.status();
  if (*to - from > kElementsMax) return Fail("the range has more than " + NumberText(kElementsMax) + " elements");
  Array numbers;
  for (double number = from; number < *to; ++number) numbers.push_back(Value(number));
  return Value(std::move(numbers));
}

Result<Value> ToBase64(const EvaluationContext&, const Values& v) {
  auto text = TextOf(v[0], "the argument");
  return text.ok() ? Result<Value>(Value(Base64Encode(*text))) : text.status();
}

Result<Value> FromBase64(const EvaluationContext&, const Values& v) {
  auto text = TextOf(v[0], "the argument");
  if (!text.ok()) return text.status();
  auto bytes = Base64Decode(*text);
  return bytes ? Result<Value>(Value(std::move(*bytes))) : Fail("the argument is not base64");
}

Result<Value> Sha1(const EvaluationContext&, const Values& v) {
  auto text = TextOf(v[0], "the argument");
  return text.ok() ? Result<Value>(Value(Sha1Hex(*text))) : text.status();
}

Result<Value> Json(const EvaluationContext&, const Values& v) {
  std::string json;
  if (AppendJson(v[0], &json)) return Value(std::move(json));
  return Fail(kValueTooLarge);
}

Result<Value> StringAsset(const EvaluationContext&, const Values& v) {
  auto text = TextOf(v[0], "the argument");
  if (!text.ok()) return text.status();
  AssetData asset;
  asset.hash = Sha256Hex(*text);
  asset.text = std::move(*text);
  return Value::Asset(std::move(asset));
}

Result<Value> NotImplemented(const EvaluationContext&, const Values& v) {
  auto text = TextOf(v[0], "the argument");
  return Fail(text.ok() ? *text : "not implemented");
}

Result<Value> PartOfResource(const Value& resource, const char* key) {
  const Value* found = resource.is_object() ? resource.as_object().Find(key) : nullptr;
  if (found) return *found;
  return Fail(std::string("the argument must be a resource, not ") + KindName(resource));
}
Result<Value> ResourceType(const EvaluationContext&, const Values& v) {
  if (v[0].is_reference()) return Value(v[0].as_reference().urn.type());
  return PartOfResource(v[0], "__type");
}
Result<Value> ResourceName(const EvaluationContext&, const Values& v) {
  if (v[0].is_reference()) return Value(v[0].as_reference().urn.name());
  return PartOfResource(v[0], "__name");
}

Result<Value> GetOutput(const EvaluationContext& around, const Values& v) {
  auto name = TextOf(v[1], "the name");
  if (!name.ok()) return name.status();
  const Value* outputs = v[0].is_object() ? v[0].as_object().Find("outputs") : nullptr;
  if (!outputs) return around.preview ? Value(Computed()) : Value();
  const Value* found = outputs->is_object() ? outputs->as_object().Find(*name) : nullptr;
  if (!found) return outputs->is_computed() ? Value(Computed()) : Value();
  const Value* secret = v[0].as_object().Find("secretOutputNames");
  if (secret && secret->is_array()) {
    for (const Value& secret_name : secret->as_array()) {
      if (secret_name.is_string() && secret_name.as_string() == *name) return Value::Secret(*found);
    }
  }
  return *found;
}

// The path of a file is read by the evaluator; its content is the value.
constexpr Signature kContent = {1, 1, true, false, false, Same};
constexpr Signature kMark = {1, 1, true, true, false, Same};
constexpr Signature kTypeOfResource = {1, 1, false, false, false, ResourceType};
constexpr Signature kNameOfResource = {1, 1, false, false, false, ResourceName};
constexpr Signature kOutput = {2, 2, false, false, false, GetOutput};
constexpr Signature kJsonText = {1, 1, true, false, true, Json};
constexpr char kNoFiles[] = "snippets cannot read files: put the content into the snippet, or into the program";
constexpr char kNoAssets[] = "snippets cannot make archives or fetch assets: do it in the program, and refer to that";
constexpr char kNoLookups[] =
    "it is not supported in snippets: ask in the program, by the exists() of the resource's class";

using Kind = schema::Type::Kind;
namespace yaml = yaml_functions;

// Each signature: least, most, takes null, takes unknown, deep, what computes it.
constexpr Builtin kBuiltins[] = {
    {"cwd", {0, 0, false, false, false, Cwd}, {}, Kind::kString},
    {"rootDirectory", {0, 0, false, false, false, RootDirectory}, {}, Kind::kString},
    {"project", {0, 0, false, false, false, Project}, {}, Kind::kString},
    {"stack", {0, 0, false, false, false, Stack}, {}, Kind::kString},
    {"organization", {0, 0, false, false, false, Organization}, {}, Kind::kString},
    {"secret", kMark, kMark},
    {"unsecret", kMark, kMark},
    {"max", {1, -1, false, false, false, Max}, {}},
    {"min", {1, -1, false, false, false, Min}, {}},
    {"length", {1, 1, false, false, false, Length}, {1, 1, true, false, false, yaml::Length}, Kind::kNumber},
    {"split", {2, 2, false, false, false, Split}, {2, 2, true, false, false, yaml::Split}},
    {"join", {2, -1, false, false, true, Join}, {2, 2, true, false, true, yaml::Join}, Kind::kString},
    {"element", {2, 2, false, false, false, Element}, {}},
    {"select", {}, {2, 2, true, false, false, yaml::Select}},
    {"lookup", {2, 3, true, false, false, Lookup}, {}},
    {"entries", {1, 1, false, false, false, Entries}, {}},
    {"singleOrNone", {1, 1, false, false, false, SingleOrNone}, {1, 1, true, false, false, yaml::SingleOrNone}},
    {"range", {1, 2, false, false, false, Range}, {}},
    {"toBase64", {1, 1, false, false, false, ToBase64}, {1, 1, true, false, false, yaml::ToBase64}, Kind::kString},
    {"fromBase64",
     {1, 1, false, false, false, FromBase64},
     {1, 1, true, false, false, yaml::FromBase64},
     Kind::kString},
    {"sha1", {1, 1, false, false, false, Sha1}, {1, 1, true, false, false, yaml::Sha1}, Kind::kString},
    {"toJSON", kJsonText, kJsonText, Kind::kString},
    {"readFile", {}, kContent, Kind::kString, kNoFiles},
    {"filebase64", {}, {1, 1, true, false, false, yaml::FileBase64}, Kind::kString, kNoFiles},
    {"filebase64sha256", {}, {1, 1, true, false, false, yaml::FileBase64Sha256}, Kind::kString, kNoFiles},
    {"stringAsset",
     {1, 1, false, false, false, StringAsset},
     {1, 1, true, false, false, yaml::StringAsset},
     Kind::kAsset},
    {"fileAsset", {}, {1, 1, true, false, false, yaml::FileAsset}, Kind::kAsset, kNoFiles},
    {"remoteAsset", {}, {1, 1, true, false, false, yaml::RemoteAsset}, Kind::kAsset, kNoAssets},
    {"fileArchive", {}, {1, 1, true, false, false, yaml::FileArchive}, Kind::kArchive, kNoFiles},
    {"remoteArchive", {}, {1, 1, true, false, false, yaml::RemoteArchive}, Kind::kArchive, kNoAssets},
    {"assetArchive", {}, {1, 1, false, false, true, yaml::AssetArchive}, Kind::kArchive, kNoAssets},
    {"resourceExists", {}, {}, Kind::kBool, kNoLookups},
    {"notImplemented", {1, 1, false, false, false, NotImplemented}, {}},
    {"pulumiResourceType", kTypeOfResource, kTypeOfResource, Kind::kString},
    {"pulumiResourceName", kNameOfResource, kNameOfResource, Kind::kString},
    {"getOutput", kOutput, kOutput},
};

}  // namespace

std::span<const Builtin> AllBuiltins() { return kBuiltins; }

const Builtin* FindBuiltin(const std::string& name) {
  for (const Builtin& builtin : kBuiltins) {
    if (name == builtin.name) return &builtin;
  }
  return nullptr;
}

std::string ToJson(const Value& value) {
  std::string json;
  AppendJson(value, &json);
  return json;
}

}  // namespace kingpost::pcl
