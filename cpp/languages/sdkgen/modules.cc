// SPDX-License-Identifier: Apache-2.0
#include "languages/sdkgen/modules.h"

#include <algorithm>

namespace kingpost::sdkgen {

namespace {

class Visiting {
 public:
  explicit Visiting(const TypeVisitor& visit) : visit_(visit) {}

  void Visit(const schema::Properties& properties) {
    for (const schema::Property& property : properties) Visit(*property.type);
  }
  void Visit(const schema::Type& type) {
    if (!seen_.insert(&type).second) return;
    if (type.object && !objects_.insert(type.object).second) return;
    visit_(type);
    if (type.element) Visit(*type.element);
    for (const schema::Type* element : type.elements) Visit(*element);
    if (type.object) Visit(type.object->properties);
  }

 private:
  const TypeVisitor& visit_;
  std::set<const schema::Type*> seen_;
  std::set<const schema::ObjectType*> objects_;
};

}  // namespace

void VisitTypes(const schema::Properties& properties, const TypeVisitor& visit) { Visiting(visit).Visit(properties); }
void VisitTypes(const schema::Type& type, const TypeVisitor& visit) { Visiting(visit).Visit(type); }

bool AllOptional(const schema::Properties& properties) {
  return std::none_of(properties.begin(), properties.end(), [](const schema::Property& one) { return one.required; });
}

schema::Properties ArgumentsOfMethod(const schema::Function& function) {
  schema::Properties arguments = function.input_properties();
  std::erase_if(arguments, [](const schema::Property& argument) { return argument.name == "__self__"; });
  return arguments;
}

schema::Properties AnswersOf(const schema::Function& function) {
  if (!function.answer || function.answer_object()) return function.output_properties();
  schema::Property answer;
  answer.name = "res";
  answer.type = function.answer;
  return {answer};
}

bool Module::IsEmpty() const {
  const bool has_members = !resources.empty() || !functions.empty() || !objects.empty() || !enums.empty() || config;
  if (has_members || !extra_files.empty()) return false;
  return std::all_of(children.begin(), children.end(), [](const Module* child) { return child->IsEmpty(); });
}

Modules::Modules(const schema::Package& package, std::function<std::string(const std::string&)> path_of)
    : package_(package), path_of_(std::move(path_of)) {}

Module* Modules::Get(const std::string& path) {
  if (const auto known = modules_.find(path); known != modules_.end()) return known->second.get();
  auto made = std::make_unique<Module>();
  made->path = path;
  Module* module = made.get();
  modules_[path] = std::move(made);
  if (!path.empty()) {
    const size_t slash = path.rfind('/');
    module->parent = Get(slash == std::string::npos ? "" : path.substr(0, slash));
    module->parent->children.push_back(module);
  }
  return module;
}

Uses Modules::UsesOf(const ShapedObject& object) const {
  const auto found = uses_.find(object);
  return found == uses_.end() ? Uses() : found->second;
}

void Modules::Use(const schema::Properties& properties, bool takes_outputs, void (*mark)(Uses*)) {
  VisitTypes(properties, [&](const schema::Type& type) {
    if (type.object) mark(&uses_[{type.object, takes_outputs}]);
  });
}

void Modules::AddResource(const schema::Resource& resource) {
  Get(PathOf(resource.token))->resources.push_back(&resource);
  Use(resource.outputs, false, [](Uses* uses) { uses->output = uses->resource_output = true; });
  const auto as_input = [](Uses* uses) { uses->input = true; };
  Use(resource.inputs, true, as_input);
  if (resource.state_inputs) Use(resource.state_inputs->properties, true, as_input);
}

void Modules::AddFunction(const schema::Function& function, bool takes_outputs) {
  if (!function.method) Get(PathOf(function.token))->functions.push_back(&function);
  const auto as_input = [](Uses* uses) { uses->input = uses->function = true; };
  if (function.inputs) {
    Use(function.inputs->properties, false, as_input);
    if (takes_outputs || function.method) Use(function.inputs->properties, true, as_input);
  }
  if (!function.answer) return;
  VisitTypes(*function.answer, [&](const schema::Type& type) {
    if (!type.object) return;
    Uses& uses = uses_[{type.object, false}];
    uses.output = uses.function = true;
  });
}

void Modules::AddExtraFile(const std::string& path) {
  const size_t slash = path.rfind('/');
  Get(slash == std::string::npos ? "" : path.substr(0, slash))->extra_files.push_back(path);
}

void Modules::Fill(NestedTypes nested_types, bool with_config) {
  const bool together = nested_types == NestedTypes::kTogether;
  Get("");
  if (!package_.config.empty() && with_config) Get("config")->config = true;
  Use(package_.config, false, [](Uses* uses) { uses->output = true; });
  if (package_.provider) AddResource(*package_.provider);
  for (const schema::Resource* resource : package_.resources) AddResource(*resource);
  for (const schema::Function* function : package_.functions) AddFunction(*function, together && function->answer);
  for (const schema::ObjectType* object : package_.objects) {
    for (const bool takes_outputs : {false, true}) {
      const Uses uses = UsesOf({object, takes_outputs});
      if (!uses.input && !uses.output) continue;
      Get(together ? "" : PathOf(object->token))->objects.push_back({object, takes_outputs});
    }
  }
  for (const schema::EnumType* enumeration : package_.enums) {
    if (!enumeration->overlay) Get(PathOf(enumeration->token))->enums.push_back(enumeration);
  }
}

}  // namespace kingpost::sdkgen
