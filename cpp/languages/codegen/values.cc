// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/values.h"

#include <algorithm>
#include <optional>

#include "languages/codegen/names.h"
#include "languages/pcl/conversions.h"
#include "model/deployment_json.h"

namespace kingpost::codegen {

namespace {

using Kind = schema::Type::Kind;
using schema::FindProperty;

// The placeholder for an unknown required value: the first value of its type.
ExpressionPtr ZeroOf(const schema::Type& type) {
  switch (type.plain_kind()) {
    case Kind::kBool:
      return Make(Literal{Value(false)});
    case Kind::kInteger:
    case Kind::kNumber:
      return Make(Literal{Value(0.0)});
    case Kind::kString:
      return MakeText("");
    case Kind::kArray:
      return Make(TupleLiteral{});
    case Kind::kMap:
    case Kind::kObject:
      return MakeObject({}, type.kind == Kind::kObject);
    case Kind::kUnion:
      return type.elements.empty() ? Make(Literal{Value()}) : ZeroOf(*type.elements.front());
    default:
      return Make(Literal{Value()});
  }
}

// How well an object's type suits a value: all it requires is there, with the constants it asks for, and no more.
bool Suits(const PropertyMap& object, const schema::Properties& properties) {
  for (const schema::Property& property : properties) {
    const Value* value = object.Find(property.name);
    if (!value && property.required) return false;
    if (!value) continue;
    if (property.constant && !DeepEqual(StripSecrets(*value), schema::ValueOf(*property.constant))) return false;
    if (!pcl::Fits(*value, *property.type)) return false;
  }
  return std::all_of(object.begin(), object.end(),
                     [&](const auto& entry) { return FindProperty(properties, entry.first) != nullptr; });
}

bool HoldsFiles(const Value& value) {
  bool found = false;
  Rewrite(value, [&](const Value& part) {
    found = found || part.is_asset() || part.is_archive() || part.is_reference();
    return part;
  });
  return found;
}

}  // namespace

const schema::Type& Narrow(const schema::Type& type, const Value& value) {
  if (type.kind != Kind::kUnion) return type;
  const Value plain = StripSecrets(value);
  for (const schema::Type* alternative : type.elements) {
    const schema::Type& narrowed = Narrow(*alternative, plain);
    const bool suits = plain.is_object() && narrowed.kind == Kind::kObject
                           ? Suits(plain.as_object(), narrowed.object->properties)
                           : pcl::Fits(plain, narrowed);
    if (suits) return narrowed;
  }
  return schema::AnyType();
}

PropertyMap ProviderInputs(const PropertyMap& inputs, const schema::Resource* schema) {
  PropertyMap result;
  for (const auto& [name, value] : inputs) {
    if (name == "__internal" || name == "version" || name == "pluginDownloadURL") continue;
    const schema::Property* property = schema ? FindProperty(schema->inputs, name) : nullptr;
    const Value plain = StripSecrets(value);
    const bool encoded = plain.is_string() && property &&
                         Narrow(*property->type, plain).plain_kind() != Kind::kString &&
                         property->type->plain_kind() != Kind::kAny;
    const Result<Value> decoded = encoded ? DecodeValue(plain.as_string(), Urn(), {}) : Result<Value>(value);
    if (!decoded.ok()) {
      result.Set(name, value);
    } else {
      result.Set(name, value.is_secret() ? Value::Secret(*decoded) : *decoded);
    }
  }
  return result;
}

void ValueBuilder::Note(const Path& path, const std::string& text) {
  std::string name;
  for (const std::string& part : path) name += (name.empty() ? "" : ".") + part;
  notes_.push_back(std::string(state_.urn.name()) + ": " + name + " " + text);
}

std::string ValueBuilder::SettingName(const Path& path) const {
  std::vector<std::string> words = {std::string(state_.urn.name())};
  words.insert(words.end(), path.begin(), path.end());
  const std::string name = CamelCase(words);
  return name.empty() ? "secret" : name;
}

std::vector<NamedExpression> ValueBuilder::Inputs(const schema::Resource* schema) {
  std::vector<NamedExpression> fields;
  const PropertyMap inputs = state_.is_provider() ? ProviderInputs(state_.inputs, schema) : state_.inputs;
  if (!schema) {
    for (const auto& [name, value] : inputs) {
      if (name.rfind("__", 0) == 0) continue;  // a provider's own notes
      schema::Property property;
      property.name = name;
      property.type = &schema::AnyType();
      AddInput(property, &value, &fields);
    }
    return fields;
  }
  for (const schema::Property& property : schema->inputs) AddInput(property, inputs.Find(property.name), &fields);
  for (const auto& [name, value] : inputs) {
    if (name.rfind("__", 0) == 0 || value.is_null() || FindProperty(schema->inputs, name)) continue;
    Note({name}, "is no input that the package's schema knows; it is left out");
  }
  return fields;
}

void ValueBuilder::AddInput(const schema::Property& property, const Value* value,
                            std::vector<NamedExpression>* fields) {
  const Path path = {property.name};
  const bool known = value && !value->is_null() && !value->is_computed();
  ExpressionPtr expression = known ? Property(property, *value, path) : Absent(property, path);
  if (expression) fields->push_back({property.name, std::move(expression)});
}

ExpressionPtr ValueBuilder::Absent(const schema::Property& property, const Path& path) {
  if (!property.required || (property.default_value && property.default_value->value)) return nullptr;
  if (property.constant) return Make(Literal{schema::ValueOf(*property.constant)});
  Note(path, "is required and was not told; fill it in");
  return ZeroOf(*property.type);
}

ExpressionPtr ValueBuilder::Property(const schema::Property& property, const Value& value, const Path& path) {
  const bool secret = property.secret && !value.is_secret();
  return secret ? BuildSecret(value, *property.type, path) : Build(value, *property.type, path);
}

ExpressionPtr ValueBuilder::Build(const Value& value, const schema::Type& declared, const Path& path) {
  const schema::Type& type = Narrow(declared, value);
  switch (value.kind()) {
    case Value::Kind::kNull:
    case Value::Kind::kBool:
    case Value::Kind::kNumber:
      return Make(Literal{value});
    case Value::Kind::kString:
      return BuildText(value.as_string(), path);
    case Value::Kind::kArray:
      return BuildList(value.as_array(), type, path);
    case Value::Kind::kObject:
      return BuildObject(value.as_object(), type, path);
    case Value::Kind::kAsset:
      return BuildAsset(value.as_asset(), path, false);
    case Value::Kind::kArchive:
      return BuildArchive(value.as_archive(), path);
    case Value::Kind::kSecret:
      if (value.as_secret().sealed) break;
      return BuildSecret(value.as_secret().element, type, path);
    case Value::Kind::kReference:
      return BuildReference(value.as_reference(), path);
    case Value::Kind::kOutput:
    case Value::Kind::kComputed:
      break;
  }
  Note(path, "is not known; fill it in");
  return Make(Literal{Value()});
}

ExpressionPtr ValueBuilder::BuildText(const std::string& text, const Path& path) {
  ExpressionPtr reference = references_.Find(state_, path.front(), text, false);
  return reference ? reference : MakeText(text);
}

ExpressionPtr ValueBuilder::BuildList(const Array& list, const schema::Type& type, const Path& path) {
  const schema::Type& element = type.kind == Kind::kArray ? *type.element : schema::AnyType();
  TupleLiteral built;
  for (size_t i = 0; i < list.size(); ++i) {
    Path inner = path;
    inner.push_back(std::to_string(i));
    built.elements.push_back(Build(list[i], element, inner));
  }
  return Make(std::move(built));
}

ExpressionPtr ValueBuilder::BuildObject(const PropertyMap& object, const schema::Type& type, const Path& path) {
  if (type.kind != Kind::kObject) {
    return BuildMap(object, type.kind == Kind::kMap ? *type.element : schema::AnyType(), path);
  }
  ObjectLiteral built;
  built.typed = true;
  const schema::Properties& properties = type.object->properties;
  for (const schema::Property& property : properties) {
    Path inner = path;
    inner.push_back(property.name);
    const Value* value = object.Find(property.name);
    const bool known = value && !value->is_null() && !value->is_computed();
    ExpressionPtr expression = known ? Property(property, *value, inner) : Absent(property, inner);
    if (expression) built.Add(property.name, std::move(expression));
  }
  for (const auto& [name, value] : object) {
    if (name.rfind("__", 0) == 0 || value.is_null() || FindProperty(properties, name)) continue;
    Path inner = path;
    inner.push_back(name);
    Note(inner, "is nothing that the package's schema knows; it is left out");
  }
  return Make(std::move(built));
}

ExpressionPtr ValueBuilder::BuildMap(const PropertyMap& object, const schema::Type& element, const Path& path) {
  ObjectLiteral built;
  for (const auto& [name, value] : object) {
    Path inner = path;
    inner.push_back(name);
    built.Add(name, Build(value, element, inner));
  }
  return Make(std::move(built));
}

// A setting holds text, numbers, lists and objects of them. Files stay in the program, and their contents do not show.
ExpressionPtr ValueBuilder::BuildSecret(const Value& element, const schema::Type& type, const Path& path) {
  if (element.is_asset()) return BuildAsset(element.as_asset(), path, true);
  if (HoldsFiles(element)) {
    Note(path, "was a secret; what it refers to is not one in the program");
    return Build(element, type, path);
  }
  if (element.is_string()) {
    if (ExpressionPtr reference = references_.Find(state_, path.front(), element.as_string(), true)) return reference;
  }
  if (ContainsUnknowns(element)) {
    Note(path, "is not known; fill it in");
    return Make(Literal{Value()});
  }
  return settings_.Add(SettingName(path), StripSecrets(element));
}

ExpressionPtr ValueBuilder::BuildAsset(const AssetData& asset, const Path& path, bool secret) {
  if (!asset.has_contents || (asset.text.empty() && asset.kind != AssetData::Kind::kText)) {
    Note(path, "is known by its hash alone; say where it comes from");
    return MakeAsset(AssetData::Kind::kPath, MakeText(""));
  }
  const bool hide = secret && asset.kind == AssetData::Kind::kText;
  return MakeAsset(asset.kind, hide ? settings_.Add(SettingName(path), asset.text) : MakeText(asset.text));
}

ExpressionPtr ValueBuilder::BuildArchive(const ArchiveData& archive, const Path& path) {
  const bool known = archive.has_contents && (archive.kind == ArchiveData::Kind::kAssets || !archive.text.empty());
  if (!known) Note(path, "is known by its hash alone; say where it comes from");
  if (!known || archive.kind != ArchiveData::Kind::kAssets) {
    return MakeArchive(known ? archive.kind : ArchiveData::Kind::kPath, MakeText(archive.text));
  }
  return MakeArchive(archive.kind, BuildMap(archive.assets, schema::AnyType(), path));
}

ExpressionPtr ValueBuilder::BuildReference(const ResourceReference& reference, const Path& path) {
  if (names_.count(reference.urn)) return Make(ResourceRef{reference.urn.str()});
  Note(path, "refers to " + reference.urn.str() + ", which the program has to declare first");
  return Make(Literal{Value()});
}

}  // namespace kingpost::codegen
