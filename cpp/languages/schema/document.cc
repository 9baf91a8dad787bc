// SPDX-License-Identifier: Apache-2.0
#include "languages/schema/document.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "languages/schema/document_shapes.h"
#include "languages/schema/json_path.h"
#include "model/deployment_json.h"
#include "model/json_text.h"

namespace kingpost::schema {

namespace {

using OrderedJson = nlohmann::ordered_json;

const char* KindOf(const OrderedJson& value) {
  if (value.is_string()) return "a text";
  if (value.is_boolean()) return "a bool";
  if (value.is_number()) return "a number";
  if (value.is_array()) return "a list";
  return value.is_object() ? "an object" : "null";
}

Status Expected(const std::string& path, const char* what, const OrderedJson& found) {
  return Status(Code::kInvalidArgument, path + ": expected " + what + ", found " + KindOf(found));
}

// By name, as maps are written.
OrderedJson Sorted(const OrderedJson& value) {
  if (value.is_array()) {
    OrderedJson list = OrderedJson::array();
    for (const OrderedJson& element : value) list.push_back(Sorted(element));
    return list;
  }
  if (!value.is_object()) return value;
  std::vector<std::string> names;
  for (const auto& item : value.items()) names.push_back(item.key());
  std::sort(names.begin(), names.end());
  OrderedJson object = OrderedJson::object();
  for (const std::string& name : names) object[name] = Sorted(value[name]);
  return object;
}

class Reader {
 public:
  Result<OrderedJson> Part(const OrderedJson& value, const Shape& shape, const std::string& path) {
    if (!value.is_object()) return Expected(path, "an object", value);
    OrderedJson part = OrderedJson::object();
    for (const ShapeField& field : shape.fields) {
      const OrderedJson* found = FieldOf(value, field.name);
      const bool missing = !found || found->is_null();
      if (missing && (!field.always || field.kind == FieldKind::kBool)) continue;
      auto read = missing ? Nothing(field, path) : Field(*found, field, path + "/" + field.name);
      if (!read.ok()) return read;
      if (!SaysNothing(*read, field)) part[field.name] = std::move(*read);
    }
    return part;
  }

 private:
  Result<OrderedJson> Nothing(const ShapeField& field, const std::string& path) {
    if (field.kind == FieldKind::kText) return OrderedJson("");
    if (field.kind == FieldKind::kPartOrNothing)
      return Part(OrderedJson::object(), *field.part, path + "/" + field.name);
    return OrderedJson();
  }

  static bool SaysNothing(const OrderedJson& value, const ShapeField& field) {
    if (field.always || field.kind == FieldKind::kPartOrNothing || field.kind == FieldKind::kReturn) {
      return value.is_null() && !field.always;
    }
    if (value.is_string()) return field.kind == FieldKind::kText && TextIn(value).empty();
    if (value.is_boolean()) return field.kind == FieldKind::kBool && !BoolIn(value);
    return value.is_null() || (field.kind != FieldKind::kAny && value.empty());
  }

  Result<OrderedJson> Field(const OrderedJson& value, const ShapeField& field, const std::string& path) {
    switch (field.kind) {
      case FieldKind::kText:
        return value.is_string() ? Result<OrderedJson>(value) : Expected(path, "a text", value);
      case FieldKind::kBool:
        return value.is_boolean() ? Result<OrderedJson>(value) : Expected(path, "a bool", value);
      case FieldKind::kTexts:
        return Texts(value, path);
      case FieldKind::kTextMap:
        return TextMap(value, path);
      case FieldKind::kAny:
        return Sorted(value);
      case FieldKind::kRaw:
        return Raw(value, path);
      case FieldKind::kPart:
      case FieldKind::kPartOrNothing:
        return Part(value, *field.part, path);
      case FieldKind::kParts:
        return Parts(value, *field.part, path);
      case FieldKind::kPartMap:
        return PartMap(value, *field.part, path);
      case FieldKind::kAliases:
        return Aliases(value, path);
      case FieldKind::kReturn:
        return Return(value, path);
    }
    return OrderedJson();
  }

  static Result<OrderedJson> Texts(const OrderedJson& value, const std::string& path) {
    if (!value.is_array()) return Expected(path, "a list", value);
    for (size_t i = 0; i < value.size(); ++i) {
      if (!value[i].is_string()) return Expected(path + "/" + std::to_string(i), "a text", value[i]);
    }
    return value;
  }

  static Result<OrderedJson> TextMap(const OrderedJson& value, const std::string& path) {
    if (!value.is_object()) return Expected(path, "an object", value);
    for (const auto& item : value.items()) {
      if (!item.value().is_string()) return Expected(path + "/" + PathPart(item.key()), "a text", item.value());
    }
    return Sorted(value);
  }

  // Languages by name; what each of them says is its own affair.
  static Result<OrderedJson> Raw(const OrderedJson& value, const std::string& path) {
    if (!value.is_object()) return Expected(path, "an object", value);
    std::vector<std::string> names;
    for (const auto& item : value.items()) names.push_back(item.key());
    std::sort(names.begin(), names.end());
    OrderedJson languages = OrderedJson::object();
    for (const std::string& name : names) languages[name] = value[name];
    return languages;
  }

  Result<OrderedJson> Parts(const OrderedJson& value, const Shape& shape, const std::string& path) {
    if (!value.is_array()) return Expected(path, "a list", value);
    OrderedJson list = OrderedJson::array();
    for (size_t i = 0; i < value.size(); ++i) {
      auto part = Part(value[i], shape, path + "/" + std::to_string(i));
      if (!part.ok()) return part;
      list.push_back(std::move(*part));
    }
    return list;
  }

  Result<OrderedJson> PartMap(const OrderedJson& value, const Shape& shape, const std::string& path) {
    if (!value.is_object()) return Expected(path, "an object", value);
    std::map<std::string, OrderedJson> parts;
    for (const auto& item : value.items()) {
      auto part = Part(item.value(), shape, path + "/" + PathPart(item.key()));
      if (!part.ok()) return part;
      parts[item.key()] = std::move(*part);
    }
    OrderedJson object = OrderedJson::object();
    for (auto& [name, part] : parts) object[name] = std::move(part);
    return object;
  }

  static Result<OrderedJson> Aliases(const OrderedJson& value, const std::string& path) {
    if (!value.is_array()) return Expected(path, "a list", value);
    OrderedJson list = OrderedJson::array();
    for (size_t i = 0; i < value.size(); ++i) {
      const std::string at = path + "/" + std::to_string(i);
      if (value[i].is_string()) {
        list.push_back(value[i]);
        continue;
      }
      if (!value[i].is_object()) return Expected(at, "a text or an object", value[i]);
      const OrderedJson* type = FieldOf(value[i], "type");
      if (type && !type->is_string()) return Expected(at + "/type", "a text", *type);
      list.push_back(OrderedJson{{"type", TextOf(value[i], "type")}});
    }
    return list;
  }

  // With properties it is an object of which nothing but the answer itself can be plain.
  Result<OrderedJson> Return(const OrderedJson& value, const std::string& path) {
    if (value.is_object() && value.empty()) return OrderedJson();
    const OrderedJson* properties = FieldOf(value, "properties");
    if (!properties || properties->is_null()) {
      auto type = Part(value, TypeShape(), path);
      if (!type.ok()) return type;
      return type->empty() ? OrderedJson()
                           : Sorted(*type);  // what says nothing that is known here is as good as an empty one
    }
    OrderedJson object = value;
    const OrderedJson* plain = FieldOf(value, "plain");
    const bool is_plain = plain && BoolIn(*plain);
    if (plain && !plain->is_array()) object.erase("plain");
    auto read = Part(object, ObjectShape(), path);
    if (!read.ok()) return read;
    if (is_plain) (*read)["plain"] = true;
    return Sorted(*read);
  }
};

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

// IndentJson makes four blanks for each level.
std::string Halved(const std::string& indented) {
  std::string text;
  size_t begin = 0;
  while (begin < indented.size()) {
    const size_t end = std::min(indented.find('\n', begin), indented.size());
    const size_t blanks = std::min(indented.find_first_not_of(' ', begin), end) - begin;
    text.append(blanks / 2, ' ').append(indented, begin + blanks, end - begin - blanks);
    if (end < indented.size()) text += '\n';
    begin = end + 1;
  }
  return text;
}

}  // namespace

Result<OrderedJson> Canonical(const OrderedJson& document) { return Reader().Part(document, PackageShape(), "#"); }

Result<OrderedJson> ReadCanonical(std::string_view text) {
  const OrderedJson document = ParseOrderedJson(text);
  if (document.is_discarded()) return Status(Code::kInvalidArgument, "the schema is not well-formed JSON");
  return Canonical(document);
}

std::string DocumentText(const OrderedJson& document) {
  std::string compact;
  AppendValue(document, &compact);
  return Halved(IndentJson(compact));
}

std::optional<CredentialCheck> CredentialCheckOf(std::string_view text) {
  const nlohmann::json schema = ParseJson(text);
  if (!BoolOf(schema, "validateCredentialsOnNew")) return std::nullopt;
  CredentialCheck check{TextOf(schema, "name"), TextOf(schema, "displayName"), TextOf(schema, "configurationDocsUrl")};
  if (check.shown_name.empty()) check.shown_name = check.package;
  return check;
}

}  // namespace kingpost::schema
