// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/snippet_program.h"

#include <algorithm>
#include <cmath>

#include "base/encoding.h"
#include "languages/pcl/conversions.h"
#include "languages/pcl/parser.h"
#include "languages/pcl/request_parts.h"

namespace kingpost::pcl {

namespace {

constexpr char kLogicalName[] = "__logicalName";
constexpr double kInstancesMax = 10000;

// Packages whose functions are invoked; and whether methods are called, which need the schemas of the references.
void CollectCalls(const Body& body, std::set<std::string>* packages, bool* methods) {
  const auto collect = [&](const Expression& expression) {
    const auto* call = expression.as<Call>();
    *methods = *methods || (call && call->function == "call");
    const std::string* token = InvokedToken(expression);
    const std::string package = token ? schema::PackageOf(*token) : "";
    if (!package.empty()) packages->insert(package);
  };
  for (const NamedExpression& attribute : body.attributes) Walk(*attribute.value, collect);
  for (const Block& block : body.blocks) CollectCalls(block.body, packages, methods);
}

using Note = std::function<void(const Status& mistake)>;  // ignores what is ok

// Notes each variable that is not among `names`, and each function that is not offered, before anything is computed:
// also in branches that are never taken.
void CheckNames(const Expression& expression, const std::set<std::string>& names, const Note& note) {
  const auto* variable = expression.as<Variable>();
  if (variable && names.count(variable->name) == 0) note(UndefinedVariable(expression.at, variable->name));
  const auto* call = expression.as<Call>();
  if (call) note(CheckFunction(call->function, Dialect::kSnippets, expression.at));
  const auto* loop = expression.as<For>();
  std::set<std::string> inner = names;
  if (loop) inner.insert({loop->value_name, loop->key_name});
  if (call && call->function == "recover") inner.insert("error");  // what the first argument failed with
  for (const ExpressionPtr& part : PartsOf(expression)) {
    CheckNames(*part, loop && part == loop->collection ? names : inner, note);
  }
}

// Each is called by the name and what comes after it: "-0", "-1", or "-key".
Result<std::vector<Instance>> RangeInstances(const std::string& name, const Datum& range, Position at) {
  std::vector<Instance> instances;
  const Value& value = range.value;
  const auto add = [&](const std::string& suffix, std::optional<Value> key, const Value& part) {
    instances.push_back({name + "-" + suffix, std::move(key), Close(Open(part, range.marks))});
  };
  if (value.is_bool()) {
    if (value.as_bool()) instances.push_back({name, std::nullopt, std::nullopt});
  } else if (value.is_number()) {
    const double count = std::floor(std::max(value.as_number(), 0.0));
    if (!(count <= kInstancesMax)) {
      return ErrorAt(at, "a range makes at most " + NumberText(kInstancesMax) + " resources");
    }
    for (double i = 0; i < count; ++i) add(NumberText(i), std::nullopt, Value(i));
  } else if (value.is_array()) {
    const Array& elements = value.as_array();
    for (size_t i = 0; i < elements.size(); ++i) add(std::to_string(i), Value(static_cast<double>(i)), elements[i]);
  } else if (value.is_object()) {
    for (const auto& [key, element] : value.as_object()) add(key, Value(key), element);
  } else {
    return ErrorAt(at, std::string("a range must be a bool, a number, a list or an object, not ") + KindName(value));
  }
  return instances;
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
  std::string mistakes;
  const Note note = [&](const Status& mistake) {
    if (!mistake.ok()) mistakes += (mistakes.empty() ? "" : "; ") + snippet_.file() + ":" + mistake.message();
  };
  const auto resource = FindSchema(packages);
  note(resource.status());
  note(LogicalName().status());
  for (size_t i = 0; i < body_.blocks.size(); ++i) {
    const Block& block = body_.blocks[i];
    if (block.type != "options") {
      note(ErrorAt(block.at, "unsupported block of type '" + block.type + "'"));
    } else {
      note(i > 0 ? ErrorAt(block.at, "duplicate block of type 'options'") : CheckOptions(block));
    }
  }
  CheckAllNames(note);
  const schema::Properties& inputs = resource.ok() ? (*resource)->inputs : schema::Properties();
  for (const NamedExpression& attribute : body_.attributes) {
    const bool known = attribute.name == kLogicalName || schema::FindProperty(inputs, attribute.name);
    if (resource.ok() && !known) note(ErrorAt(attribute.at, "unsupported attribute '" + attribute.name + "'"));
  }
  for (const schema::Property& property : inputs) {
    if (!property.required || property.constant || property.default_value || body_.Find(property.name)) continue;
    note(ErrorAt(body_.end, "missing required attribute '" + property.name + "'"));
  }
  return mistakes.empty() ? Status() : Status(Code::kInvalidArgument, "bind snippet: " + mistakes);
}

void SnippetProgram::CheckAllNames(const Note& note) const {
  std::set<std::string> names;
  for (const auto& [name, urn] : snippet_.references) names.insert(name);
  if (range()) CheckNames(*range()->value, names, note);
  if (range()) names.insert("range");
  for (const NamedExpression& attribute : body_.attributes) CheckNames(*attribute.value, names, note);
  if (!options()) return;
  for (const NamedExpression& option : options()->body.attributes) {
    if (option.name != "range" && !TakesPaths(option.name)) CheckNames(*option.value, names, note);
  }
}

Result<std::vector<Instance>> SnippetProgram::Instances(Evaluator* evaluator, const Scope& scope) const {
  auto name = LogicalName();
  if (!name.ok()) return Located(name.status(), "bind");
  if (!range()) return std::vector<Instance>{{*name, std::nullopt, std::nullopt}};
  auto value = evaluator->Evaluate(*range()->value, scope);
  if (!value.ok()) return Located(value.status(), "execute");
  if (!value->known()) return std::vector<Instance>();
  auto instances = RangeInstances(*name, *value, range()->value->at);
  return instances.ok() ? instances : Located(instances.status(), "execute");
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
  AddSchemaOptions(resource, &request);
  return request;
}

}  // namespace kingpost::pcl
