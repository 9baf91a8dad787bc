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
    const std::string package =
        token && token->value.is_string() ? schema::PackageOf(token->value.as_string()) : std::string();
    if (!package.empty()) packages->insert(package);
  }
  for (const ExpressionPtr& part : PartsOf(expression)) CollectCalls(*part, packages, methods);
}

void CollectCalls(const Body& body, std::set<std::string>* packages, bool* methods) {
  for (const NamedExpression& attribute : body.attributes) CollectCalls(*attribute.value, packages, methods);
  for (const Block& block : body.blocks) CollectCalls(block.body, packages, methods);
}

}  // namespace

Status SnippetProgram::Located(const Status& status, const char* doing) const {
  if (status.ok()) return status;
  return Status(status.code(), std::string(doing) + " snippet: " + snippet_.file() + ":" + status.message());
}

Result<std::shared_ptr<const SnippetProgram>> SnippetProgram::Parse(Snippet snippet) {
  auto program = std::make_shared<SnippetProgram>();
  program->snippet_ = std::move(snippet);
  program->package_ = schema::PackageOf(program->snippet_.type);
  if (program->package_.empty()) {
    return Status(Code::kInvalidArgument, "invalid snippet type " + Quote(program->snippet_.type) +
                                              ": expected 'pkg:module:member' or 'pkg:member'");
  }
  auto body = ParseBody(program->snippet_.code);
  if (!body.ok()) return program->Located(body.status(), "parse");
  program->body_ = std::move(*body);
  program->packages_.insert(program->package_);
  bool methods = false;
  CollectCalls(program->body_, &program->packages_, &methods);
  for (const auto& [name, urn] : program->snippet_.references) {
    const std::string package = schema::PackageOf(std::string(Urn(urn).type()));
    if (methods && !package.empty()) program->packages_.insert(package);
  }
  return std::shared_ptr<const SnippetProgram>(program);
}

Result<const schema::Resource*> SnippetProgram::FindSchema(const schema::Packages& packages) const {
  const auto package = packages.find(package_);
  const schema::Resource* found = package == packages.end() ? nullptr : package->second->FindResource(snippet_.type);
  if (found) return found;
  return ErrorAt({}, "unknown resource type '" + snippet_.type + "'");
}

Result<std::string> SnippetProgram::LogicalName() const {
  const NamedExpression* attribute = body_.Find(kLogicalName);
  if (!attribute) return snippet_.name;
  const Literal* text = attribute->value->as<Literal>();
  if (text && text->value.is_string()) return text->value.as_string();
  return ErrorAt(attribute->value->at, std::string("attribute ") + kLogicalName + " must be a string literal");
}

Status SnippetProgram::Check(const schema::Packages& packages) const {
  std::vector<std::string> mistakes;
  const auto note = [&](const Status& status) {
    if (!status.ok()) mistakes.push_back(snippet_.file() + ":" + status.message());
  };
  const auto resource = FindSchema(packages);
  note(resource.status());
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
  if (resource.ok()) {
    const schema::Properties& inputs = (*resource)->inputs;
    for (const NamedExpression& attribute : body_.attributes) {
      if (attribute.name == kLogicalName || schema::FindProperty(inputs, attribute.name)) continue;
      note(ErrorAt(attribute.at, "unsupported attribute '" + attribute.name + "'"));
    }
    for (const schema::Property& property : inputs) {
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
  const NamedExpression* range = options() ? options()->body.Find("range") : nullptr;
  if (range) CheckNames(*range->value, names, mistakes);
  if (range) names.insert("range");
  for (const NamedExpression& attribute : body_.attributes) CheckNames(*attribute.value, names, mistakes);
  if (!options()) return;
  for (const NamedExpression& option : options()->body.attributes) {
    if (option.name != "range" && !TakesPaths(option.name)) CheckNames(*option.value, names, mistakes);
  }
}

Result<std::vector<Instance>> SnippetProgram::Instances(Evaluator* evaluator, const Scope& scope) const {
  auto name = LogicalName();
  if (!name.ok()) return Located(name.status(), "bind");
  const NamedExpression* range = options() ? options()->body.Find("range") : nullptr;
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

Status SnippetProgram::EvaluateInputs(const schema::Resource& resource, Evaluator* evaluator, const Scope& scope,
                                      RegisterResourceRequest* request) const {
  PropertyMap inputs;
  for (const NamedExpression& attribute : body_.attributes) {
    if (attribute.name == kLogicalName) continue;
    auto datum = evaluator->Evaluate(*attribute.value, scope);
    if (!datum.ok()) return datum.status();
    Value value = CollapseReferences(Close(*datum));
    const schema::Property* property = schema::FindProperty(resource.inputs, attribute.name);
    if (property && !Fits(value, *property->type)) {
      return ErrorAt(attribute.value->at, std::string("cannot assign ") + KindName(datum->value) + " to attribute '" +
                                              attribute.name + "' of type " + Quote(schema::TypeText(*property->type)) +
                                              " of resource " + Quote(resource.token));
    }
    inputs.Set(attribute.name, std::move(value));
  }
  inputs = ApplySchema(inputs, resource.inputs);
  SetInputs(std::move(inputs), request);
  return Status();
}

Result<RegisterResourceRequest> SnippetProgram::Request(const Instance& instance, Evaluator* evaluator,
                                                        const Scope& outer) const {
  const auto found = FindSchema(evaluator->surroundings().packages);
  if (!found.ok()) return Located(found.status(), "bind");
  const schema::Resource& resource = **found;
  Scope scope(&outer);
  if (instance.range_value) {
    PropertyMap range{{"value", *instance.range_value}};
    if (instance.range_key) range.Set("key", *instance.range_key);
    scope.Set("range", {Value(std::move(range)), {}});
  }
  RegisterResourceRequest request;
  request.type = resource.token;
  request.name = instance.name;
  request.custom = !resource.component;
  request.remote = resource.component;
  request.snippet_id = snippet_.uuid;
  request.supports_result_reporting = true;
  Status evaluated = EvaluateInputs(resource, evaluator, scope, &request);
  if (evaluated.ok() && options()) {
    evaluated = EvaluateOptions(*options(), resource, evaluator, scope, &request);
  }
  if (!evaluated.ok()) return Located(evaluated, "execute");
  for (std::string& path : schema::ReplaceOnChangesPaths(resource)) {
    request.replace_on_changes.push_back(std::move(path));
  }
  for (const schema::Property& output : resource.outputs) {
    if (output.secret) request.additional_secret_outputs.push_back(output.name);
  }
  return request;
}

}  // namespace kingpost::pcl
