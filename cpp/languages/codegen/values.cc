// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/values.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "languages/codegen/layout.h"
#include "languages/codegen/names.h"
#include "languages/codegen/narrowing.h"
#include "languages/pcl/builtins.h"
#include "model/deployment_json.h"

namespace kingpost::codegen {

namespace {

using Kind = schema::Type::Kind;
using schema::FindProperty;

// The functions that make them, by their kinds.
constexpr const char* kAssets[] = {"stringAsset", "fileAsset", "remoteAsset"};
constexpr const char* kArchives[] = {"assetArchive", "fileArchive", "remoteArchive"};
constexpr char kHashAlone[] = "is known by its hash alone; say where it comes from";

Setting::Kind KindOf(const Value& plain) {
  if (plain.is_bool()) return Setting::Kind::kBool;
  if (plain.is_array()) return Setting::Kind::kList;
  if (plain.is_object()) return Setting::Kind::kObject;
  if (!plain.is_number()) return Setting::Kind::kText;
  return std::nearbyint(plain.as_number()) == plain.as_number() ? Setting::Kind::kInteger : Setting::Kind::kNumber;
}

// The placeholder for an unknown required value: the first value of its type.
ExpressionPtr ZeroOf(const schema::Type& type) {
  const Kind kind = type.plain_kind();
  if (kind == Kind::kUnion && !type.elements.empty()) return ZeroOf(*type.elements.front());
  if (kind == Kind::kArray) return Make(TupleLiteral{});
  if (kind == Kind::kMap || kind == Kind::kObject) return MakeObject({}, type.kind == Kind::kObject);
  if (kind == Kind::kString) return MakeText("");
  if (kind == Kind::kBool) return Make(Literal{Value(false)});
  return Make(Literal{type.is_number() ? Value(0.0) : Value()});
}

bool HoldsFiles(const Value& value) {
  bool found = false;
  Rewrite(value, [&](const Value& part) {
    found = found || part.is_asset() || part.is_archive() || part.is_reference();
    return part;
  });
  return found;
}

// A provider's inputs travel as texts: "true" of a boolean, "[1]" of a list.
PropertyMap ProviderInputs(const PropertyMap& inputs, const schema::Resource* schema) {
  PropertyMap result;
  for (const auto& [name, value] : inputs) {
    if (name == "__internal" || name == "version" || name == "pluginDownloadURL") continue;
    const schema::Property* property = schema ? FindProperty(schema->inputs, name) : nullptr;
    const Value plain = StripSecrets(value);
    const bool encoded = plain.is_string() && property &&
                         Narrowed(*property->type, plain).plain_kind() != Kind::kString &&
                         property->type->plain_kind() != Kind::kAny;
    const Result<Value> decoded = encoded ? DecodeValue(plain.as_string(), Urn(), {}) : Result<Value>(value);
    const Value& known = decoded.ok() ? *decoded : value;
    result.Set(name, value.is_secret() ? Value::Secret(known) : known);
  }
  return result;
}

class ValueBuilder {
 public:
  ValueBuilder(const State& state, const StateSource& source, References* references, GeneratedProgram* generated)
      : state_(state), source_(source), references_(*references), generated_(*generated) {}

  std::vector<NamedExpression> Inputs() {
    const schema::Resource* schema = FindSchema(state_.type, source_.packages);
    const PropertyMap inputs = state_.is_provider() ? ProviderInputs(state_.inputs, schema) : state_.inputs;
    if (schema) return Fields(inputs, schema->inputs, {});
    std::vector<NamedExpression> fields;
    for (const auto& [name, value] : inputs) {
      const bool own = name.starts_with("__");  // a provider's own notes
      if (!own && IsKnown(&value)) fields.push_back({name, Build(value, schema::AnyType(), {name})});
    }
    return fields;
  }

 private:
  using Path = std::vector<std::string>;

  static Path Within(Path path, const std::string& part) {
    path.push_back(part);
    return path;
  }
  static bool IsKnown(const Value* value) { return value && !value->is_null() && !value->is_computed(); }

  // Those of the schema; others are left out.
  std::vector<NamedExpression> Fields(const PropertyMap& object, const schema::Properties& properties,
                                      const Path& path) {
    std::vector<NamedExpression> fields;
    for (const schema::Property& property : properties) {
      const Value* value = object.Find(property.name);
      const Path inner = Within(path, property.name);
      ExpressionPtr expression = IsKnown(value) ? Known(property, *value, inner) : Absent(property, inner);
      if (expression) fields.push_back({property.name, std::move(expression)});
    }
    const std::string what = path.empty() ? "no input" : "nothing";
    for (const auto& [name, value] : object) {
      if (name.starts_with("__") || value.is_null() || FindProperty(properties, name)) continue;
      Note(Within(path, name), "is " + what + " that the package's schema knows; it is left out");
    }
    return fields;
  }

  ExpressionPtr Known(const schema::Property& property, const Value& value, const Path& path) {
    const bool secret = property.secret && !value.is_secret();
    return secret ? BuildSecret(value, *property.type, path) : Build(value, *property.type, path);
  }

  ExpressionPtr Absent(const schema::Property& property, const Path& path) {
    if (!property.required || (property.default_value && property.default_value->value)) return nullptr;
    if (property.constant) return Make(Literal{schema::ValueOf(*property.constant)});
    Note(path, "is required and was not told; fill it in");
    return ZeroOf(*property.type);
  }

  ExpressionPtr Build(const Value& value, const schema::Type& declared, const Path& path) {
    const schema::Type& type = Narrowed(declared, value);
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
        if (type.kind == Kind::kObject) {
          return MakeObject(Fields(value.as_object(), type.object->properties, path), /*typed=*/true);
        }
        return BuildMap(value.as_object(), type, path);
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
    return Unknown(path, "is not known; fill it in");
  }

  ExpressionPtr BuildText(const std::string& text, const Path& path) {
    ExpressionPtr reference = references_.Find(state_, path.front(), text, false);
    return reference ? reference : MakeText(text);
  }

  ExpressionPtr BuildList(const Array& list, const schema::Type& type, const Path& path) {
    const schema::Type& element = type.kind == Kind::kArray ? *type.element : schema::AnyType();
    TupleLiteral built;
    for (size_t i = 0; i < list.size(); ++i) {
      built.elements.push_back(Build(list[i], element, Within(path, std::to_string(i))));
    }
    return Make(std::move(built));
  }

  ExpressionPtr BuildMap(const PropertyMap& object, const schema::Type& type, const Path& path) {
    const schema::Type& element = type.kind == Kind::kMap ? *type.element : schema::AnyType();
    ObjectLiteral built;
    for (const auto& [name, value] : object) built.Add(name, Build(value, element, Within(path, name)));
    return Make(std::move(built));
  }

  // A setting holds text, numbers, lists and objects of them. Files stay in the program, and their contents do not
  // show.
  ExpressionPtr BuildSecret(const Value& element, const schema::Type& type, const Path& path) {
    if (element.is_asset()) return BuildAsset(element.as_asset(), path, true);
    if (HoldsFiles(element)) {
      Note(path, "was a secret; what it refers to is not one in the program");
      return Build(element, type, path);
    }
    if (element.is_string()) {
      ExpressionPtr reference = references_.Find(state_, path.front(), element.as_string(), true);
      if (reference) return reference;
    }
    if (ContainsUnknowns(element)) return Unknown(path, "is not known; fill it in");
    return AddSetting(path, StripSecrets(element));
  }

  ExpressionPtr BuildAsset(const AssetData& asset, const Path& path, bool secret) {
    const bool is_text = asset.kind == AssetData::Kind::kText;
    if (!asset.has_contents || (asset.text.empty() && !is_text)) {
      Note(path, kHashAlone);
      return MakeCall("fileAsset", {MakeText("")});
    }
    return MakeCall(kAssets[static_cast<int>(asset.kind)],
                    {secret && is_text ? AddSetting(path, asset.text) : MakeText(asset.text)});
  }

  ExpressionPtr BuildArchive(const ArchiveData& archive, const Path& path) {
    const bool of_assets = archive.kind == ArchiveData::Kind::kAssets;
    if (!archive.has_contents || (archive.text.empty() && !of_assets)) {
      Note(path, kHashAlone);
      return MakeCall("fileArchive", {MakeText(archive.text)});
    }
    return MakeCall(kArchives[static_cast<int>(archive.kind)],
                    {of_assets ? BuildMap(archive.assets, schema::AnyType(), path) : MakeText(archive.text)});
  }

  ExpressionPtr BuildReference(const ResourceReference& reference, const Path& path) {
    const bool known = source_.names.count(reference.urn) > 0 || references_.Declares(reference.urn);
    if (known) return Make(ResourceRef{reference.urn.str()});
    return Unknown(path, "refers to " + reference.urn.str() + ", which the program has to declare first");
  }

  // A setting of the place's name, or with a number if another value has that. One of the stack's configuration is used
  // if it has the value already.
  ExpressionPtr AddSetting(const Path& path, const Value& plain) {
    const std::string text = plain.is_string() ? plain.as_string() : plain.is_null() ? "" : pcl::ToJson(plain);
    std::string wish = CamelCase(std::string(state_.urn.name()) + "-" + Joined(path, "-"));
    if (wish.empty()) wish = "secret";
    std::string name = wish;
    std::vector<Setting>& declared = generated_.program.settings;
    const auto& known = source_.known_settings;
    const auto is_other = [&] {
      const auto found = known.find(name);
      return (found != known.end() && found->second != text) ||
             std::any_of(declared.begin(), declared.end(), [&](const Setting& each) { return each.name == name; });
    };
    for (int counter = 2; is_other(); ++counter) name = wish + std::to_string(counter);
    if (known.count(name) == 0) generated_.settings[name] = text;
    const bool has_element = plain.is_array() && !plain.as_array().empty();
    declared.push_back({name, KindOf(plain), has_element ? KindOf(plain.as_array().front()) : Setting::Kind::kText});
    return Make(SettingRef{name});
  }

  ExpressionPtr Unknown(const Path& path, const std::string& why) {
    Note(path, why);
    return Make(Literal{Value()});
  }

  void Note(const Path& path, const std::string& text) {
    generated_.notes.push_back(std::string(state_.urn.name()) + ": " + Joined(path, ".") + " " + text);
  }

  const State& state_;
  const StateSource& source_;
  References& references_;
  GeneratedProgram& generated_;
};

}  // namespace

std::vector<NamedExpression> InputsOf(const State& state, const StateSource& source, References* references,
                                      GeneratedProgram* generated) {
  return ValueBuilder(state, source, references, generated).Inputs();
}

}  // namespace kingpost::codegen
