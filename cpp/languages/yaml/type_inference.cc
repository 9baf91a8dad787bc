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

schema::Property Field(std::string name, const Type& type) {
  schema::Property field;
  field.name = std::move(name);
  field.type = &type;
  return field;
}

}  // namespace

std::string NamesOf(const schema::Properties& fields, const std::string& wrong, const std::string& none) {
  std::vector<std::string> names;
  for (const schema::Property& field : fields) names.push_back(field.name);
  return names.empty() ? none : "Existing properties are: " + ListClosest(wrong, names, 5);
}

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
  for (const char* name : kPlaces) {
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
  // Variables come in no circles, but this one must not be the proof.
  const auto [known, is_new] = types_.emplace(expression.get(), &schema::AnyType());
  if (is_new) known->second = &Infer(*expression);
  return *known->second;
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
  if (const auto step = pcl::LastStepOf(expression)) return OfStep(*step, expression.at);
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
  return declared == variables_.end() ? schema::AnyType() : TypeOf(declared->second);
}

const Type& TypeInference::OfField(const Type& whole, const std::string& name, const std::string& path,
                                   pcl::Position at) {
  const schema::Properties fields = FieldsOf(whole);
  if (const schema::Property* field = schema::FindProperty(fields, name)) return *field->type;
  diagnostics_.Error(at, name + " does not exist on " + path, NamesOf(fields, name));
  return schema::AnyType();
}

const Type& TypeInference::OfStep(const pcl::PathStep& step, pcl::Position at) {
  const Type& whole = TypeOf(step.whole);
  const Kind kind = whole.plain_kind();
  const bool by_text = step.key.is_string();
  if (kind == Kind::kAny || kind == Kind::kUnion) return schema::AnyType();  // one of them may have it
  if (kind == Kind::kMap && by_text) return *whole.element;
  if (kind == Kind::kArray && !by_text) return *whole.element;
  const std::string path = pcl::SpelledPath(*step.whole).value_or("");
  if (by_text && (kind == Kind::kObject || kind == Kind::kResource)) {
    return OfField(whole, step.key.as_string(), path, at);
  }
  const std::string what = "'" + path + "' (type " + TypeText(whole) + ")";
  if (step.named) {
    diagnostics_.Error(at, "cannot access a property on " + what,
                       "Property access is only allowed on Resources and Objects");
  } else if (kind == Kind::kArray) {
    diagnostics_.Error(at, "Cannot index via string into " + what, "Index via string is only allowed on Maps");
  } else if (kind == Kind::kMap) {
    diagnostics_.Error(at, "Cannot index via number into " + what, "Index via number is only allowed on Arrays");
  } else {
    diagnostics_.Error(at, "Cannot index into " + what, "Index property access is only allowed on Maps and Lists");
  }
  return schema::AnyType();
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
    diagnostics_.Warning(item.key->at, *key + " does not exist on Invoke " + schema.token, NamesOf(inputs, *key));
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
  return wanted ? OfField(outputs, *wanted, schema.token, call.arguments[3]->at) : outputs;
}

}  // namespace kingpost::yaml
