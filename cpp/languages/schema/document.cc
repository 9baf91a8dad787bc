// SPDX-License-Identifier: Apache-2.0
#include "languages/schema/document.h"

#include <initializer_list>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "languages/schema/token.h"
#include "model/deployment_json.h"
#include "model/json_text.h"

namespace kingpost::schema {

namespace {

using OrderedJson = nlohmann::ordered_json;
using ReadJson = Result<OrderedJson>;

// --- the fields of each part, in the order in which they are written

enum class FieldKind {
  kText,
  kBool,
  kAny,       // any value
  kVerbatim,  // kept to the letter: the options of a language
  kPart,      // another part
  kAlias,     // a text, or an object with a type
  kAnswer     // an object type if it has properties, else a type
};
enum class FieldCount { kOne, kList, kMap };

struct Shape;
struct FieldType {
  FieldKind kind;
  FieldCount count = FieldCount::kOne;
  const Shape* part = nullptr;
};
struct Field {
  const char* name;
  FieldType type;
  bool always = false;  // kept if it says nothing
};
struct Shape {
  std::initializer_list<Field> fields;
  const Shape* first = nullptr;  // has the fields before these
};

constexpr FieldType kText{FieldKind::kText}, kBool{FieldKind::kBool}, kAny{FieldKind::kAny};
constexpr FieldType kTexts{FieldKind::kText, FieldCount::kList}, kTextMap{FieldKind::kText, FieldCount::kMap};
constexpr FieldType kLanguages{FieldKind::kVerbatim, FieldCount::kMap};
constexpr FieldType kAliases{FieldKind::kAlias, FieldCount::kList}, kAnswer{FieldKind::kAnswer};
constexpr bool kAlways = true;

constexpr FieldType Part(const Shape& part) { return {FieldKind::kPart, FieldCount::kOne, &part}; }
constexpr FieldType Parts(const Shape& part) { return {FieldKind::kPart, FieldCount::kList, &part}; }
constexpr FieldType PartMap(const Shape& part) { return {FieldKind::kPart, FieldCount::kMap, &part}; }

constexpr Shape kDiscriminator{{{"propertyName", kText, kAlways}, {"mapping", kTextMap}}};

extern const Shape kType;  // names itself
constexpr Shape kType{{{"type", kText},
                       {"$ref", kText},
                       {"additionalProperties", Part(kType)},
                       {"items", Part(kType)},
                       {"oneOf", Parts(kType)},
                       {"discriminator", Part(kDiscriminator)},
                       {"plain", kBool}}};

constexpr Shape kDefaultInfo{{{"environment", kTexts}, {"language", kLanguages}}};

constexpr Shape kProperty{{{"description", kText},
                           {"const", kAny},
                           {"default", kAny},
                           {"defaultInfo", Part(kDefaultInfo)},
                           {"deprecationMessage", kText},
                           {"language", kLanguages},
                           {"secret", kBool},
                           {"replaceOnChanges", kBool},
                           {"willReplaceOnChanges", kBool}},
                          &kType};

constexpr Shape kObject{{{"description", kText},
                         {"properties", PartMap(kProperty)},
                         {"type", kText},
                         {"required", kTexts},
                         {"plain", kTexts},
                         {"language", kLanguages},
                         {"isOverlay", kBool},
                         {"overlaySupportedLanguages", kTexts}}};

constexpr Shape kEnumValue{
    {{"name", kText}, {"description", kText}, {"value", kAny, kAlways}, {"deprecationMessage", kText}}};

constexpr Shape kComplexType{{{"enum", Parts(kEnumValue)}}, &kObject};

constexpr Shape kResource{{{"inputProperties", PartMap(kProperty)},
                           {"requiredInputs", kTexts},
                           {"plainInputs", kTexts},
                           {"stateInputs", Part(kObject)},
                           {"listInputs", Part(kObject)},
                           {"aliases", kAliases},
                           {"deprecationMessage", kText},
                           {"isComponent", kBool},
                           {"methods", kTextMap}},
                          &kObject};

// The fields of functions stand in the order of their names, and so do those of what they return.
constexpr Shape kFunction{{{"deprecationMessage", kText},
                           {"description", kText},
                           {"inputs", Part(kObject)},
                           {"isOverlay", kBool},
                           {"language", kLanguages},
                           {"multiArgumentInputs", kTexts},
                           {"outputs", kAnswer},
                           {"overlaySupportedLanguages", kTexts},
                           {"plain", kBool, kAlways}}};

constexpr Shape kConfig{{{"variables", PartMap(kProperty)}, {"defaults", kTexts}}};
constexpr Shape kMeta{{{"moduleFormat", kText}, {"supportPack", kBool}}};

constexpr Shape kPlugin{{{"name", kText, kAlways}, {"version", kText, kAlways}}};
constexpr Shape kParameter{{{"baseProvider", Part(kPlugin), kAlways}, {"parameter", kText, kAlways}}};
constexpr Shape kBaseParameter{{{"basePlugin", Part(kPlugin), kAlways}, {"parameter", kText, kAlways}}};
constexpr Shape kExtendedProvider{{{"parameterization", Part(kBaseParameter)}}, &kPlugin};
constexpr Shape kExtension{{{"baseProvider", Part(kExtendedProvider), kAlways}, {"parameter", kText, kAlways}}};

constexpr Shape kDependencyParameter{{{"value", kText, kAlways}}, &kPlugin};
constexpr Shape kDependency{{{"name", kText, kAlways},
                             {"version", kText},
                             {"downloadURL", kText},
                             {"parameterization", Part(kDependencyParameter)}}};

constexpr Shape kPackage{{{"name", kText, kAlways},
                          {"displayName", kText},
                          {"version", kText},
                          {"description", kText},
                          {"keywords", kTexts},
                          {"homepage", kText},
                          {"license", kText},
                          {"attribution", kText},
                          {"repository", kText},
                          {"logoUrl", kText},
                          {"pluginDownloadURL", kText},
                          {"configurationDocsUrl", kText},
                          {"validateCredentialsOnNew", kBool},
                          {"publisher", kText},
                          {"namespace", kText},
                          {"meta", Part(kMeta)},
                          {"allowedPackageNames", kTexts},
                          {"language", kLanguages},
                          {"config", Part(kConfig), kAlways},
                          {"types", PartMap(kComplexType)},
                          {"provider", Part(kResource)},
                          {"resources", PartMap(kResource)},
                          {"functions", PartMap(kFunction)},
                          {"dependencies", Parts(kDependency)},
                          {"parameterization", Part(kParameter)},
                          {"extensionParameterization", Part(kExtension)}}};

// --- reading

const char* KindOf(const OrderedJson& value) {
  if (value.is_string()) return "a text";
  if (value.is_boolean()) return "a bool";
  if (value.is_number()) return "a number";
  if (value.is_array()) return "a list";
  return value.is_object() ? "an object" : "null";
}

ReadJson Expected(const std::string& path, const char* what, const OrderedJson& found) {
  return Status(Code::kInvalidArgument, path + ": expected " + what + ", found " + KindOf(found));
}

// All objects in it by name, as maps are written.
OrderedJson Sorted(const OrderedJson& value) { return OrderedJson(nlohmann::json(value)); }

// The value of a missing field, if it is always written.
OrderedJson Nothing(const FieldType& type) {
  if (type.kind == FieldKind::kText) return "";
  return type.kind == FieldKind::kPart ? OrderedJson::object() : OrderedJson();
}

bool SaysNothing(const OrderedJson& value, const FieldType& type) {
  const bool may_be_empty = type.kind != FieldKind::kText && type.kind != FieldKind::kBool;
  if (type.count == FieldCount::kOne && may_be_empty) return value.is_null();
  return value.empty() || value == "" || value == false;
}

ReadJson ReadField(const OrderedJson& value, const FieldType& type, const std::string& path);

Status ReadFields(const OrderedJson& value, const Shape& shape, const std::string& path, OrderedJson* part) {
  if (shape.first) KP_TRY(ReadFields(value, *shape.first, path, part));
  for (const Field& field : shape.fields) {
    const OrderedJson* found = FieldOf(value, field.name);
    const bool missing = !found || found->is_null();
    if (missing && (!field.always || field.type.kind == FieldKind::kBool)) continue;
    const OrderedJson nothing = Nothing(field.type);
    auto read = ReadField(missing ? nothing : *found, field.type, path + "/" + field.name);
    if (!read.ok()) return read.status();
    if (field.always || !SaysNothing(*read, field.type)) (*part)[field.name] = std::move(*read);
  }
  return Status::Ok();
}

ReadJson ReadPart(const OrderedJson& value, const Shape& shape, const std::string& path) {
  if (!value.is_object()) return Expected(path, "an object", value);
  OrderedJson part = OrderedJson::object();
  KP_TRY(ReadFields(value, shape, path, &part));
  return part;
}

ReadJson ReadAlias(const OrderedJson& value, const std::string& path) {
  if (value.is_string()) return value;
  if (!value.is_object()) return Expected(path, "a text or an object", value);
  const OrderedJson* type = FieldOf(value, "type");
  if (type && !type->is_string()) return Expected(path + "/type", "a text", *type);
  return OrderedJson{{"type", TextOf(value, "type")}};
}

// With properties it is an object of which nothing but the answer itself can be plain. A type that says nothing known
// here is no answer.
ReadJson ReadAnswer(OrderedJson value, const std::string& path) {
  const OrderedJson* properties = FieldOf(value, "properties");
  const bool is_object = properties && !properties->is_null(), is_plain = BoolOf(value, "plain");
  const OrderedJson* plain = FieldOf(value, "plain");
  if (is_object && plain && !plain->is_array()) value.erase("plain");
  auto read = ReadPart(value, is_object ? kObject : kType, path);
  if (!read.ok()) return read;
  if (is_object && is_plain) (*read)["plain"] = true;
  return is_object || !read->empty() ? Sorted(*read) : OrderedJson();
}

ReadJson ReadOne(const OrderedJson& value, const FieldType& type, const std::string& path) {
  switch (type.kind) {
    case FieldKind::kText:
      return value.is_string() ? ReadJson(value) : Expected(path, "a text", value);
    case FieldKind::kBool:
      return value.is_boolean() ? ReadJson(value) : Expected(path, "a bool", value);
    case FieldKind::kVerbatim:
      return value;
    case FieldKind::kAlias:
      return ReadAlias(value, path);
    case FieldKind::kPart:
      return ReadPart(value, *type.part, path);
    case FieldKind::kAny:
      return Sorted(value);
    case FieldKind::kAnswer:
      return ReadAnswer(value, path);
  }
  return OrderedJson();
}

ReadJson ReadField(const OrderedJson& value, const FieldType& type, const std::string& path) {
  if (type.count == FieldCount::kOne) return ReadOne(value, type, path);
  const bool is_list = type.count == FieldCount::kList;
  if (is_list ? !value.is_array() : !value.is_object()) return Expected(path, is_list ? "a list" : "an object", value);
  OrderedJson list = OrderedJson::array();
  std::map<std::string, OrderedJson> members;
  for (const auto& item : value.items()) {
    auto read = ReadOne(item.value(), type, path + "/" + PathPart(item.key()));
    if (!read.ok()) return read;
    if (is_list) {
      list.push_back(std::move(*read));
    } else {
      members.emplace(item.key(), std::move(*read));
    }
  }
  if (is_list) return list;
  return OrderedJson(
      OrderedJson::object_t(std::make_move_iterator(members.begin()), std::make_move_iterator(members.end())));
}

void AppendValue(const OrderedJson& value, std::string* out) {
  if (value.is_string()) return AppendJsonStringForHtml(TextIn(value), out);
  if (value.is_number()) return AppendJsonNumber(NumberIn(value), out);
  if (!value.is_structured()) {
    out->append(value.dump());
    return;
  }
  const bool is_list = value.is_array();
  out->push_back(is_list ? '[' : '{');
  bool first = true;
  for (const auto& item : value.items()) {
    if (!first) out->push_back(',');
    first = false;
    if (!is_list) {
      AppendJsonStringForHtml(item.key(), out);
      out->push_back(':');
    }
    AppendValue(item.value(), out);
  }
  out->push_back(is_list ? ']' : '}');
}

}  // namespace

Result<OrderedJson> Canonical(const OrderedJson& document) { return ReadPart(document, kPackage, "#"); }

Result<OrderedJson> ReadCanonical(std::string_view text) {
  const OrderedJson document = ParseOrderedJson(text);
  if (document.is_discarded()) return Status(Code::kInvalidArgument, "the schema is not well-formed JSON");
  return Canonical(document);
}

std::string DocumentText(const OrderedJson& document) {
  std::string compact;
  AppendValue(document, &compact);
  return IndentJson(compact, 2);
}

std::optional<CredentialCheck> CredentialCheckOf(std::string_view text) {
  const nlohmann::json schema = ParseJson(text);
  if (!BoolOf(schema, "validateCredentialsOnNew")) return std::nullopt;
  CredentialCheck check{TextOf(schema, "name"), TextOf(schema, "displayName"), TextOf(schema, "configurationDocsUrl")};
  if (check.shown_name.empty()) check.shown_name = check.package;
  return check;
}

}  // namespace kingpost::schema
