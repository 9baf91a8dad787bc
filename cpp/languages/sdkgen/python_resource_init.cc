// SPDX-License-Identifier: Apache-2.0
// How a resource is made: __init__ takes its inputs one by one or as an object of its arguments' class.
#include "languages/codegen/names.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

std::string QuotedList(const std::vector<std::string>& texts) { return "[\"" + Joined(texts, "\", \"") + "\"]"; }

std::string PropsSlot(const std::string& name) { return "__props__.__dict__[\"" + codegen::PythonName(name) + "\"]"; }

}  // namespace

std::string PythonGenerator::InitDoc(const Module& in, const schema::Resource& resource, bool with_args_class) const {
  const std::string name = codegen::UpperFirst(schema::NameOfToken(resource.token));
  std::string docs = resource.comment.empty()
                         ? "Create a " + name + " resource with the given unique name, props, and options.\n"
                         : Doc(resource.comment) + "\n";
  docs += "\n:param str resource_name: The name of the resource.\n";
  if (with_args_class) {
    docs +=
        ":param " + ArgsName(in, resource) + " args: The arguments to use to populate this resource's properties.\n";
  }
  docs += ":param pulumi.ResourceOptions opts: Options for the resource.\n";
  if (!with_args_class) {
    for (const schema::Property& input : resource.inputs) {
      docs += ParamDoc(in, PythonParameter(input.name), input, true, true);
    }
  }
  return Docstring(docs, "        ");
}

std::string PythonGenerator::InitSignature(const Module& in, const schema::Resource& resource,
                                           const std::string& name) const {
  const PythonUse use{.takes_outputs = true, .input = true, .accepts_mapping = true};
  std::string text = "    def " + name +
                     "(__self__,\n                 resource_name: str,\n"
                     "                 opts: Optional[pulumi.ResourceOptions] = None";
  for (const schema::Property& input : resource.inputs) {
    text +=
        ",\n                 " + PythonParameter(input.name) + ": " + PropertyText(in, input, true, use) + " = None";
  }
  return text + ",\n                 __props__=None):\n";
}

std::string PythonGenerator::InitOverloads(const Module& in, const schema::Resource& resource) const {
  const std::string args = ArgsName(in, resource);
  const bool optional = AllOptional(resource.inputs);
  std::string text = "    @overload\n" + InitSignature(in, resource, "__init__") + InitDoc(in, resource, false);
  text += "        ...\n    @overload\n    def __init__(__self__,\n                 resource_name: str,\n";
  text += "                 args: " + (optional ? "Optional[" + args + "] = None" : args) + ",\n";
  text += "                 opts: Optional[pulumi.ResourceOptions] = None):\n" + InitDoc(in, resource, true);
  text += "        ...\n    def __init__(__self__, resource_name: str, *args, **kwargs):\n";
  text += "        resource_args, opts = _utilities.get_resource_args_opts(" + args +
          ", pulumi.ResourceOptions, *args, **kwargs)\n";
  text += "        if resource_args is not None:\n";
  text += "            __self__._internal_init(resource_name, opts, **resource_args.__dict__)\n        else:\n";
  return text + "            __self__._internal_init(resource_name, *args, **kwargs)\n\n";
}

std::string PythonGenerator::InputAssignments(const schema::Resource& resource) const {
  std::string text;
  for (const schema::Property& input : resource.inputs) {
    const std::string name = PythonParameter(input.name);
    if (input.default_value) {
      text += "            if " + name + " is None:\n                " + name + " = " +
              PythonDefault(*input.default_value, *input.type) + "\n";
    }
    if (input.required) {
      text += "            if " + name + " is None and not opts.urn:\n";
      text += "                raise TypeError(\"Missing required property '" + name + "'\")\n";
    }
    const std::string value = input.constant ? PythonConstant(*input.constant) : name;
    const std::string wrapped =
        std::string("pulumi.Output.") + (input.secret ? "secret(" : "from_input(") + value + ")";
    std::string assigned = value;
    if (resource.provider && !IsTextType(*input.type)) {
      // Configuration travels as text.
      assigned = wrapped + ".apply(pulumi.runtime.to_json) if " + value + " is not None else None";
    } else if (input.secret) {
      assigned = "None if " + value + " is None else " + wrapped;
    }
    text += "            " + PropsSlot(input.name) + " = " + assigned + "\n";
  }
  return text;
}

std::string PythonGenerator::OptionMerges(const schema::Resource& resource) const {
  std::string text;
  const auto merge = [&text](const std::string& name, const std::string& options) {
    text += "        " + name + " = pulumi.ResourceOptions(" + options + ")\n";
    text += "        opts = pulumi.ResourceOptions.merge(opts, " + name + ")\n";
  };
  std::vector<std::string> aliases, secrets;
  for (const std::string& type : resource.aliases) aliases.push_back("pulumi.Alias(type_=\"" + type + "\")");
  for (const schema::Property& output : resource.outputs) {
    if (output.secret) secrets.push_back(output.name);
  }
  if (!aliases.empty()) merge("alias_opts", "aliases=[" + Joined(aliases, ", ") + "]");
  if (!secrets.empty()) merge("secret_opts", "additional_secret_outputs=" + QuotedList(secrets));
  const std::vector<std::string> replacing = schema::ReplaceOnChangesPaths(resource);
  if (!replacing.empty()) merge("replace_on_changes", "replace_on_changes=" + QuotedList(replacing));
  return text;
}

std::string PythonGenerator::InternalInit(const Module& in, const schema::Resource& resource) const {
  const std::string name = PythonClassName(resource.token), args = ArgsName(in, resource);
  std::string text = InitSignature(in, resource, "_internal_init");
  if (!resource.deprecation.empty() && python_.compatibility != "kubernetes20") {
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
  for (const schema::Property& output : resource.outputs) {
    if (!schema::FindProperty(resource.inputs, output.name))
      text += "            " + PropsSlot(output.name) + " = None\n";
  }
  text += OptionMerges(resource);
  const std::string token = resource.provider ? package_.name : resource.token;
  text += "        super(" + name + ", __self__).__init__(\n            '" + token +
          "',\n            resource_name,\n            __props__,\n            opts";
  if (resource.component) text += ",\n            remote=True";
  if (package_.base) text += ",\n            package_ref=_utilities.get_package()";
  return text + ")\n\n";
}

}  // namespace kingpost::sdkgen
