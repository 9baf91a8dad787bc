// SPDX-License-Identifier: Apache-2.0
// The file of a resource: its class, and the interfaces of what it takes.
#include "languages/codegen/names.h"
#include "languages/sdkgen/docs.h"
#include "languages/sdkgen/node_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

struct NodeBase {
  const char* type;
  const char* options;
};
NodeBase NodeBaseOf(const schema::Resource& resource) {
  if (resource.provider) return {"ProviderResource", "ResourceOptions"};
  if (resource.component) return {"ComponentResource", "ComponentResourceOptions"};
  return {"CustomResource", "CustomResourceOptions"};
}

}  // namespace

std::string NodeGenerator::ClassIntro(const schema::Resource& resource) const {
  const std::string name = NodeClassName(resource.token), options = NodeBaseOf(resource).options;
  std::string text;
  if (!resource.provider && !resource.component) {
    const bool state = resource.state_inputs != nullptr;
    text += "    /**\n     * Get an existing " + name +
            " resource's state with the given name, ID, and optional extra\n     * properties used to qualify the "
            "lookup.\n     *\n     * @param name The _unique_ name of the resulting resource.\n"
            "     * @param id The _unique_ provider ID of the resource to lookup.\n";
    if (state) text += "     * @param state Any extra arguments used during the lookup.\n";
    text += "     * @param opts Optional settings to control the behavior of the CustomResource.\n     */\n";
    text += "    public static get(name: string, id: pulumi.Input<pulumi.ID>, " +
            (state ? "state?: " + name + "State, " : std::string()) + "opts?: pulumi." + options + "): " + name +
            " {\n";
    text += "        return new " + name + "(name, " + (state ? "<any>state" : "undefined as any") +
            ", { ...opts, id: id });\n    }\n\n";
    text += "    /**\n     * Check whether a " + name +
            " resource with the given ID is there. Nothing is read into the state.\n     *\n"
            "     * @param id The _unique_ provider ID of the resource to look for.\n";
    if (state) text += "     * @param state Any extra arguments used during the lookup.\n";
    text += "     * @param opts Optional settings to control the behavior of the CustomResource.\n     */\n";
    text += "    public static exists(id: pulumi.Input<string>, " +
            (state ? "state?: " + name + "State, " : std::string()) + "opts?: pulumi." + options +
            "): pulumi.Output<boolean> {\n";
    text += "        return pulumi.runtime.existsResource(\"" + resource.token + "\", id, " +
            (state ? "<any>state || {}" : "{}") + ", { ...opts }, " +
            (package_.base ? "utilities.getPackage()" : "undefined") + ");\n    }\n\n";
  }
  const std::string type = resource.provider ? package_.name : resource.token;
  text += "    /** @internal */\n    public static readonly __pulumiType = '" + type + "';\n\n";
  text += "    /**\n     * Returns true if the given object is an instance of " + name +
          ". This works also across several\n     * copies of the Pulumi SDK in one process.\n     */\n";
  const std::string prefix = resource.provider ? "\"pulumi:providers:\" + " : "";
  return text + "    public static isInstance(obj: any): obj is " + name +
         " {\n        if (obj === undefined || obj === null) {\n            return false;\n        }\n        return "
         "obj['__pulumiType'] === " +
         prefix + name + ".__pulumiType;\n    }\n\n";
}

std::string NodeGenerator::ClassOutputs(const schema::Resource& resource) const {
  std::string text;
  for (const schema::Property& output : resource.outputs) {
    const schema::Constant* constant = output.constant ? &*output.constant : nullptr;
    NodeType type = TypeOf(*output.type, false, false, constant);
    if (!output.required && node_.compatibility != "kubernetes20") type = type.OrUndefined();
    text += Comment(output.comment, output.deprecation, "    ");
    text += std::string("    declare public ") +
            (schema::FindProperty(resource.inputs, output.name) ? "" : "/*out*/ ") + "readonly " + output.name +
            ": pulumi.Output<" + type.text() + ">;\n";
  }
  return text + "\n";
}

std::string NodeGenerator::ResourceText(const Module& in, const schema::Resource& resource) const {
  NodeImports imports;
  CollectAll(in, resource.outputs, &resource, &imports);
  CollectAll(in, resource.inputs, &resource, &imports);
  if (resource.state_inputs) CollectAll(in, resource.state_inputs->properties, &resource, &imports);
  for (const schema::Method& method : resource.methods) {
    CollectAll(in, method.function->input_properties(), &resource, &imports);
    CollectAll(in, AnswersOf(*method.function), &resource, &imports);
  }
  const std::string name = NodeClassName(resource.token);
  std::string text = Header(in, imports, true, true);
  text += Comment(WithExamplesOf(resource.comment, "typescript"), resource.deprecation, "");
  text += "export class " + name + " extends pulumi." + NodeBaseOf(resource).type + " {\n";
  text += ClassIntro(resource) + ClassOutputs(resource) + Constructor(resource);
  for (const schema::Method& method : resource.methods) text += MethodText(resource, method);
  text += "}\n\n";
  if (resource.state_inputs) {
    text += Interface(name + "State", resource.state_inputs->comment, resource.state_inputs->properties, true, true,
                      false, 0) +
            "\n";
  }
  text += Interface(name + "Args", "The set of arguments for constructing a " + name + " resource.", resource.inputs,
                    true, true, false, 0);
  return text + MethodTypes(resource);
}

NodeExport NodeGenerator::ExportOf(const schema::Resource& resource, const std::string& path) const {
  NodeExport exported;
  exported.path = path;
  exported.class_name = NodeClassName(resource.token);
  exported.interfaces = {exported.class_name + "Args"};
  if (resource.state_inputs) exported.interfaces.push_back(exported.class_name + "State");
  exported.has_namespace = !MethodTypes(resource).empty();
  return exported;
}

}  // namespace kingpost::sdkgen
