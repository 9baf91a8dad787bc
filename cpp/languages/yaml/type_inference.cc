// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/type_inference.h"

#include <algorithm>

#include "languages/pcl/builtins.h"
#include "languages/yaml/expression_reader.h"

namespace kingpost::yaml {

namespace {

using Kind = Type::Kind;
using schema::PlainType;
using schema::TypeText;

std::string NamesOf(const std::string& wrong, const schema::Properties& fields) {
  std::vector<std::string> names;
  for (const schema::Property& field : fields) names.push_back(field.name);
  return names.empty() ? "It has no properties" : "Existing properties are: " + ListClosest(wrong, names, 5);
}

schema::Property Field(std::string name, const Type& type) {
  schema::Property field;
  field.name = std::move(name);
  field.type = &type;
  return field;
}

}  // namespace

schema::Properties FieldsOf(const Type& type) {
  if (type.object) return type.object->properties;
  if (!type.resource) return {};
  schema::Properties fields = type.resource->outputs;
  if (!type.resource->component) fields.push_back(Field("id", PlainType(Kind::kString)));
  fields.push_back(Field("urn", PlainType(Kind::kString)));
  return fields;
}

const Type& TypeInference::AddType(Type type) {
  made_.push_back(std::make_unique<Type>(std::move(type)));
  return *made_.back();
}

const Type& TypeInference::MadeObject(schema::Properties fields) {
  objects_.push_back(std::make_unique<schema::ObjectType>());
  objects_.back()->properties = schema::LazyProperties(std::move(fields));
  return AddType({.kind = Kind::kObject, .object = objects_.back().get()});
}

TypeInference::TypeInference(const Body& body, const PackageIndex& book, Diagnostics* diagnostics)
    : body_(body), book_(book), diagnostics_(*diagnostics) {
  schema::Properties places;
  for (const char* name : {"cwd", "project", "stack", "organization", "rootDirectory"}) {
    places.push_back(Field(name, PlainType(Kind::kString)));
  }
  names_[kPulumi] = &MadeObject(std::move(places));
  for (const ConfigDecl& config : body_.config) names_[config.key] = &OfConfig(config);
  for (const ResourceDecl& resource : body_.resources) {
    const auto resolved = book_.FindResource(UseOf(resource));
    names_[resource.key] =
        resolved.ok()
            ? &AddType({.kind = Kind::kResource, .resource = resolved->schema, .token = resolved->schema->token})
            : &schema::AnyType();
  }
  for (const NamedExpression& variable : body_.variables) variables_[variable.name] = variable.value;
}

const Type& TypeInference::OfConfig(const ConfigDecl& config) {
  const std::string type = config.type ? config.type->value : "";
  if (type == "string") return PlainType(Kind::kString);
  if (type == "number" || type == "integer" || type == "int") return PlainType(Kind::kNumber);
  if (type == "boolean" || type == "bool") return PlainType(Kind::kBool);
  if (type == "object") return AddType({.kind = Kind::kMap, .element = &schema::AnyType()});
  if (type != "array" && !type.starts_with("list<")) return schema::AnyType();
  return AddType({.kind = Kind::kArray, .element = &schema::AnyType()});
}

const Type& TypeInference::TypeOf(const pcl::ExpressionPtr& expression) {
  const auto known = types_.find(expression.get());
  if (known != types_.end()) return *known->second;
  const Type& type = Infer(*expression);
  types_[expression.get()] = &type;
  return type;
}

const Type& TypeInference::Infer(const pcl::Expression& expression) {
  if (const auto* literal = expression.as<pcl::Literal>()) {
    if (literal->value.is_string()) return PlainType(Kind::kString);
    if (literal->value.is_number()) return PlainType(Kind::kNumber);
    return literal->value.is_bool() ? PlainType(Kind::kBool) : schema::AnyType();
  }
  // Anything can stand in a text, also what is not there.
  if (expression.as<pcl::Template>()) return PlainType(Kind::kString);
  if (const auto* variable = expression.as<pcl::Variable>()) return OfVariable(*variable);
  if (const auto step = pcl::LastStepOf(expression)) {
    const Type& whole = TypeOf(step->whole);
    const std::string path = pcl::SpelledPath(*step->whole).value_or("");
    return step->named ? OfAttribute(whole, step->key.as_string(), path, expression.at)
                       : OfIndex(whole, step->key, path, expression.at);
  }
  if (const auto* call = expression.as<pcl::Call>()) return OfCall(*call, expression.at);
  if (const auto* list = expression.as<pcl::TupleLiteral>()) return OfList(*list);
  const auto* object = expression.as<pcl::ObjectLiteral>();
  return object ? OfObject(*object) : schema::AnyType();
}

const Type& TypeInference::OfList(const pcl::TupleLiteral& list) {
  std::vector<const Type*> elements;
  for (const pcl::ExpressionPtr& element : list.elements) {
    const Type& type = TypeOf(element);
    const auto same = [&](const Type* other) { return TypeText(*other) == TypeText(type); };
    if (std::none_of(elements.begin(), elements.end(), same)) elements.push_back(&type);
  }
  const Type* element = elements.empty() ? &schema::AnyType() : elements.front();
  if (elements.size() > 1) element = &AddType({.kind = Kind::kUnion, .elements = std::move(elements)});
  return AddType({.kind = Kind::kArray, .element = element});
}

const Type& TypeInference::OfObject(const pcl::ObjectLiteral& object) {
  schema::Properties fields;
  bool plain = true;
  for (const auto& item : object.items) {
    const std::string* key = LiteralText(item.key);
    plain = plain && key;
    const Type& type = TypeOf(item.value);
    if (key) fields.push_back(Field(*key, type));
  }
  return plain ? MadeObject(std::move(fields)) : schema::AnyType();
}

const Type& TypeInference::OfVariable(const pcl::Variable& variable) {
  const auto known = names_.find(variable.name);
  if (known != names_.end()) return *known->second;
  const auto declared = variables_.find(variable.name);
  if (declared == variables_.end()) return schema::AnyType();
  const pcl::ExpressionPtr expression = declared->second;
  variables_.erase(declared);  // variables come in no circles, but this one must not be the proof
  const Type& type = TypeOf(expression);
  names_[variable.name] = &type;
  return type;
}

const Type& TypeInference::OfAttribute(const Type& whole, const std::string& name, const std::string& path,
                                       pcl::Position at) {
  switch (whole.plain_kind()) {
    case Kind::kAny:
    case Kind::kUnion:  // one of them may have it
      return schema::AnyType();
    case Kind::kMap:
      return *whole.element;
    case Kind::kObject:
    case Kind::kResource:
      break;
    default:
      diagnostics_.Error(at, "cannot access a property on '" + path + "' (type " + TypeText(whole) + ")",
                         "Property access is only allowed on Resources and Objects");
      return schema::AnyType();
  }
  const schema::Properties fields = FieldsOf(whole);
  if (const schema::Property* field = schema::FindProperty(fields, name)) return *field->type;
  diagnostics_.Error(at, name + " does not exist on " + path, NamesOf(name, fields));
  return schema::AnyType();
}

const Type& TypeInference::OfIndex(const Type& whole, const Value& key, const std::string& path, pcl::Position at) {
  const auto refuse = [&](const std::string& how, const std::string& why) -> const Type& {
    diagnostics_.Error(at, "Cannot index" + how + " into '" + path + "' (type " + TypeText(whole) + ")", why);
    return schema::AnyType();
  };
  switch (whole.plain_kind()) {
    case Kind::kAny:
    case Kind::kUnion:
      return schema::AnyType();
    case Kind::kArray:
      if (key.is_string()) return refuse(" via string", "Index via string is only allowed on Maps");
      return *whole.element;
    case Kind::kMap:
      if (!key.is_string()) return refuse(" via number", "Index via number is only allowed on Arrays");
      return *whole.element;
    case Kind::kObject:
    case Kind::kResource:
      if (key.is_string()) return OfAttribute(whole, key.as_string(), path, at);
      break;
    default:
      break;
  }
  return refuse("", "Index property access is only allowed on Maps and Lists");
}

const Type& TypeInference::OfCall(const pcl::Call& call, pcl::Position at) {
  const std::string& name = call.function;
  if (name == "invoke") return OfInvoke(call, at);
  std::vector<const Type*> arguments;
  for (const pcl::ExpressionPtr& argument : call.arguments) arguments.push_back(&TypeOf(argument));
  if (name == "secret" || name == "unsecret") return *arguments[0];
  if (name == "split") return AddType({.kind = Kind::kArray, .element = &PlainType(Kind::kString)});
  if (name == "select") return arguments[1]->kind == Kind::kArray ? *arguments[1]->element : schema::AnyType();
  return PlainType(pcl::FindBuiltin(name)->result);
}

const Type& TypeInference::OfInvoke(const pcl::Call& call, pcl::Position at) {
  for (const pcl::ExpressionPtr& argument : call.arguments) TypeOf(argument);
  const auto function = book_.FindFunction(*LiteralText(call.arguments[0]));
  if (!function.ok()) {
    diagnostics_.Error(at, function.status().message());
    return schema::AnyType();
  }
  const schema::Function& schema = *function->schema;
  const schema::Properties& inputs = schema.input_properties();
  for (const auto& item : call.arguments[1]->as<pcl::ObjectLiteral>()->items) {
    const std::string* key = LiteralText(item.key);
    if (!key || schema::FindProperty(inputs, *key)) continue;
    diagnostics_.Warning(item.key->at, *key + " does not exist on Invoke " + schema.token, NamesOf(*key, inputs));
  }
  const std::string* wanted = call.arguments.size() > 3 ? LiteralText(call.arguments[3]) : nullptr;
  if (schema.one_value) {
    if (wanted) {
      diagnostics_.Error(call.arguments[3]->at, "fn::invoke has a non-object return value",
                         "cannot specify property '" + *wanted + "' for function " + schema.token);
    }
    return *schema.answer;
  }
  const Type& outputs = schema.answer_object() ? *schema.answer : MadeObject({});
  return wanted ? OfAttribute(outputs, *wanted, schema.token, call.arguments[3]->at) : outputs;
}

}  // namespace kingpost::yaml
