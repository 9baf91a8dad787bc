// SPDX-License-Identifier: Apache-2.0
// The file of a resource: its arguments, its state for lookups, and its class, whose __init__ takes the inputs one by
// one or as an object of the arguments' class.
#include "languages/sdkgen/python_scope.h"

namespace kingpost::sdkgen::python {

namespace {

const char* BaseOf(const Resource& resource) {
  if (resource.provider) return "pulumi.ProviderResource";
  return resource.component ? "pulumi.ComponentResource" : "pulumi.CustomResource";
}

// The arguments of a lookup beside the ID.
Properties StateOf(const Resource& resource) {
  const bool looked_up = !resource.provider && !resource.component && resource.state_inputs;
  return looked_up ? resource.state_inputs->properties : Properties();
}

bool Warns(const Scope& in, const Resource& resource) {
  return !resource.deprecation.empty() && in.options.compatibility != "kubernetes20";
}

std::string Parameters(const Scope& in, const Properties& properties, size_t indent) {
  std::string text;
  for (const Property& property : properties) {
    text += ",\n" + std::string(indent, ' ') + PythonParameter(property.name) + ": " +
            in.PropertyText(property, true, kArgument) + " = None";
  }
  return text;
}

std::string ParameterDocs(const Scope& in, const Properties& properties) {
  std::string docs;
  for (const Property& property : properties) docs += in.ParamDoc(PythonParameter(property.name), property, true, true);
  return docs;
}

std::string PropsSlot(const Property& property) { return "__props__.__dict__[\"" + PythonName(property.name) + "\"]"; }

// The outputs that are none of `given` have no value yet.
std::string OpenSlots(const Resource& resource, const Properties& given, const std::string& indent) {
  std::string text;
  for (const Property& output : resource.outputs) {
    if (!schema::FindProperty(given, output.name)) text += indent + PropsSlot(output) + " = None\n";
  }
  return text;
}

std::string InitDoc(const Scope& in, const Resource& resource, bool with_args_class) {
  std::string docs = resource.comment.empty() ? "Create a " + UpperFirst(NameOfToken(resource.token)) +
                                                    " resource with the given unique name, props, and options.\n"
                                              : in.Doc(resource.comment) + "\n";
  docs += "\n:param str resource_name: The name of the resource.\n";
  if (with_args_class) {
    docs += ":param " + in.ArgsName(resource) + " args: The arguments to use to populate this resource's properties.\n";
  }
  docs += ":param pulumi.ResourceOptions opts: Options for the resource.\n";
  return Docstring(with_args_class ? docs : docs + ParameterDocs(in, resource.inputs), "        ");
}

std::string InitSignature(const Scope& in, const Resource& resource, const std::string& name) {
  return "    def " + name +
         "(__self__,\n                 resource_name: str,\n"
         "                 opts: Optional[pulumi.ResourceOptions] = None" +
         Parameters(in, resource.inputs, 17) + ",\n                 __props__=None):\n";
}

std::string InitOverloads(const Scope& in, const Resource& resource) {
  const std::string args = in.ArgsName(resource);
  std::string text = "    @overload\n" + InitSignature(in, resource, "__init__") + InitDoc(in, resource, false);
  text += "        ...\n    @overload\n    def __init__(__self__,\n                 resource_name: str,\n";
  text += "                 args: " + (AllOptional(resource.inputs) ? "Optional[" + args + "] = None" : args) + ",\n";
  text += "                 opts: Optional[pulumi.ResourceOptions] = None):\n" + InitDoc(in, resource, true);
  text += "        ...\n    def __init__(__self__, resource_name: str, *args, **kwargs):\n";
  text += "        resource_args, opts = _utilities.get_resource_args_opts(" + args +
          ", pulumi.ResourceOptions, *args, **kwargs)\n        if resource_args is not None:\n";
  text += "            __self__._internal_init(resource_name, opts, **resource_args.__dict__)\n        else:\n";
  return text + "            __self__._internal_init(resource_name, *args, **kwargs)\n\n";
}

std::string InputAssignments(const Resource& resource) {
  std::string text;
  for (const Property& input : resource.inputs) {
    const std::string name = PythonParameter(input.name);
    if (input.default_value) {
      text += "            if " + name + " is None:\n                " + name + " = " +
              DefaultOf(*input.default_value, *input.type) + "\n";
    }
    if (input.required) {
      text += "            if " + name + " is None and not opts.urn:\n" +
              "                raise TypeError(\"Missing required property '" + name + "'\")\n";
    }
    const std::string value = input.constant ? ConstantOf(*input.constant) : name;
    const std::string wrapped =
        std::string("pulumi.Output.") + (input.secret ? "secret(" : "from_input(") + value + ")";
    std::string assigned = value;
    if (resource.provider && input.type->plain_kind() != Type::Kind::kString) {
      // Configuration travels as text.
      assigned = wrapped + ".apply(pulumi.runtime.to_json) if " + value + " is not None else None";
    } else if (input.secret) {
      assigned = "None if " + value + " is None else " + wrapped;
    }
    text += "            " + PropsSlot(input) + " = " + assigned + "\n";
  }
  return text + OpenSlots(resource, resource.inputs, "            ");
}

std::string OptionMerges(const Resource& resource) {
  std::string text;
  const auto merge = [&text](const std::string& name, const std::string& option, const std::string& values) {
    if (values.empty()) return;
    text += "        " + name + " = pulumi.ResourceOptions(" + option + "=[" + values + "])\n";
    text += "        opts = pulumi.ResourceOptions.merge(opts, " + name + ")\n";
  };
  const auto quoted = [](const std::string& text) { return "\"" + text + "\""; };
  merge("alias_opts", "aliases",
        Joined(resource.aliases, ", ", [](const std::string& type) { return "pulumi.Alias(type_=\"" + type + "\")"; }));
  merge("secret_opts", "additional_secret_outputs", Joined(SecretOutputs(resource), ", ", quoted));
  merge("replace_on_changes", "replace_on_changes", Joined(schema::ReplaceOnChangesPaths(resource), ", ", quoted));
  return text;
}

std::string InternalInit(const Scope& in, const Resource& resource) {
  const std::string name = ClassName(resource.token), args = in.ArgsName(resource);
  std::string text = InitSignature(in, resource, "_internal_init");
  if (Warns(in, resource)) {
    text += "        pulumi.log.warn(" + LongText(name + " is deprecated: " + resource.deprecation) + ")\n";
  }
  text +=
      "        opts = pulumi.ResourceOptions.merge(_utilities.get_resource_opts_defaults(), opts)\n"
      "        if not isinstance(opts, pulumi.ResourceOptions):\n"
      "            raise TypeError('Expected resource options to be a ResourceOptions instance')\n";
  text += resource.component ? "        if opts.id is not None:\n"
                               "            raise ValueError('ComponentResource classes do not support opts.id')\n"
                               "        else:\n"
                             : "        if opts.id is None:\n";
  text +=
      "            if __props__ is not None:\n"
      "                raise TypeError('__props__ is only valid when passed in combination with a valid opts.id to get "
      "an existing resource')\n";
  // Without __init__, which would insist on what a lookup does not have.
  text += "            __props__ = " + args + ".__new__(" + args + ")\n\n" + InputAssignments(resource);
  return text + OptionMerges(resource) + "        super(" + name + ", __self__).__init__(\n            '" +
         (resource.provider ? in.package.name : resource.token) +
         "',\n            resource_name,\n            __props__,\n            opts" +
         (resource.component ? ",\n            remote=True" : "") + in.PackageReference(",\n            ") + ")\n\n";
}

std::string GetMethod(const Scope& in, const Resource& resource) {
  const std::string name = ClassName(resource.token);
  const Properties state = StateOf(resource);
  const std::string args = state.empty() ? in.ArgsName(resource) : "_" + name + "State";
  std::string values;
  for (const Property& property : state)
    values += "        " + PropsSlot(property) + " = " + PythonParameter(property.name) + "\n";
  const std::string intro = "Get an existing " + name +
                            " resource's state with the given name, id, and optional extra\nproperties used to qualify "
                            "the lookup.\n\n:param str resource_name: The unique name of the resulting resource.\n"
                            ":param pulumi.Input[str] id: The unique provider ID of the resource to lookup.\n"
                            ":param pulumi.ResourceOptions opts: Options for the resource.\n";
  return "    @staticmethod\n    def get(resource_name: str,\n            id: pulumi.Input[str],\n"
         "            opts: Optional[pulumi.ResourceOptions] = None" +
         Parameters(in, state, 12) + ") -> '" + name + "':\n" +
         Docstring(intro + ParameterDocs(in, state), "        ") +
         "        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(id=id))\n\n        __props__ = " +
         args + ".__new__(" + args + ")\n\n" + values + OpenSlots(resource, state, "        ") + "        return " +
         name + "(resource_name, opts=opts, __props__=__props__)\n\n";
}

std::string ExistsMethod(const Scope& in, const Resource& resource) {
  const Properties state = StateOf(resource);
  std::string values;
  for (const Property& property : state) {
    values += "        __props__['" + property.name + "'] = " + PythonParameter(property.name) + "\n";
  }
  const std::string intro = "Check whether a " + ClassName(resource.token) +
                            " resource with the given ID is there. Nothing is read into the state.\n\n"
                            ":param pulumi.Input[str] id: The unique provider ID of the resource to look for.\n"
                            ":param pulumi.ResourceOptions opts: Options for the resource.\n";
  return "    @staticmethod\n    def exists(id: pulumi.Input[str],\n"
         "               opts: Optional[pulumi.ResourceOptions] = None" +
         Parameters(in, state, 15) + ") -> pulumi.Output[bool]:\n" +
         Docstring(intro + ParameterDocs(in, state), "        ") + "        __props__: dict = {}\n" + values +
         "        return pulumi.runtime.exists_resource(None, '" + resource.token +
         "', id, __props__, opts or pulumi.ResourceOptions()" + in.PackageReference() + ")\n\n";
}

std::string MethodResult(const Scope& in, const Method& method) {
  const ObjectType* object = method.function->answer_object();
  const Properties properties = AnswersOf(*method.function);
  // A plain answer is there.
  Properties known = properties;
  if (!object) known[0].required = true;
  return "    @pulumi.output_type\n    class " + UpperFirst(method.name) + "Result:\n" +
         Docstring(object ? in.Doc(object->comment) : "", "        ") + ResultInit(in, properties, "        ") +
         Getters(in, known, "        ");
}

std::string MethodText(const Scope& in, const Resource& resource, const Method& method) {
  const Function& function = *method.function;
  const ObjectType* object = function.answer_object();
  const bool has_result = function.answer && (object || function.plain_answer);
  const bool lifts = in.options.lift_single_results && object && object->properties.size() == 1;
  const std::string name = PythonName(method.name), result_class = UpperFirst(method.name) + "Result";
  const std::string result = ClassName(resource.token) + "." + result_class;

  std::string returned = "None";
  if (has_result && lifts) {
    returned = "pulumi.Output['" + in.RuntimeType(*object->properties[0].type) + "']";
  } else if (has_result && function.plain_answer) {
    returned = object ? result_class : in.RuntimeType(*function.answer);
  } else if (has_result) {
    returned = "pulumi.Output['" + result + "']";
  }

  const Properties arguments = RequiredFirst(WithoutSelf(function.input_properties()));
  const std::string open = "    def " + name + "(";
  std::string text =
      (has_result ? MethodResult(in, method) : "") + open + "__self__" + (arguments.empty() ? "" : ", *");
  std::string docs = function.comment.empty() ? "" : in.Doc(function.comment) + "\n";
  std::string values = "        __args__ = dict()\n        __args__['__self__'] = __self__\n";
  if (!arguments.empty()) docs += '\n';
  for (const Property& argument : arguments) {
    const std::string spelled = PythonName(argument.name);
    Property plain = argument;
    plain.constant.reset();
    text += ",\n" + std::string(open.size(), ' ') + spelled + ": " +
            in.PropertyText(plain, !argument.required, {.takes_outputs = true, .input = true}) +
            (argument.required ? "" : " = None");
    docs += in.ParamDoc(spelled, argument, false, true);
    values += "        __args__['" + argument.name + "'] = " + spelled + "\n";
  }
  text += ") -> " + returned + ":\n" + Docstring(docs, "        ");
  if (!function.deprecation.empty()) {
    text += "        pulumi.log.warn(" + LongText(name + " is deprecated: " + function.deprecation) + ")\n";
  }
  const std::string call = "('" + function.token + "', __args__, res=__self__" + (has_result ? ", typ=" + result : "") +
                           in.PackageReference() + ")";
  text += values;
  if (!has_result) return text + "        pulumi.runtime.call" + call + "\n\n";
  if (function.plain_answer)
    return text + "        return _utilities.call_plain" + call + (object ? "" : ".res") + "\n\n";
  if (!lifts) return text + "        return pulumi.runtime.call" + call + "\n\n";
  return text + "        __result__ = pulumi.runtime.call" + call + "\n        return __result__." +
         PythonName(object->properties[0].name) + "\n\n";
}

}  // namespace

std::string ResourceFile(const Scope& in, const Resource& resource) {
  Imports imports;
  const Properties state = resource.state_inputs ? resource.state_inputs->properties : Properties();
  in.Collect(resource.outputs, false, &resource, &imports);
  for (const Properties& inputs : {resource.inputs.get(), state}) {
    in.Collect(inputs, true, &resource, &imports);
    in.CollectAdmitted(inputs, &imports);
  }
  for (const Method& method : resource.methods) {
    in.Collect(method.function->input_properties(), true, &resource, &imports);
    in.Collect(AnswersOf(*method.function), false, &resource, &imports);
  }
  const std::string name = ClassName(resource.token), args = in.ArgsName(resource);
  std::string text =
      in.Header(imports) + "__all__ = ['" + args + "', '" + name + "']\n\n" +
      InputClass(in, args, "The set of arguments for constructing a " + name + " resource.", resource.inputs, true);
  if (!StateOf(resource).empty()) {
    text += InputClass(in, "_" + name + "State",
                       "Input properties used for looking up and filtering " + name + " resources.", state, true);
  }
  const bool warns = Warns(in, resource);
  const std::string warning = "warnings.warn(" + LongText(resource.deprecation) + ", DeprecationWarning)\n";
  if (warns && !resource.provider) text += warning + "\n\n";
  text += "@pulumi.type_token(\"" + resource.token + "\")\nclass " + name + "(" + BaseOf(resource) + "):\n";
  if (warns) text += "    " + warning + "\n";
  text += InitOverloads(in, resource) + InternalInit(in, resource);
  if (!resource.provider && !resource.component) text += GetMethod(in, resource) + ExistsMethod(in, resource);
  text += Getters(in, resource.outputs, "    ", "pulumi.Output");
  for (const Method& method : resource.methods) text += MethodText(in, resource, method);
  return text;
}

}  // namespace kingpost::sdkgen::python
