// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/snippet_program.h"

#include <algorithm>
#include <cmath>

#include "base/encoding.h"
#include "languages/pcl/conversions.h"
#include "languages/pcl/name_check.h"
#include "languages/pcl/parser.h"
#include "languages/pcl/request_inputs.h"
#include "languages/pcl/snippet_options.h"

namespace kingpost::pcl {

namespace {

constexpr char kLogicalName[] = "__logicalName";
constexpr double kInstancesMax = 10000;

// Packages whose functions are invoked; and whether methods are called, which need the schemas of the references.
void CollectCalls(const Expression& expression, std::set<std::string>* packages, bool* methods) {
  if (const auto* call = expression.as<Call>()) {
    *methods = *methods || call->function == "call";
    const Literal* token =
        call->function == "invoke" && !call->arguments.empty() ? call->arguments[0]->as<Literal>() : nullptr;
    const auto parts = token && token->value.is_string() ? SplitToken(token->value.as_string()) : std::nullopt;
    if (parts) packages->insert(parts->package);
  }
  for (const ExpressionPtr& part : PartsOf(expression)) CollectCalls(*part, packages, methods);
}

void CollectCalls(const Body& body, std::set<std::string>* packages, bool* methods) {
  for (const Attribute& attribute : body.attributes) CollectCalls(*attribute.value, packages, methods);
  for (const Block& block : body.blocks) CollectCalls(block.body, packages, methods);
}

const PropertySchema* FindProperty(const std::vector<PropertySchema>& properties, const std::string& name) {
  for (const PropertySchema& property : properties) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

}  // namespace

Status SnippetProgram::Located(const Status& status, const char* doing) const {
  if (status.ok()) return status;
  return Status(status.code(), std::string(doing) + " snippet: " + snippet_.file() + ":" + status.message());
}

Result<std::shared_ptr<const SnippetProgram>> SnippetProgram::Parse(Snippet snippet) {
  auto program = std::make_shared<SnippetProgram>();
  program->snippet_ = std::move(snippet);
  const auto parts = SplitToken(program->snippet_.type);
  if (!parts) {
    return Status(Code::kInvalidArgument, "invalid snippet type " + Quote(program->snippet_.type) +
                                              ": expected 'pkg:module:member' or 'pkg:member'");
  }
  program->package_ = PackageOfToken(*parts);
  auto body = ParseBody(program->snippet_.code);
  if (!body.ok()) return program->Located(body.status(), "parse");
  program->body_ = std::move(*body);
  program->packages_.insert(program->package_);
  bool methods = false;
  CollectCalls(program->body_, &program->packages_, &methods);
  for (const auto& [name, urn] : program->snippet_.references) {
    const auto of_reference = SplitToken(std::string(Urn(urn).type()));
    if (methods && of_reference) program->packages_.insert(PackageOfToken(*of_reference));
  }
  return std::shared_ptr<const SnippetProgram>(program);
}

Result<ResourceSchema> SnippetProgram::FindSchema(const Schemas& schemas) const {
  auto package = schemas.find(package_);
  auto schema = package == schemas.end() ? std::nullopt : package->second->FindResource(snippet_.type);
  if (schema) return std::move(*schema);
  return ErrorAt({}, "unknown resource type '" + snippet_.type + "'");
}

Result<std::string> SnippetProgram::LogicalName() const {
  const Attribute* attribute = body_.Find(kLogicalName);
  if (!attribute) return snippet_.name;
  const Literal* text = attribute->value->as<Literal>();
  if (text && text->value.is_string()) return text->value.as_string();
  return ErrorAt(attribute->value->at, std::string("attribute ") + kLogicalName + " must be a string literal");
}

Status SnippetProgram::Check(const Schemas& schemas) const {
  std::vector<std::string> mistakes;
  const auto note = [&](const Status& status) {
    if (!status.ok()) mistakes.push_back(snippet_.file() + ":" + status.message());
  };
  auto schema = FindSchema(schemas);
  note(schema.status());
  note(LogicalName().status());
  for (size_t i = 0; i < body_.blocks.size(); ++i) {
    const Block& block = body_.blocks[i];
    if (block.type != "options") {
      note(ErrorAt(block.at, "unsupported block of type '" + block.type + "'"));
    } else if (i > 0) {
      note(ErrorAt(block.at, "duplicate block of type 'options'"));
    } else {
      note(CheckOptions(block));
    }
  }
  std::vector<Status> unknown;
  CheckAllNames(&unknown);
  for (const Status& status : unknown) note(status);
  if (schema.ok()) {
    for (const Attribute& attribute : body_.attributes) {
      if (attribute.name == kLogicalName || FindProperty(schema->inputs, attribute.name)) continue;
      note(ErrorAt(attribute.at, "unsupported attribute '" + attribute.name + "'"));
    }
    for (const PropertySchema& property : schema->inputs) {
      if (!property.required || property.constant || property.default_value || body_.Find(property.name)) continue;
      note(ErrorAt(body_.end, "missing required attribute '" + property.name + "'"));
    }
  }
  if (mistakes.empty()) return Status();
  std::string text;
  for (const std::string& mistake : mistakes) text += (text.empty() ? "" : "; ") + mistake;
  return Status(Code::kInvalidArgument, "bind snippet: " + text);
}

void SnippetProgram::CheckAllNames(std::vector<Status>* mistakes) const {
  std::set<std::string> names;
  for (const auto& [name, urn] : snippet_.references) names.insert(name);
  const Attribute* range = options() ? options()->body.Find("range") : nullptr;
  if (range) CheckNames(*range->value, names, mistakes);
  if (range) names.insert("range");
  for (const Attribute& attribute : body_.attributes) CheckNames(*attribute.value, names, mistakes);
  if (!options()) return;
  for (const Attribute& option : options()->body.attributes) {
    if (option.name != "range" && !TakesPaths(option.name)) CheckNames(*option.value, names, mistakes);
  }
}

Result<std::vector<Instance>> SnippetProgram::Instances(Evaluator* evaluator, const Scope& scope) const {
  auto name = LogicalName();
  if (!name.ok()) return Located(name.status(), "bind");
  const Attribute* range = options() ? options()->body.Find("range") : nullptr;
  if (!range) return std::vector<Instance>{{*name, std::nullopt, std::nullopt}};
  auto value = evaluator->Evaluate(*range->value, scope);
  if (!value.ok()) return Located(value.status(), "execute");
  if (!value->known()) return std::vector<Instance>();
  auto instances = RangeInstances(*value, range->value->at);
  if (!instances.ok()) return Located(instances.status(), "execute");
  for (Instance& instance : *instances) instance.name = *name + instance.name;
  return instances;
}

// Named by what comes after the logical name: "-0", "-1", or "-key".
Result<std::vector<Instance>> SnippetProgram::RangeInstances(const Datum& range, Position at) const {
  std::vector<Instance> instances;
  const Value& value = range.value;
  const auto with_marks = [&](const Value& part) {
    Datum datum = Open(part);
    datum.marks.Add(range.marks);
    return Close(datum);
  };
  if (value.is_bool()) {
    if (value.as_bool()) instances.push_back({});
  } else if (value.is_number()) {
    const double count = std::floor(std::max(value.as_number(), 0.0));
    if (!(count <= kInstancesMax)) {
      return ErrorAt(at, "a range makes at most " + NumberText(kInstancesMax) + " resources");
    }
    for (double i = 0; i < count; ++i) {
      instances.push_back({"-" + NumberText(i), std::nullopt, with_marks(Value(i))});
    }
  } else if (value.is_array()) {
    const Array& elements = value.as_array();
    for (size_t i = 0; i < elements.size(); ++i) {
      const Value key(static_cast<double>(i));
      instances.push_back({"-" + std::to_string(i), key, with_marks(elements[i])});
    }
  } else if (value.is_object()) {
    for (const auto& [key, element] : value.as_object()) {
      instances.push_back({"-" + key, Value(key), with_marks(element)});
    }
  } else {
    return ErrorAt(at, std::string("a range must be a bool, a number, a list or an object, not ") + KindName(value));
  }
  return instances;
}

Status SnippetProgram::EvaluateInputs(const ResourceSchema& schema, Evaluator* evaluator, const Scope& scope,
                                      RegisterResourceRequest* request) const {
  PropertyMap inputs;
  for (const Attribute& attribute : body_.attributes) {
    if (attribute.name == kLogicalName) continue;
    auto datum = evaluator->Evaluate(*attribute.value, scope);
    if (!datum.ok()) return datum.status();
    Value value = CollapseReferences(Close(*datum));
    const PropertySchema* property = FindProperty(schema.inputs, attribute.name);
    if (property && !Fits(value, property->type)) {
      return ErrorAt(attribute.value->at, std::string("cannot assign ") + KindName(datum->value) + " to attribute '" +
                                              attribute.name + "' of type " + Quote(property->type.text()) +
                                              " of resource " + Quote(schema.token));
    }
    inputs.Set(attribute.name, std::move(value));
  }
  inputs = ApplySchema(inputs, schema.inputs);
  SetInputs(std::move(inputs), request);
  return Status();
}

Result<RegisterResourceRequest> SnippetProgram::Request(const Instance& instance, Evaluator* evaluator,
                                                        const Scope& outer) const {
  auto schema = FindSchema(evaluator->surroundings().schemas);
  if (!schema.ok()) return Located(schema.status(), "bind");
  Scope scope(&outer);
  if (instance.range_value) {
    PropertyMap range{{"value", *instance.range_value}};
    if (instance.range_key) range.Set("key", *instance.range_key);
    scope.Set("range", {Value(std::move(range)), {}});
  }
  RegisterResourceRequest request;
  request.type = schema->token;
  request.name = instance.name;
  request.custom = !schema->component;
  request.remote = schema->component;
  request.snippet_id = snippet_.uuid;
  request.supports_result_reporting = true;
  Status evaluated = EvaluateInputs(*schema, evaluator, scope, &request);
  if (evaluated.ok() && options()) {
    evaluated = EvaluateOptions(*options(), *schema, evaluator, scope, &request);
  }
  if (!evaluated.ok()) return Located(evaluated, "execute");
  for (std::string& path : ReplaceOnChangesPaths(schema->outputs)) {
    request.replace_on_changes.push_back(std::move(path));
  }
  for (const PropertySchema& output : schema->outputs) {
    if (output.secret) request.additional_secret_outputs.push_back(output.name);
  }
  return request;
}

}  // namespace kingpost::pcl
