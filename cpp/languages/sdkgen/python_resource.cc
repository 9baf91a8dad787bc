// SPDX-License-Identifier: Apache-2.0
// The file of a resource: its arguments, its state for lookups, and its class.
#include "languages/codegen/names.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

const char* BaseOf(const schema::Resource& resource) {
  if (resource.provider) return "pulumi.ProviderResource";
  return resource.component ? "pulumi.ComponentResource" : "pulumi.CustomResource";
}

bool HasState(const schema::Resource& resource) {
  const bool looked_up = !resource.provider && !resource.component && resource.state_inputs;
  return looked_up && !resource.state_inputs->properties.empty();
}

constexpr PythonUse kArgument{.takes_outputs = true, .input = true, .accepts_mapping = true};

}  // namespace

std::string PythonGenerator::GetMethod(const Module& in, const schema::Resource& resource) const {
  if (resource.provider || resource.component) return "";
  const std::string name = PythonClassName(resource.token);
  const std::string args = HasState(resource) ? "_" + name + "State" : ArgsName(in, resource);
  std::string parameters, docs, values;
  std::set<std::string> looked_up;
  for (const schema::Property& property :
       HasState(resource) ? resource.state_inputs->properties : schema::Properties()) {
    const std::string parameter = PythonParameter(property.name);
    parameters += ",\n            " + parameter + ": " + PropertyText(in, property, true, kArgument) + " = None";
    docs += ParamDoc(in, parameter, property, true, true);
    values += "        __props__.__dict__[\"" + codegen::PythonName(property.name) + "\"] = " + parameter + "\n";
    looked_up.insert(property.name);
  }
  for (const schema::Property& property : resource.outputs) {
    if (looked_up.count(property.name) > 0) continue;
    values += "        __props__.__dict__[\"" + codegen::PythonName(property.name) + "\"] = None\n";
  }
  const std::string intro = "Get an existing " + name +
                            " resource's state with the given name, id, and optional extra\nproperties used to qualify "
                            "the lookup.\n\n:param str resource_name: The unique name of the resulting resource.\n"
                            ":param pulumi.Input[str] id: The unique provider ID of the resource to lookup.\n"
                            ":param pulumi.ResourceOptions opts: Options for the resource.\n";
  return "    @staticmethod\n    def get(resource_name: str,\n            id: pulumi.Input[str],\n"
         "            opts: Optional[pulumi.ResourceOptions] = None" +
         parameters + ") -> '" + name + "':\n" + Docstring(intro + docs, "        ") +
         "        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(id=id))\n\n        __props__ = " +
         args + ".__new__(" + args + ")\n\n" + values + "        return " + name +
         "(resource_name, opts=opts, __props__=__props__)\n\n";
}

std::string PythonGenerator::ExistsMethod(const Module& in, const schema::Resource& resource) const {
  if (resource.provider || resource.component) return "";
  std::string parameters, docs, values;
  for (const schema::Property& property :
       HasState(resource) ? resource.state_inputs->properties : schema::Properties()) {
    const std::string parameter = PythonParameter(property.name);
    parameters += ",\n               " + parameter + ": " + PropertyText(in, property, true, kArgument) + " = None";
    docs += ParamDoc(in, parameter, property, true, true);
    values += "        __props__['" + property.name + "'] = " + parameter + "\n";
  }
  const std::string intro = "Check whether a " + PythonClassName(resource.token) +
                            " resource with the given ID is there. Nothing is read into the state.\n\n"
                            ":param pulumi.Input[str] id: The unique provider ID of the resource to look for.\n"
                            ":param pulumi.ResourceOptions opts: Options for the resource.\n";
  return "    @staticmethod\n    def exists(id: pulumi.Input[str],\n"
         "               opts: Optional[pulumi.ResourceOptions] = None" +
         parameters + ") -> pulumi.Output[bool]:\n" + Docstring(intro + docs, "        ") +
         "        __props__: dict = {}\n" + values + "        return pulumi.runtime.exists_resource(None, '" +
         resource.token + "', id, __props__, opts or pulumi.ResourceOptions()" +
         (package_.base ? ", package_ref=_utilities.get_package()" : "") + ")\n\n";
}

std::string PythonGenerator::ResourceFileText(const Module& in, const schema::Resource& resource) const {
  Imports imports;
  Collect(in, resource.outputs, false, &resource, &imports);
  Collect(in, resource.inputs, true, &resource, &imports);
  CollectAdmitted(in, resource.inputs, &imports);
  if (resource.state_inputs) {
    Collect(in, resource.state_inputs->properties, true, &resource, &imports);
    CollectAdmitted(in, resource.state_inputs->properties, &imports);
  }
  for (const schema::Method& method : resource.methods) {
    Collect(in, method.function->input_properties(), true, &resource, &imports);
    Collect(in, AnswersOf(*method.function), false, &resource, &imports);
  }
  const std::string name = PythonClassName(resource.token), args = ArgsName(in, resource);
  std::string text = Header(in, imports) + "__all__ = ['" + args + "', '" + name + "']\n\n";
  text += InputClass(in, args, "The set of arguments for constructing a " + name + " resource.", resource.inputs, true);
  if (HasState(resource)) {
    text += InputClass(in, "_" + name + "State",
                       "Input properties used for looking up and filtering " + name + " resources.",
                       resource.state_inputs->properties, true);
  }
  const bool warns = !resource.deprecation.empty() && python_.compatibility != "kubernetes20";
  const std::string warning = "warnings.warn(" + LongText(resource.deprecation) + ", DeprecationWarning)\n";
  if (warns && !resource.provider) text += warning + "\n\n";
  text += "@pulumi.type_token(\"" + resource.token + "\")\nclass " + name + "(" + BaseOf(resource) + "):\n";
  if (warns) text += "    " + warning + "\n";
  text +=
      InitOverloads(in, resource) + InternalInit(in, resource) + GetMethod(in, resource) + ExistsMethod(in, resource);
  text += Getters(in, resource.outputs, "    ", "pulumi.Output", false, PythonUse());
  for (const schema::Method& method : resource.methods) text += MethodText(in, resource, method);
  return text;
}

}  // namespace kingpost::sdkgen
