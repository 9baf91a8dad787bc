// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/builtins.h"

#include <utf8proc.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/digest.h"
#include "base/encoding.h"
#include "base/utf8.h"
#include "languages/pcl/evaluator.h"

namespace kingpost::pcl {

namespace {

using Values = Signature::Values;

Status Fail(const std::string& message) { return Status(Code::kInvalidArgument, message); }

// Programs in YAML tell mistakes in the reference's words.
std::string KindIn(const EvaluationContext& around, const Value& value) {
  if (!around.yaml()) return KindName(value);
  if (value.is_null()) return "nil";
  if (value.is_bool()) return "a boolean";
  return value.is_string() ? "a string" : KindName(value);
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

template <bool largest>
Result<Value> Extreme(const EvaluationContext&, const Values& v) {
  std::optional<double> best;
  for (const Value& value : v) {
    const auto number = ToNumber(value);
    if (!number) return Fail(std::string("every argument must be a number, not ") + KindName(value));
    if (!best || (largest ? *number > *best : *number < *best)) best = number;
  }
  return Value(*best);
}

// A letter with its accents is one, and so is a flag.
size_t CountGraphemes(const std::string& text) {
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

// Characters of a text, elements of a list or an object.
Result<Value> Length(const EvaluationContext& around, const Values& v) {
  if (v[0].is_array()) return Value(static_cast<double>(v[0].as_array().size()));
  if (v[0].is_object()) return Value(static_cast<double>(v[0].as_object().size()));
  const std::string& text = v[0].as_string();
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) { return !IsUtf8Continuation(c); });
  return Value(static_cast<double>(around.yaml() ? CountGraphemes(text) : characters));
}

Result<Value> Split(const EvaluationContext&, const Values& v) {
  const std::string &separator = v[0].as_string(), &text = v[1].as_string();
  Array parts;
  for (size_t begin = 0;;) {
    if (parts.size() > kValueSizeMax / kScalarSize) return Fail(kValueTooLarge);
    if (separator.empty()) {  // into characters
      if (begin >= text.size()) return Value(std::move(parts));
      const size_t size = std::max<size_t>(1, Utf8Length(text, begin));
      parts.push_back(Value(text.substr(begin, size)));
      begin += size;
      continue;
    }
    const size_t end = text.find(separator, begin);
    parts.push_back(Value(text.substr(begin, end - begin)));
    if (end == std::string::npos) return Value(std::move(parts));
    begin = end + separator.size();
  }
}

Result<Value> Join(const EvaluationContext&, const Values& v) {
  const std::string& separator = v[0].as_string();
  std::string joined;
  bool first = true;
  for (size_t i = 1; i < v.size(); ++i) {
    if (!v[i].is_array()) return Fail(std::string("what is joined must be a list, not ") + KindName(v[i]));
    for (const Value& part : v[i].as_array()) {
      const auto text = ToText(part);
      if (!text) return Fail(std::string("every element must be a text, not ") + KindName(part));
      joined += (std::exchange(first, false) ? "" : separator) + *text;
      if (joined.size() > kValueSizeMax) return Fail(kValueTooLarge);
    }
  }
  return Value(std::move(joined));
}

Result<Value> JoinInYaml(const EvaluationContext& around, const Values& v) {
  const Array& parts = v[1].as_array();
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].is_string()) continue;
    return Fail("the second argument to fn::join must be a list of strings, found " + KindIn(around, parts[i]) +
                " at index " + std::to_string(i));
  }
  return Join(around, {v[0].is_null() ? Value("") : v[0], v[1]});
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

Result<Value> SelectInYaml(const EvaluationContext& around, const Values& v) {
  if (!v[0].is_number()) return Fail("index must be a number, not " + KindIn(around, v[0]));
  const double index = v[0].as_number();
  if (index < 0 || std::floor(index) != index) {
    return Fail("index must be a positive integral, not " + NumberText(index));
  }
  if (!v[1].is_array()) return Fail("receiver must be a list or object, not " + KindIn(around, v[1]));
  const Array& list = v[1].as_array();
  if (index >= static_cast<double>(list.size())) return Fail(OutOfBounds(index, list.size()));
  return list[static_cast<size_t>(index)];
}

Result<Value> Lookup(const EvaluationContext&, const Values& v) {
  if (const Value* found = v[0].as_object().Find(v[1].as_string())) return *found;
  if (v.size() == 3) return v[2];
  return Fail("the object has no such key, and there is no third argument to take instead");
}

Result<Value> Entries(const EvaluationContext&, const Values& v) {
  Array entries;
  for (const auto& [key, value] : v[0].as_object()) {
    entries.push_back(Value(PropertyMap{{"key", Value(key)}, {"value", value}}));
  }
  return Value(std::move(entries));
}

Result<Value> SingleOrNone(const EvaluationContext& around, const Values& v) {
  const Array& list = v[0].as_array();
  if (list.size() > 1) {
    const std::string complaint = around.yaml() ? "fn::singleOrNone expected a list of 0 or 1 elements, got "
                                                : "expected list to have at most one element, got ";
    return Fail(complaint + std::to_string(list.size()));
  }
  return list.empty() ? Value() : list[0];
}

Result<Value> Range(const EvaluationContext&, const Values& v) {
  constexpr double kElementsMax = 100000;
  auto from = v.size() == 2 ? WholeNumber(v[0], "the begin") : 0;
  if (!from.ok()) return from.status();
  auto to = WholeNumber(v.back(), "the end");
  if (!to.ok()) return to.status();
  if (*to - *from > kElementsMax) return Fail("the range has more than " + NumberText(kElementsMax) + " elements");
  Array numbers;
  for (double number = *from; number < *to; ++number) numbers.push_back(Value(number));
  return Value(std::move(numbers));
}

Result<Value> ToBase64(const EvaluationContext&, const Values& v) { return Value(Base64Encode(v[0].as_string())); }

Result<Value> FromBase64(const EvaluationContext&, const Values& v) {
  auto bytes = Base64Decode(v[0].as_string());
  if (!bytes) return Fail("the argument is not base64");
  return Value(std::move(*bytes));
}

Result<Value> FromBase64InYaml(const EvaluationContext&, const Values& v) {
  auto bytes = Base64Decode(v[0].as_string());
  if (!bytes) return Fail("fn::fromBase64 unable to decode " + v[0].as_string());
  if (!IsValidUtf8(*bytes)) return Fail("fn::fromBase64 output is not a valid UTF-8 string");
  return Value(std::move(*bytes));
}

Result<Value> Sha1(const EvaluationContext&, const Values& v) { return Value(Sha1Hex(v[0].as_string())); }

Result<Value> Json(const EvaluationContext&, const Values& v) {
  std::string json = ToJson(v[0]);
  if (json.size() > kValueSizeMax) return Fail(kValueTooLarge);
  return Value(std::move(json));
}

Result<Value> Base64OfSha256(const EvaluationContext&, const Values& v) {
  return Value(Base64Encode(*HexDecode(Sha256Hex(v[0].as_string()))));
}

template <AssetData::Kind kind>
Result<Value> Asset(const EvaluationContext& around, const Values& v) {
  AssetData asset;
  asset.kind = kind;
  asset.text = v[0].as_string();
  if (!around.yaml()) asset.hash = Sha256Hex(asset.text);
  return Value::Asset(std::move(asset));
}
template <ArchiveData::Kind kind>
Result<Value> Archive(const EvaluationContext&, const Values& v) {
  ArchiveData archive;
  archive.kind = kind;
  archive.text = v[0].as_string();
  return Value::Archive(std::move(archive));
}
Result<Value> AssetArchive(const EvaluationContext&, const Values& v) {
  ArchiveData archive;
  archive.assets = v[0].as_object();
  return Value::Archive(std::move(archive));
}

Result<Value> NotImplemented(const EvaluationContext&, const Values& v) {
  return Fail(ToText(v[0]).value_or("not implemented"));
}

Result<Value> PartOfResource(const Value& resource, const char* key) {
  if (const Value* found = Member(resource, key)) return *found;
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
  const auto name = ToText(v[1]);
  if (!name) return Fail(std::string("the name must be a text, not ") + KindName(v[1]));
  const Value* outputs = Member(v[0], "outputs");
  if (!outputs) return around.preview ? Value(Computed()) : Value();
  const Value* found = Member(*outputs, *name);
  if (!found) return outputs->is_computed() ? Value(Computed()) : Value();
  const Value* secret = Member(v[0], "secretOutputNames");
  if (secret && secret->is_array()) {
    for (const Value& secret_name : secret->as_array()) {
      if (secret_name.is_string() && secret_name.as_string() == *name) return Value::Secret(*found);
    }
  }
  return *found;
}

using Kind = schema::Type::Kind;

constexpr unsigned kText = Parameter::kText, kList = Parameter::kList, kObject = Parameter::kObject;
constexpr Parameter kTextOnly = {kText, "the argument must be a text, not "};
constexpr Parameter kSeparator = {kText, "the separator must be a text, not "};
constexpr Parameter kPartOfSplit = {kText, "the arguments to fn::split must be a string, not "};
constexpr Parameter kForAsset = {kText, "what an asset is made of must be a string, not "};
constexpr Parameter kDelimiter = {kText | Parameter::kNull, "delimiter must be a string, not "};
constexpr Parameter kJoined = {kList, "the second argument to fn::join must be a list, found "};
constexpr Parameter kLookedIn = {kObject, "the first argument must be an object, not "};
constexpr Parameter kForArchive = {kText, "what an archive is made of must be a string, not "};
// The path of a file is read by the evaluator; its content is the value.
constexpr Signature kContent = {1, 1, Same, {}, true};
constexpr Signature kMark = {1, 1, Same, {}, true};
constexpr Signature kTypeOfResource = {1, 1, ResourceType};
constexpr Signature kNameOfResource = {1, 1, ResourceName};
constexpr Signature kOutput = {2, 2, GetOutput};
constexpr Signature kJsonText = {1, 1, Json, {}, true, true};
constexpr char kNoFiles[] = "snippets cannot read files: put the content into the snippet, or into the program";
constexpr char kNoAssets[] = "snippets cannot make archives or fetch assets: do it in the program, and refer to that";
constexpr char kNoLookups[] =
    "it is not supported in snippets: ask in the program, by the exists() of the resource's class";

// Each signature: least, most, what computes it, parameters, takes null, deep.
constexpr Builtin kBuiltins[] = {
    {"cwd", {0, 0, Cwd}, {}, Kind::kString},
    {"rootDirectory", {0, 0, RootDirectory}, {}, Kind::kString},
    {"project", {0, 0, Project}, {}, Kind::kString},
    {"stack", {0, 0, Stack}, {}, Kind::kString},
    {"organization", {0, 0, Organization}, {}, Kind::kString},
    {"secret", kMark, kMark},
    {"unsecret", kMark, kMark},
    {"max", {1, -1, Extreme<true>}, {}},
    {"min", {1, -1, Extreme<false>}, {}},
    {"length",
     {1, 1, Length, {{kText | kList | kObject, "only texts, lists and objects have a length, not "}}},
     {1, 1, Length, {{kText | kList | kObject, "fn::length requires a list, map, or string, got "}}, true},
     Kind::kNumber},
    {"split",
     {2, 2, Split, {kSeparator, {kText, "the text must be a text, not "}}},
     {2, 2, Split, {kPartOfSplit, kPartOfSplit}, true}},
    {"join",
     {2, -1, Join, {kSeparator}, false, true},
     {2, 2, JoinInYaml, {kDelimiter, kJoined}, true, true},
     Kind::kString},
    {"element", {2, 2, Element}, {}},
    {"select", {}, {2, 2, SelectInYaml, {}, true}},
    {"lookup", {2, 3, Lookup, {kLookedIn, {kText, "the key must be a text, not "}}, true}, {}},
    {"entries", {1, 1, Entries, {{kObject, "the argument must be an object, not "}}}, {}},
    {"singleOrNone",
     {1, 1, SingleOrNone, {{kList, "the argument must be a list, not "}}},
     {1, 1, SingleOrNone, {{kList, "fn::singleOrNone requires a list, got "}}, true}},
    {"range", {1, 2, Range}, {}},
    {"toBase64",
     {1, 1, ToBase64, {kTextOnly}},
     {1, 1, ToBase64, {{kText, "expected argument to fn::toBase64 to be a string, got "}}, true},
     Kind::kString},
    {"fromBase64",
     {1, 1, FromBase64, {kTextOnly}},
     {1, 1, FromBase64InYaml, {{kText, "expected argument to fn::fromBase64 to be a string, got "}}, true},
     Kind::kString},
    {"sha1",
     {1, 1, Sha1, {kTextOnly}},
     {1, 1, Sha1, {{kText, "fn::sha1 requires a string, got "}}, true},
     Kind::kString},
    {"toJSON", kJsonText, kJsonText, Kind::kString},
    {"readFile", {}, kContent, Kind::kString, kNoFiles},
    {"filebase64", {}, {1, 1, ToBase64, {}, true}, Kind::kString, kNoFiles},
    {"filebase64sha256", {}, {1, 1, Base64OfSha256, {}, true}, Kind::kString, kNoFiles},
    {"stringAsset",
     {1, 1, Asset<AssetData::Kind::kText>, {kTextOnly}},
     {1, 1, Asset<AssetData::Kind::kText>, {kForAsset}, true},
     Kind::kAsset},
    {"fileAsset", {}, {1, 1, Asset<AssetData::Kind::kPath>, {kForAsset}, true}, Kind::kAsset, kNoFiles},
    {"remoteAsset", {}, {1, 1, Asset<AssetData::Kind::kUri>, {kForAsset}, true}, Kind::kAsset, kNoAssets},
    {"fileArchive", {}, {1, 1, Archive<ArchiveData::Kind::kPath>, {kForArchive}, true}, Kind::kArchive, kNoFiles},
    {"remoteArchive", {}, {1, 1, Archive<ArchiveData::Kind::kUri>, {kForArchive}, true}, Kind::kArchive, kNoAssets},
    {"assetArchive", {}, {1, 1, AssetArchive, {}, false, true}, Kind::kArchive, kNoAssets},
    {"resourceExists", {}, {}, Kind::kBool, kNoLookups},
    {"notImplemented", {1, 1, NotImplemented}, {}},
    {"pulumiResourceType", kTypeOfResource, kTypeOfResource, Kind::kString},
    {"pulumiResourceName", kNameOfResource, kNameOfResource, Kind::kString},
    {"getOutput", kOutput, kOutput},
};

}  // namespace

Result<Value> Signature::Compute(const EvaluationContext& around, Values arguments) const {
  for (size_t i = 0; i < std::min(arguments.size(), std::size(parameters)); ++i) {
    const auto& [kinds, complaint] = parameters[i];
    Value& value = arguments[i];
    if (kinds == kText && !around.yaml()) {
      if (auto text = ToText(value)) value = Value(std::move(*text));
    }
    const unsigned kind = value.is_null()     ? Parameter::kNull
                          : value.is_string() ? kText
                          : value.is_array()  ? kList
                          : value.is_object() ? kObject
                                              : Parameter::kAny;
    if (kinds != Parameter::kAny && !(kinds & kind)) return Fail(complaint + KindIn(around, value));
  }
  return compute(around, arguments);
}

std::span<const Builtin> AllBuiltins() { return kBuiltins; }

const Builtin* FindBuiltin(const std::string& name) {
  for (const Builtin& builtin : kBuiltins) {
    if (name == builtin.name) return &builtin;
  }
  return nullptr;
}

}  // namespace kingpost::pcl
