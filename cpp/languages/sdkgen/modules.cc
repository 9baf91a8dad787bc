// SPDX-License-Identifier: Apache-2.0
#include "languages/sdkgen/modules.h"

#include <algorithm>
#include <set>

#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

void VisitTypes(const Properties& properties, const std::function<bool(const Type&)>& visit) {
  std::set<const Type*> seen;
  std::set<const ObjectType*> objects;
  const std::function<void(const Type&)> enter = [&](const Type& type) {
    if (!seen.insert(&type).second || (type.object && !objects.insert(type.object).second) || !visit(type)) return;
    if (type.element) enter(*type.element);
    for (const Type* element : type.elements) enter(*element);
    if (!type.object) return;
    for (const Property& property : type.object->properties) enter(*property.type);
  };
  for (const Property& property : properties) enter(*property.type);
}

bool AllOptional(const Properties& properties) {
  return std::none_of(properties.begin(), properties.end(), [](const Property& one) { return one.required; });
}

std::vector<std::string> SecretOutputs(const Resource& resource) {
  std::vector<std::string> names;
  for (const Property& output : resource.outputs) {
    if (output.secret) names.push_back(output.name);
  }
  return names;
}

Properties WithoutSelf(Properties arguments) {
  std::erase_if(arguments, [](const Property& argument) { return argument.name == "__self__"; });
  return arguments;
}

Properties WholeAnswerOf(const Function& function) {
  if (!function.answer) return {};
  Property answer;
  answer.name = "res";
  answer.type = function.answer;
  return {answer};
}

Properties AnswersOf(const Function& function) {
  return function.answer_object() ? function.output_properties() : WholeAnswerOf(function);
}

bool Module::IsEmpty() const {
  const bool has_members = !resources.empty() || !functions.empty() || !objects.empty() || !enums.empty() || config;
  if (has_members || !extra_files.empty()) return false;
  return std::all_of(children.begin(), children.end(), [](const Module* child) { return child->IsEmpty(); });
}

Module* Modules::Get(const std::string& path) {
  const auto [known, is_new] = modules_.try_emplace(path);
  Module* module = &known->second;
  if (is_new && !path.empty()) Get(FolderOf(path))->children.push_back(module);
  if (is_new) module->path = path;
  return module;
}

Uses Modules::UsesOf(const ShapedObject& object) const {
  const auto found = uses_.find(object);
  return found == uses_.end() ? Uses() : found->second;
}

void Modules::Use(const Properties& properties, bool takes_outputs, void (*mark)(Uses*)) {
  VisitTypes(properties, [&](const Type& type) {
    if (type.object) mark(&uses_[{type.object, takes_outputs}]);
    return true;
  });
}

void Modules::AddResource(const Resource& resource) {
  Get(PathOf(resource.token))->resources.push_back(&resource);
  Use(resource.outputs, false, [](Uses* uses) { uses->output = uses->resource_output = true; });
  const auto as_input = [](Uses* uses) { uses->input = true; };
  Use(resource.inputs, true, as_input);
  if (resource.state_inputs) Use(resource.state_inputs->properties, true, as_input);
}

void Modules::AddFunction(const Function& function, bool takes_outputs) {
  if (!function.method) Get(PathOf(function.token))->functions.push_back(&function);
  const auto as_input = [](Uses* uses) { uses->input = uses->function = true; };
  Use(function.input_properties(), false, as_input);
  if (takes_outputs || function.method) Use(function.input_properties(), true, as_input);
  Use(WholeAnswerOf(function), false, [](Uses* uses) { uses->output = uses->function = true; });
}

void Modules::AddExtraFile(const std::string& path) {
  const std::string name = LastOf(path);
  Get(FolderOf(path))->extra_files.push_back(name.substr(0, name.rfind('.')));
}

void Modules::Fill(NestedTypes nested_types, bool with_config) {
  const bool together = nested_types == NestedTypes::kTogether;
  Get("");
  if (!package_.config.empty() && with_config) Get("config")->config = true;
  Use(package_.config, false, [](Uses* uses) { uses->output = true; });
  if (package_.provider) AddResource(*package_.provider);
  for (const Resource* resource : package_.resources) AddResource(*resource);
  for (const Function* function : package_.functions) AddFunction(*function, together && function->answer);
  for (const ObjectType* object : package_.objects) {
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
