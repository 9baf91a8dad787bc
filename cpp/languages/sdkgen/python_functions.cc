// SPDX-License-Identifier: Apache-2.0
// The file of a function: its result, and the forms that take values and outputs.
#include "languages/codegen/names.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

std::string FunctionName(const schema::Function& function) { return codegen::PythonFunctionName(function.token); }

// The class of what is answered: of an object type's token, or of the function's own.
std::string ResultName(const schema::Function& function) {
  const std::string& token = function.answer_object()->token;
  if (!token.empty()) return PythonClassName(token);
  const std::string name = codegen::UpperFirst(schema::NameOfToken(function.token)) + "Result";
  return codegen::IsPythonKeyword(name) ? name + "_" : name;
}

std::string Optionally(const std::string& text) { return "Optional[" + text + "]"; }

// Each argument may be left out, to be given in another form. What the function does not need may, as an output, also
// turn out to be nothing: published SDKs say so by a second Optional.
std::string ArgumentType(const std::string& type, bool plain, bool required) {
  if (plain || (type == "Any" && required)) return Optionally(type);
  return "pulumi.Input[" + Optionally(required ? type : Optionally(type)) + "]";
}

}  // namespace

std::string PythonGenerator::FunctionDoc(const Module& in, const schema::Function& function) const {
  std::string docs = function.comment.empty() ? "Use this data source to access information about an existing resource."
                                              : Doc(function.comment);
  docs += "\n\n";
  for (const schema::Property& argument : function.input_properties()) {
    docs += ParamDoc(in, codegen::PythonName(argument.name), argument, true, false);
  }
  return Docstring(docs, "    ");
}

// Programs may await it, though it is there already.
std::string PythonGenerator::AwaitableClass(const Module& in, const schema::Function& function) const {
  const schema::ObjectType& object = *function.answer_object();
  const std::string name = ResultName(function);
  std::string text = "@pulumi.output_type\nclass " + name + ":\n" + Docstring(Doc(object.comment), "    ");
  text += ResultInit(in, object.properties, "    ") + Getters(in, object.properties, "    ", "", false, PythonUse());
  text += "\nclass Awaitable" + name + "(" + name + "):\n    # pylint: disable=using-constant-test\n";
  text += "    def __await__(self):\n        if False:\n            yield self\n        return " + name + "(";
  std::vector<std::string> values;
  for (const schema::Property& property : object.properties) {
    const std::string spelled = codegen::PythonName(property.name);
    values.push_back("\n            " + spelled + "=self." + spelled);
  }
  return text + Joined(values, ",") + ")\n\n\n";
}

std::string PythonGenerator::FunctionText(const Module& in, const schema::Function& function, bool plain) const {
  const schema::ObjectType* object = function.answer_object();
  const std::string name = FunctionName(function) + (plain || !function.answer ? "" : "_output");
  const std::string result = object            ? ResultName(function)
                             : function.answer ? RuntimeType(in, *function.answer)
                                               : "Awaitable[None]";
  const std::string returned = !plain ? "pulumi.Output[" + result + "]" : object ? "Awaitable" + result : result;
  const PythonUse use{.input = true, .accepts_mapping = true};

  const std::string open = "def " + name + "(";
  const std::string indent(function.input_properties().empty() ? 0 : open.size(), ' ');
  std::string text = open, arguments = "    __args__ = dict()\n";
  bool first = true;
  for (const schema::Property& argument : function.input_properties()) {
    const std::string spelled = codegen::PythonName(argument.name);
    const std::string type = TypeText(in, *argument.type, use);
    text += (first ? "" : indent) + spelled + ": " + ArgumentType(type, plain, argument.required) + " = None,\n";
    arguments += "    __args__['" + argument.name + "'] = " + spelled + "\n";
    first = false;
  }
  const std::string options = plain ? "InvokeOptions" : "InvokeOutputOptions";
  text += indent + "opts: Optional[" +
          (plain ? "pulumi.InvokeOptions" : "Union[pulumi.InvokeOptions, pulumi.InvokeOutputOptions]") +
          "] = None) -> " + returned + ":\n" + FunctionDoc(in, function);
  if (!function.deprecation.empty()) {
    text +=
        "    pulumi.log.warn(" + LongText(FunctionName(function) + " is deprecated: " + function.deprecation) + ")\n";
  }
  text += arguments + "    opts = pulumi." + options + ".merge(_utilities.get_invoke_opts_defaults(), opts)\n";
  text += std::string("    __ret__ = pulumi.runtime.invoke") + (plain ? "" : "_output") +
          (function.answer && !object ? "_single" : "") + "('" + function.token + "', __args__, opts=opts";
  if (object) text += ", typ=" + result;
  if (package_.base) text += ", package_ref=_utilities.get_package()";
  text += std::string(")") + (plain ? ".value" : "") + "\n\n";
  if (!function.answer) return text;
  if (!object) return text + "    return __ret__\n\n\n";
  // Past the getters, which would warn of what is deprecated.
  std::vector<std::string> values;
  for (const schema::Property& property : object->properties) {
    const std::string spelled = codegen::PythonName(property.name);
    values.push_back("\n        " + spelled + "=pulumi.get(" + (plain ? "__ret__" : "__response__") + ", '" + spelled +
                     "')");
  }
  const std::string made = (plain ? "Awaitable" + result : result) + "(" + Joined(values, ",") + ")";
  return text + "    return " + (plain ? made : "__ret__.apply(lambda __response__: " + made + ")") + "\n\n\n";
}

std::string PythonGenerator::FunctionFile(const Module& in, const schema::Function& function) const {
  const schema::ObjectType* object = function.answer_object();
  Imports imports;
  Collect(in, function.input_properties(), true, nullptr, &imports);
  CollectAdmitted(in, function.input_properties(), &imports);
  if (object) Collect(in, object->properties, false, nullptr, &imports);
  const std::string name = FunctionName(function);
  std::string text = Header(in, imports) + "__all__ = [\n";
  if (object) text += "    '" + ResultName(function) + "',\n    'Awaitable" + ResultName(function) + "',\n";
  if (function.plain) text += "    '" + name + "',\n";
  if (function.answer) text += "    '" + name + "_output',\n";
  text += "]\n\n";
  if (!function.deprecation.empty())
    text += "warnings.warn(" + LongText(function.deprecation) + ", DeprecationWarning)\n\n";
  if (object) text += AwaitableClass(in, function);
  if (function.plain) text += FunctionText(in, function, true);
  if (function.answer) text += FunctionText(in, function, false);
  return text;
}

}  // namespace kingpost::sdkgen
