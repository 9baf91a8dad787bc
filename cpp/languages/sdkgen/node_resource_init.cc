// SPDX-License-Identifier: Apache-2.0
// The constructor of a resource's class.
#include "base/encoding.h"
#include "languages/sdkgen/node_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

constexpr char kSlotIndent[] = "            ";

std::string InputSlot(const std::string& name) { return std::string(kSlotIndent) + "resourceInputs[\"" + name + "\"]"; }

std::string OptionsTypeOf(const schema::Resource& resource) {
  if (resource.provider) return "pulumi.ResourceOptions";
  return resource.component ? "pulumi.ComponentResourceOptions" : "pulumi.CustomResourceOptions";
}

}  // namespace

std::string NodeGenerator::InputAssignments(const schema::Resource& resource) const {
  std::string text;
  for (const schema::Property& input : resource.inputs) {
    if (!input.required) continue;
    text += std::string(kSlotIndent) + "if (args?." + input.name + " === undefined && !opts.urn) {\n" + kSlotIndent +
            "    throw new Error(\"Missing required property '" + input.name + "'\");\n" + kSlotIndent + "}\n";
  }
  for (const schema::Property& input : resource.inputs) {
    const std::string given = "args." + input.name, filled = WithDefaults(input, given, true);
    std::string value = filled == given ? "args?." + input.name : "args ? " + filled + " : undefined";
    if (input.secret) value = "args?." + input.name + " ? pulumi.secret(" + filled + ") : undefined";
    if (input.constant) {
      value = NodeConstant(*input.constant);
    } else {
      if (input.default_value) value = "(" + value + ") ?? " + NodeDefault(*input.default_value, *input.type);
      // Configuration travels as text.
      if (resource.provider && !IsNodeText(*input.type)) value = "pulumi.output(" + value + ").apply(JSON.stringify)";
    }
    text += InputSlot(input.name) + " = " + value + ";\n";
  }
  for (const schema::Property& output : resource.outputs) {
    if (!schema::FindProperty(resource.inputs, output.name)) text += InputSlot(output.name) + " = undefined /*out*/;\n";
  }
  return text;
}

std::string NodeGenerator::OptionMerges(const schema::Resource& resource) const {
  std::string text = "        opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts);\n";
  const auto merge = [&text](const std::string& option, const std::vector<std::string>& values) {
    if (!values.empty())
      text += "        opts = pulumi.mergeOptions(opts, { " + option + ": [" + Joined(values, ", ") + "] });\n";
  };
  std::vector<std::string> aliases, secrets, replacing;
  for (const std::string& type : resource.aliases) aliases.push_back("{ type: " + Quote(type) + " }");
  for (const schema::Property& output : resource.outputs) {
    if (output.secret) secrets.push_back(Quote(output.name));
  }
  for (const std::string& path : schema::ReplaceOnChangesPaths(resource)) replacing.push_back(Quote(path));
  merge("aliases", aliases);
  merge("additionalSecretOutputs", secrets);
  merge("replaceOnChanges", replacing);
  return text;
}

std::string NodeGenerator::Constructor(const schema::Resource& resource) const {
  const std::string name = NodeClassName(resource.token), options = OptionsTypeOf(resource);
  const bool k8s = node_.compatibility == "kubernetes20";
  const bool optional = k8s || AllOptional(resource.inputs);
  const bool has_state = resource.state_inputs && !resource.provider;
  const std::string deprecated =
      resource.deprecation.empty() ? ""
                                   : "    /** @deprecated " + Replaced(resource.deprecation, "*/", "*&#47;") + " */\n";
  std::string text = "    /**\n     * Create a " + name +
                     " resource with the given unique name, arguments, and options.\n     *\n"
                     "     * @param name The _unique_ name of the resource.\n"
                     "     * @param args The arguments to use to populate this resource's properties.\n"
                     "     * @param opts A bag of options that control this resource's behavior.\n     */\n";
  text += deprecated + "    constructor(name: string, args" + (optional ? "?" : "") + ": " + name +
          "Args, opts?: " + options + ")" + (has_state ? "\n" : " {\n");
  if (has_state) {
    text += deprecated + "    constructor(name: string, argsOrState?: " + name + "Args | " + name +
            "State, opts?: " + options + ") {\n";
  }
  if (!resource.deprecation.empty() && !k8s && !resource.provider) {
    text += "        pulumi.log.warn(" + Quote(name + " is deprecated: " + resource.deprecation) + ")\n";
  }
  text += "        let resourceInputs: pulumi.Inputs = {};\n        opts = opts || {};\n";
  if (has_state) {
    text += "        if (opts.id) {\n            const state = argsOrState as " + name + "State | undefined;\n";
    std::set<std::string> looked_up;
    for (const schema::Property& property : resource.state_inputs->properties) {
      text += InputSlot(property.name) + " = state?." + property.name + ";\n";
      looked_up.insert(property.name);
    }
    for (const schema::Property& output : resource.outputs) {
      if (looked_up.count(output.name) == 0) text += InputSlot(output.name) + " = undefined /*out*/;\n";
    }
    text += "        } else {\n            const args = argsOrState as " + name + "Args | undefined;\n" +
            InputAssignments(resource) + "        }\n";
  } else if (resource.provider) {
    text += "        {\n" + InputAssignments(resource) + "        }\n";
  } else {
    text += "        if (!opts.id) {\n" + InputAssignments(resource) + "        } else {\n";
    for (const schema::Property& output : resource.outputs) text += InputSlot(output.name) + " = undefined /*out*/;\n";
    text += "        }\n";
  }
  text += OptionMerges(resource) + "        super(" + name + ".__pulumiType, name, resourceInputs, opts";
  if (resource.component) text += ", true /*remote*/";
  if (package_.base)
    text += std::string(resource.component ? "" : ", false /*dependency*/") + ", utilities.getPackage()";
  return text + ");\n    }\n";
}

}  // namespace kingpost::sdkgen
