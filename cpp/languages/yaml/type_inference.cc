// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/type_inference.h"

#include <algorithm>

#include "base/encoding.h"
#include "languages/yaml/expression_parser.h"

namespace kingpost::yaml {

namespace {

using Kind = Type::Kind;

Type OfConfig(const ConfigDecl& config) {
  if (!config.type) return {};
  const std::string& type = config.type->value;
  if (type == "string") return Kind::kText;
  if (type == "number" || type == "integer" || type == "int") return Kind::kNumber;
  if (type == "boolean" || type == "bool") return Kind::kBool;
  if (type == "object") return Type::MapOf({});
  return type == "array" || type.starts_with("list<") ? Type::ListOf({}) : Type();
}

Type OfPulumi() {
  std::vector<TypedField> fields;
  for (const char* name : {"cwd", "project", "stack", "organization", "rootDirectory"}) {
    fields.push_back({name, std::make_shared<const Type>(Kind::kText)});
  }
  return Type::ObjectOf(std::move(fields));
}

std::string NamesOf(const std::string& wrong, const std::vector<TypedField>& fields) {
  std::vector<std::string> names;
  for (const TypedField& field : fields) names.push_back(field.name);
  return names.empty() ? "It has no properties" : "Existing properties are: " + ListClosest(wrong, names, 5);
}

}  // namespace

std::string SpelledPath(const pcl::Expression& expression) {
  if (const auto* variable = expression.as<pcl::Variable>()) return variable->name;
  if (const auto* node = expression.as<pcl::GetAttribute>()) return SpelledPath(*node->object) + "." + node->name;
  const auto* node = expression.as<pcl::GetIndex>();
  const auto* key = node ? node->key->as<pcl::Literal>() : nullptr;
  if (!key) return "";
  const std::string text = key->value.is_string() ? Quote(key->value.as_string()) : *pcl::ToText(key->value);
  return SpelledPath(*node->collection) + "[" + text + "]";
}

TypeInference::TypeInference(const Body& body, const PackageBook& book, Diagnostics* diagnostics)
    : body_(body), book_(book), diagnostics_(*diagnostics) {
  names_[kPulumi] = OfPulumi();
  for (const ConfigDecl& config : body_.config) names_[config.key] = OfConfig(config);
  for (const ResourceDecl& resource : body_.resources) {
    const auto resolved = book_.FindResource(UseOf(resource));
    names_[resource.key] = resolved.ok() ? Type::ResourceOf(resolved->schema) : Type();
  }
  for (const NamedExpression& variable : body_.variables) variables_[variable.name] = variable.value;
}

Type TypeInference::TypeOf(const pcl::ExpressionPtr& expression) {
  const auto known = types_.find(expression.get());
  if (known != types_.end()) return known->second;
  const Type type = Infer(*expression);
  return types_[expression.get()] = type;
}

Type TypeInference::Infer(const pcl::Expression& expression) {
  if (const auto* literal = expression.as<pcl::Literal>()) {
    if (literal->value.is_string()) return Kind::kText;
    if (literal->value.is_number()) return Kind::kNumber;
    return literal->value.is_bool() ? Type(Kind::kBool) : Type();
  }
  if (expression.as<pcl::Template>()) return Kind::kText;  // anything can stand in a text, also what is not there
  if (const auto* variable = expression.as<pcl::Variable>()) return OfVariable(*variable);
  if (const auto* node = expression.as<pcl::GetAttribute>()) {
    return OfAttribute(TypeOf(node->object), node->name, SpelledPath(*node->object), expression.at);
  }
  if (const auto* node = expression.as<pcl::GetIndex>()) {
    const auto* key = node->key->as<pcl::Literal>();
    const Type whole = TypeOf(node->collection);
    return key ? OfIndex(whole, key->value, SpelledPath(*node->collection), expression.at) : Type();
  }
  if (const auto* call = expression.as<pcl::Call>()) return OfCall(*call, expression.at);
  if (const auto* list = expression.as<pcl::TupleLiteral>()) {
    std::vector<Type> elements;
    for (const pcl::ExpressionPtr& element : list->elements) {
      Type type = TypeOf(element);
      const auto same = [&](const Type& other) { return other.text() == type.text(); };
      if (std::none_of(elements.begin(), elements.end(), same)) elements.push_back(std::move(type));
    }
    return Type::ListOf(Type::UnionOf(std::move(elements)));
  }
  const auto* object = expression.as<pcl::ObjectLiteral>();
  if (!object) return {};
  std::vector<TypedField> fields;
  bool plain = true;
  for (const auto& item : object->items) {
    const std::string* key = LiteralText(item.key);
    plain = plain && key;
    Type type = TypeOf(item.value);
    if (key) fields.push_back({*key, std::make_shared<const Type>(std::move(type))});
  }
  return plain ? Type::ObjectOf(std::move(fields)) : Type();
}

Type TypeInference::OfVariable(const pcl::Variable& variable) {
  const auto known = names_.find(variable.name);
  if (known != names_.end()) return known->second;
  const auto declared = variables_.find(variable.name);
  if (declared == variables_.end()) return {};
  const pcl::ExpressionPtr expression = declared->second;
  variables_.erase(declared);  // variables come in no circles, but this one must not be the proof
  const Type type = TypeOf(expression);
  return names_[variable.name] = type;
}

Type TypeInference::OfAttribute(const Type& whole, const std::string& name, const std::string& path, pcl::Position at) {
  switch (whole.kind()) {
    case Kind::kAny:
    case Kind::kUnion:  // one of them may have it
      return {};
    case Kind::kMap:
      return whole.element();
    case Kind::kObject:
    case Kind::kResource:
      break;
    default:
      diagnostics_.Error(at, "cannot access a property on '" + path + "' (type " + whole.text() + ")",
                         "Property access is only allowed on Resources and Objects");
      return {};
  }
  const std::vector<TypedField> fields = whole.fields();
  for (const TypedField& field : fields) {
    if (field.name == name) return *field.type;
  }
  diagnostics_.Error(at, name + " does not exist on " + path, NamesOf(name, fields));
  return {};
}

Type TypeInference::OfIndex(const Type& whole, const Value& key, const std::string& path, pcl::Position at) {
  const auto refuse = [&](const std::string& how, const std::string& why) {
    diagnostics_.Error(at, "Cannot index" + how + " into '" + path + "' (type " + whole.text() + ")", why);
    return Type();
  };
  switch (whole.kind()) {
    case Kind::kAny:
    case Kind::kUnion:
      return {};
    case Kind::kList:
      if (key.is_string()) return refuse(" via string", "Index via string is only allowed on Maps");
      return whole.element();
    case Kind::kMap:
      if (!key.is_string()) return refuse(" via number", "Index via number is only allowed on Arrays");
      return whole.element();
    case Kind::kObject:
    case Kind::kResource:
      if (key.is_string()) return OfAttribute(whole, key.as_string(), path, at);
      break;
    default:
      break;
  }
  return refuse("", "Index property access is only allowed on Maps and Lists");
}

Type TypeInference::OfCall(const pcl::Call& call, pcl::Position at) {
  const std::string& name = call.function;
  if (name == "invoke") return OfInvoke(call, at);
  std::vector<Type> arguments;
  for (const pcl::ExpressionPtr& argument : call.arguments) arguments.push_back(TypeOf(argument));
  if (name == "secret" || name == "unsecret") return arguments[0];
  if (name == "split") return Type::ListOf(Kind::kText);
  if (name == "select") return arguments[1].kind() == Kind::kList ? arguments[1].element() : Type();
  if (name == "length") return Kind::kNumber;
  if (name == "stringAsset" || name == "fileAsset" || name == "remoteAsset") return Kind::kAsset;
  if (name == "fileArchive" || name == "remoteArchive" || name == "assetArchive") return Kind::kArchive;
  if (name == "singleOrNone" || name == "getOutput") return {};
  return Kind::kText;
}

Type TypeInference::OfInvoke(const pcl::Call& call, pcl::Position at) {
  for (const pcl::ExpressionPtr& argument : call.arguments) TypeOf(argument);
  const auto function = book_.FindFunction(*LiteralText(call.arguments[0]));
  if (!function.ok()) {
    diagnostics_.Error(at, function.status().message());
    return {};
  }
  const pcl::FunctionSchema& schema = function->schema;
  std::vector<TypedField> inputs;
  for (const pcl::PropertySchema& input : schema.inputs) inputs.push_back({input.name, nullptr});
  for (const auto& item : call.arguments[1]->as<pcl::ObjectLiteral>()->items) {
    const std::string* key = LiteralText(item.key);
    const bool known =
        !key || std::any_of(inputs.begin(), inputs.end(), [&](const TypedField& input) { return input.name == *key; });
    if (!known) {
      diagnostics_.Warning(item.key->at, *key + " does not exist on Invoke " + schema.token, NamesOf(*key, inputs));
    }
  }
  const std::string* wanted = call.arguments.size() > 3 ? LiteralText(call.arguments[3]) : nullptr;
  if (schema.scalar) {
    if (wanted) {
      diagnostics_.Error(call.arguments[3]->at, "fn::invoke has a non-object return value",
                         "cannot specify property '" + *wanted + "' for function " + schema.token);
    }
    return schema.returns;
  }
  const Type outputs = Type::ObjectOf(schema.outputs);
  return wanted ? OfAttribute(outputs, *wanted, schema.token, call.arguments[3]->at) : outputs;
}

}  // namespace kingpost::yaml
