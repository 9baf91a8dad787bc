// SPDX-License-Identifier: Apache-2.0
// The file of a function: its result, and the forms that take values and outputs.
#include "languages/sdkgen/python_scope.h"

namespace kingpost::sdkgen::python {

namespace {

// The class of what is answered: of an object type's token, or of the function's own.
std::string ResultName(const Function& function) {
  const std::string& token = function.answer_object()->token;
  return token.empty() ? UpperFirst(NameOfToken(function.token)) + "Result" : ClassName(token);
}

std::string Optionally(const std::string& text) { return "Optional[" + text + "]"; }

// Each argument may be left out, to be given in another form. What the function does not need may, as an output, also
// turn out to be nothing: published SDKs say so by a second Optional.
std::string ArgumentType(const std::string& type, bool plain, bool required) {
  if (plain || (type == "Any" && required)) return Optionally(type);
  return "pulumi.Input[" + Optionally(required ? type : Optionally(type)) + "]";
}

// "name=<before>name<after>" of each property.
std::string Passed(const Properties& properties, const std::string& indent, const std::string& before,
                   const std::string& after) {
  return Joined(properties, ",", [&](const Property& property) {
    const std::string name = PythonName(property.name);
    return "\n" + indent + name + "=" + before + name + after;
  });
}

std::string FunctionDoc(const Scope& in, const Function& function) {
  std::string docs = function.comment.empty() ? "Use this data source to access information about an existing resource."
                                              : in.Doc(function.comment);
  docs += "\n\n";
  for (const Property& argument : function.input_properties()) {
    docs += in.ParamDoc(PythonName(argument.name), argument, true, false);
  }
  return Docstring(docs, "    ");
}

// Programs may await it, though it is there already.
std::string AwaitableClass(const Scope& in, const Function& function) {
  const ObjectType& object = *function.answer_object();
  const std::string name = ResultName(function);
  return "@pulumi.output_type\nclass " + name + ":\n" + Docstring(in.Doc(object.comment), "    ") +
         ResultInit(in, object.properties, "    ") + Getters(in, object.properties, "    ") + "\nclass Awaitable" +
         name + "(" + name +
         "):\n    # pylint: disable=using-constant-test\n    def __await__(self):\n        if False:\n"
         "            yield self\n        return " +
         name + "(" + Passed(object.properties, "            ", "self.", "") + ")\n\n\n";
}

std::string FunctionText(const Scope& in, const Function& function, bool plain) {
  const ObjectType* object = function.answer_object();
  const std::string name = codegen::PythonFunctionName(function.token);
  const std::string result = object            ? ResultName(function)
                             : function.answer ? in.RuntimeType(*function.answer)
                                               : "Awaitable[None]";
  const std::string returned = !plain ? "pulumi.Output[" + result + "]" : object ? "Awaitable" + result : result;
  const std::string open = "def " + name + (plain || !function.answer ? "(" : "_output(");
  std::string parameters, arguments = "    __args__ = dict()\n";
  for (const Property& argument : function.input_properties()) {
    const std::string spelled = PythonName(argument.name);
    const std::string type = in.TypeText(*argument.type, {.input = true, .accepts_mapping = true});
    parameters +=
        spelled + ": " + ArgumentType(type, plain, argument.required) + " = None,\n" + std::string(open.size(), ' ');
    arguments += "    __args__['" + argument.name + "'] = " + spelled + "\n";
  }
  std::string text = open + parameters + "opts: Optional[" +
                     (plain ? "pulumi.InvokeOptions" : "Union[pulumi.InvokeOptions, pulumi.InvokeOutputOptions]") +
                     "] = None) -> " + returned + ":\n" + FunctionDoc(in, function);
  if (!function.deprecation.empty()) {
    text += "    pulumi.log.warn(" + LongText(name + " is deprecated: " + function.deprecation) + ")\n";
  }
  text += arguments + "    opts = pulumi." + (plain ? "InvokeOptions" : "InvokeOutputOptions") +
          ".merge(_utilities.get_invoke_opts_defaults(), opts)\n    __ret__ = pulumi.runtime.invoke" +
          (plain ? "" : "_output") + (function.answer && !object ? "_single" : "") + "('" + function.token +
          "', __args__, opts=opts" + (object ? ", typ=" + result : "") + in.PackageReference() +
          (plain ? ").value\n\n" : ")\n\n");
  if (!function.answer) return text;
  if (!object) return text + "    return __ret__\n\n\n";
  // Past the getters, which would warn of what is deprecated.
  const std::string made =
      (plain ? "Awaitable" : "") + result + "(" +
      Passed(object->properties, "        ", plain ? "pulumi.get(__ret__, '" : "pulumi.get(__response__, '", "')") +
      ")";
  return text + "    return " + (plain ? made : "__ret__.apply(lambda __response__: " + made + ")") + "\n\n\n";
}

}  // namespace

std::string FunctionFile(const Scope& in, const Function& function) {
  const ObjectType* object = function.answer_object();
  Imports imports;
  in.Collect(function.input_properties(), true, nullptr, &imports);
  in.CollectAdmitted(function.input_properties(), &imports);
  in.Collect(function.output_properties(), false, nullptr, &imports);
  const std::string name = codegen::PythonFunctionName(function.token);
  std::string text = in.Header(imports) + "__all__ = [\n";
  if (object) text += "    '" + ResultName(function) + "',\n    'Awaitable" + ResultName(function) + "',\n";
  if (function.plain) text += "    '" + name + "',\n";
  if (function.answer) text += "    '" + name + "_output',\n";
  text += "]\n\n";
  if (!function.deprecation.empty()) {
    text += "warnings.warn(" + LongText(function.deprecation) + ", DeprecationWarning)\n\n";
  }
  if (object) text += AwaitableClass(in, function);
  if (function.plain) text += FunctionText(in, function, true);
  if (function.answer) text += FunctionText(in, function, false);
  return text;
}

}  // namespace kingpost::sdkgen::python
