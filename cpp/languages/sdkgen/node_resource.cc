// SPDX-License-Identifier: Apache-2.0
// The file of a resource: its class, and the interfaces of what it takes. What its methods take and answer is in a
// namespace of the class's name.
#include "languages/sdkgen/node_scope.h"

namespace kingpost::sdkgen::node {

namespace {

struct Base {
  const char *type, *options;
};
Base BaseOf(const Resource& resource) {
  if (resource.provider) return {"pulumi.ProviderResource", "pulumi.ResourceOptions"};
  if (resource.component) return {"pulumi.ComponentResource", "pulumi.ComponentResourceOptions"};
  return {"pulumi.CustomResource", "pulumi.CustomResourceOptions"};
}

bool IsText(const Type& type) {
  // An enumeration that others may be added to.
  for (const Type* element : type.elements) {
    if (element->enumeration) return element->enumeration->element == Type::Kind::kString;
  }
  return type.plain_kind() == Type::Kind::kString;
}

// get() and exists().
std::string Lookups(const Scope& in, const Resource& resource) {
  const std::string name = ClassName(resource.token), options = BaseOf(resource).options;
  const bool has_state = resource.state_inputs != nullptr;
  const std::string state = has_state ? "state?: " + name + "State, " : "";
  const std::string docs =
      std::string(has_state ? "     * @param state Any extra arguments used during the lookup.\n" : "") +
      "     * @param opts Optional settings to control the behavior of the CustomResource.\n     */\n";
  return "    /**\n     * Get an existing " + name +
         " resource's state with the given name, ID, and optional extra\n     * properties used to qualify the "
         "lookup.\n     *\n     * @param name The _unique_ name of the resulting resource.\n"
         "     * @param id The _unique_ provider ID of the resource to lookup.\n" +
         docs + "    public static get(name: string, id: pulumi.Input<pulumi.ID>, " + state + "opts?: " + options +
         "): " + name + " {\n        return new " + name + "(name, " + (has_state ? "<any>state" : "undefined as any") +
         ", { ...opts, id: id });\n    }\n\n    /**\n     * Check whether a " + name +
         " resource with the given ID is there. Nothing is read into the state.\n     *\n"
         "     * @param id The _unique_ provider ID of the resource to look for.\n" +
         docs + "    public static exists(id: pulumi.Input<string>, " + state + "opts?: " + options +
         "): pulumi.Output<boolean> {\n        return pulumi.runtime.existsResource(\"" + resource.token + "\", id, " +
         (has_state ? "<any>state || {}" : "{}") + ", { ...opts }, " +
         (in.package.base ? "utilities.getPackage()" : "undefined") + ");\n    }\n\n";
}

std::string ClassIntro(const Scope& in, const Resource& resource) {
  const std::string name = ClassName(resource.token);
  const std::string prefix = resource.provider ? "\"pulumi:providers:\" + " : "";
  return (resource.provider || resource.component ? "" : Lookups(in, resource)) +
         "    /** @internal */\n    public static readonly __pulumiType = '" +
         (resource.provider ? in.package.name : resource.token) +
         "';\n\n    /**\n     * Returns true if the given object is an instance of " + name +
         ". This works also across several\n     * copies of the Pulumi SDK in one process.\n     */\n"
         "    public static isInstance(obj: any): obj is " +
         name +
         " {\n        if (obj === undefined || obj === null) {\n            return false;\n        }\n        return "
         "obj['__pulumiType'] === " +
         prefix + name + ".__pulumiType;\n    }\n\n";
}

std::string ClassOutputs(const Scope& in, const Resource& resource) {
  std::string text;
  for (const Property& output : resource.outputs) {
    const bool is_input = schema::FindProperty(resource.inputs, output.name);
    const bool optional = !output.required && in.options.compatibility != "kubernetes20";
    text += Comment(output.comment, output.deprecation, "    ") + "    declare public " + (is_input ? "" : "/*out*/ ") +
            "readonly " + output.name + ": pulumi.Output<" + in.PropertyType(output, {}) +
            (optional ? " | undefined>;\n" : ">;\n");
  }
  return text + "\n";
}

std::string InputSlot(const std::string& name) { return "            resourceInputs[\"" + name + "\"]"; }

// The outputs that are none of `given` have no value yet.
std::string OpenSlots(const Resource& resource, const Properties& given) {
  std::string text;
  for (const Property& output : resource.outputs) {
    if (!schema::FindProperty(given, output.name)) text += InputSlot(output.name) + " = undefined /*out*/;\n";
  }
  return text;
}

std::string InputAssignments(const Scope& in, const Resource& resource) {
  std::string text;
  for (const Property& input : resource.inputs) {
    if (!input.required) continue;
    text += "            if (args?." + input.name +
            " === undefined && !opts.urn) {\n                throw new Error(\"Missing required property '" +
            input.name + "'\");\n            }\n";
  }
  for (const Property& input : resource.inputs) {
    const std::string function = in.DefaultsFunctionFor(*input.type, true, true), given = "args." + input.name;
    const std::string filled = function.empty()    ? given
                               : input.type->plain ? "(" + FilledIn(function, given) + ")"
                                                   : FilledInLater(function, given, input.required);
    std::string value = function.empty() ? "args?." + input.name : "args ? " + filled + " : undefined";
    if (input.secret) value = "args?." + input.name + " ? pulumi.secret(" + filled + ") : undefined";
    if (input.constant) {
      value = ConstantOf(*input.constant);
    } else {
      if (input.default_value) value = "(" + value + ") ?? " + DefaultOf(*input.default_value, *input.type);
      // Configuration travels as text.
      if (resource.provider && !IsText(*input.type)) value = "pulumi.output(" + value + ").apply(JSON.stringify)";
    }
    text += InputSlot(input.name) + " = " + value + ";\n";
  }
  return text + OpenSlots(resource, resource.inputs);
}

std::string OptionMerges(const Resource& resource) {
  std::string text = "        opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts);\n";
  const auto merge = [&text](const std::string& option, const std::string& values) {
    if (values.empty()) return;
    text += "        opts = pulumi.mergeOptions(opts, { " + option + ": [" + values + "] });\n";
  };
  merge("aliases", Joined(resource.aliases, ", ", [](const auto& type) { return "{ type: " + Quote(type) + " }"; }));
  merge("additionalSecretOutputs", Joined(SecretOutputs(resource), ", ", Quote));
  merge("replaceOnChanges", Joined(schema::ReplaceOnChangesPaths(resource), ", ", Quote));
  return text;
}

std::string Constructor(const Scope& in, const Resource& resource) {
  const std::string name = ClassName(resource.token), options = BaseOf(resource).options;
  const bool k8s = in.options.compatibility == "kubernetes20";
  const bool optional = k8s || AllOptional(resource.inputs);
  const bool has_state = resource.state_inputs && !resource.provider;
  const std::string deprecated =
      resource.deprecation.empty() ? "" : "    /** @deprecated " + InComment(resource.deprecation) + " */\n";
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
    const Properties& state = resource.state_inputs->properties;
    text += "        if (opts.id) {\n            const state = argsOrState as " + name + "State | undefined;\n";
    for (const Property& property : state) text += InputSlot(property.name) + " = state?." + property.name + ";\n";
    text += OpenSlots(resource, state) + "        } else {\n            const args = argsOrState as " + name +
            "Args | undefined;\n" + InputAssignments(in, resource);
  } else {
    text += (resource.provider ? "        {\n" : "        if (!opts.id) {\n") + InputAssignments(in, resource);
    if (!resource.provider) text += "        } else {\n" + OpenSlots(resource, {});
  }
  text += "        }\n" + OptionMerges(resource) + "        super(" + name +
          ".__pulumiType, name, resourceInputs, opts" + (resource.component ? ", true /*remote*/" : "");
  if (in.package.base && !resource.component) text += ", false /*dependency*/";
  return text + (in.package.base ? ", utilities.getPackage()" : "") + ");\n    }\n";
}

std::string MethodText(const Scope& in, const Resource& resource, const Method& method) {
  const Function& function = *method.function;
  const ObjectType* object = function.answer_object();
  const bool is_plain = function.answer && function.plain_answer;
  // An answer that is neither an object nor plain is not to be had.
  if (function.answer && !object && !is_plain) return "";
  const std::string owner = ClassName(resource.token), name = Camel(method.name);
  const std::string types = owner + "." + UpperFirst(method.name);
  const bool lifts = in.options.lift_single_results && object && object->properties.size() == 1;
  const Properties arguments = WithoutSelf(function.input_properties());
  const bool optional = AllOptional(arguments);

  std::string returned = "void";
  if (is_plain) {
    returned = "Promise<" + (object ? types + "Result" : in.TypeOf(*function.answer).text) + ">";
  } else if (lifts) {
    const Property& only = object->properties[0];
    returned = "pulumi.Output<" + in.TypeOf(*only.type).text + (only.required ? ">" : " | undefined>");
  } else if (function.answer) {
    returned = "pulumi.Output<" + types + "Result>";
  }
  std::string text = "\n" + Comment(WithExamplesOf(function.comment, "typescript"), function.deprecation, "    ") +
                     "    " + name + "(";
  if (!arguments.empty()) text += std::string("args") + (optional ? "?" : "") + ": " + types + "Args";
  text += "): " + returned + " {\n";
  if (!function.deprecation.empty()) {
    text += "        pulumi.log.warn(" + Quote(owner + "." + name + " is deprecated: " + function.deprecation) + ")\n";
  }
  if (!arguments.empty() && optional) text += "        args = args || {};\n";
  text += "        ";
  if (function.answer) text += lifts ? "const result: pulumi.Output<" + types + "Result> = " : "return ";
  text += (is_plain ? "utilities.callAsync(\"" : "pulumi.runtime.call(\"") + function.token +
          "\", {\n            \"__self__\": this,\n";
  for (const Property& argument : arguments) {
    text += "            \"" + argument.name + "\": args." + argument.name + ",\n";
  }
  text += "        }, this";
  if (is_plain) text += object ? ", {}" : ", {property: \"res\"}";
  text += in.package.base ? ", utilities.getPackage());\n" : ");\n";
  if (lifts) text += "        return result." + Camel(object->properties[0].name) + ";\n";
  return text + "    }\n";
}

std::string MethodTypes(const Scope& in, const Resource& resource) {
  std::string types;
  const std::string owner = ClassName(resource.token);
  for (const Method& method : resource.methods) {
    const Function& function = *method.function;
    const auto add = [&](const char* suffix, const std::string& what, const Properties& properties, const Use& use,
                         bool readonly) {
      const bool has_comment = function.inputs && !function.inputs->comment.empty();
      const std::string comment =
          has_comment ? function.inputs->comment : "The " + what + " the " + owner + "." + method.name + " method.";
      types += Interface(in, UpperFirst(method.name) + suffix, comment, properties, use, readonly, "    ") + "\n";
    };
    const Properties arguments = WithoutSelf(function.input_properties());
    if (!arguments.empty()) add("Args", "set of arguments for", arguments, kInput, false);
    if (function.answer_object()) add("Result", "results of", function.output_properties(), {}, true);
  }
  return types.empty() ? "" : "\nexport namespace " + owner + " {\n" + types + "}\n";
}

}  // namespace

std::string ResourceFile(const Scope& in, const Module& module, const Resource& resource) {
  Imports imports;
  in.Collect(module, resource.outputs, &resource, &imports);
  in.Collect(module, resource.inputs, &resource, &imports);
  if (resource.state_inputs) in.Collect(module, resource.state_inputs->properties, &resource, &imports);
  for (const Method& method : resource.methods) {
    in.Collect(module, method.function->input_properties(), &resource, &imports);
    in.Collect(module, AnswersOf(*method.function), &resource, &imports);
  }
  const std::string name = ClassName(resource.token);
  std::string text = in.Header(module, imports) +
                     Comment(WithExamplesOf(resource.comment, "typescript"), resource.deprecation, "") +
                     "export class " + name + " extends " + BaseOf(resource).type + " {\n" + ClassIntro(in, resource) +
                     ClassOutputs(in, resource) + Constructor(in, resource);
  for (const Method& method : resource.methods) text += MethodText(in, resource, method);
  text += "}\n\n";
  if (const ObjectType* state = resource.state_inputs) {
    text += Interface(in, name + "State", state->comment, state->properties, kInput) + "\n";
  }
  return text +
         Interface(in, name + "Args", "The set of arguments for constructing a " + name + " resource.", resource.inputs,
                   kInput) +
         MethodTypes(in, resource);
}

Export ExportOf(const Scope& in, const Resource& resource, const std::string& path) {
  Export exported{.path = path, .class_name = ClassName(resource.token)};
  exported.interfaces = {exported.class_name + "Args"};
  if (resource.state_inputs) exported.interfaces.push_back(exported.class_name + "State");
  exported.has_namespace = !MethodTypes(in, resource).empty();
  return exported;
}

}  // namespace kingpost::sdkgen::node
