// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "codegen/layout.h"
#include "codegen/packages.h"
#include "codegen/writers.h"
#include "pcl/datum.h"

namespace kingpost::codegen {

namespace {

constexpr char kStackReference[] = "pulumi:pulumi:StackReference";

std::string PythonAlias(const std::string& package) { return PythonName(package); }

// Quotes stand bare in a text of many lines, unless they could end it.
std::string PythonText(const std::string& text) {
  if (!IsProse(text)) return Quoted(text);
  const bool ends_it = text.find("\"\"\"") != std::string::npos || text.back() == '"';
  return "\"\"\"" + EscapedLines(text, ends_it ? "\\\"" : "\\") + "\"\"\"";
}

std::string PythonLiteral(const Value& value) {
  if (value.is_bool()) return value.as_bool() ? "True" : "False";
  if (value.is_number()) return pcl::NumberText(value.as_number());
  return value.is_string() ? PythonText(value.as_string()) : "None";
}

// What the constructor calls an input.
std::string Parameter(const Resource& resource, const std::string& property) {
  if (resource.token == kStackReference && property == "name") return "stack_name";
  const std::string name = PythonName(property);
  return name == "resource_name" || name == "opts" ? name + "_" : name;
}

const char* PythonGetter(Setting::Kind kind) {
  switch (kind) {
    case Setting::Kind::kText:
      return "require_secret";
    case Setting::Kind::kBool:
      return "require_secret_bool";
    case Setting::Kind::kInteger:
      return "require_secret_int";
    case Setting::Kind::kNumber:
      return "require_secret_float";
    case Setting::Kind::kObject:
    case Setting::Kind::kList:
      break;
  }
  return "require_secret_object";
}

class PythonWriter {
 public:
  explicit PythonWriter(const Program& program) : program_(program) {
    std::set<std::string> taken = {"pulumi", "config"};
    for (const Resource& resource : program.resources) {
      if (PythonSdk(resource.token, program.packages).import.empty()) continue;
      if (resource.kind != Resource::Kind::kComponent) packages_.insert(PackageOf(resource.token));
    }
    for (const std::string& package : packages_) taken.insert(PythonAlias(package));
    variables_ = NameAll(program, Identifiers(Identifiers::Style::kSnake, IsPythonKeyword, std::move(taken)));
  }

  std::string Write() {
    std::string text = Imports() + Settings();
    for (const Resource& resource : program_.resources) text += "\n" + Declaration(resource) + "\n";
    return text;
  }

 private:
  std::string Imports() const {
    std::set<std::string> lines;
    for (const Resource& resource : program_.resources) {
      const std::string package = PackageOf(resource.token);
      if (resource.kind == Resource::Kind::kComponent || !packages_.count(package)) continue;
      const std::string module = PythonSdk(resource.token, program_.packages).import;
      const std::string alias = PythonAlias(package);
      lines.insert("import " + module + (module == alias ? "" : " as " + alias) + "\n");
    }
    std::string text = "import pulumi\n";
    for (const std::string& line : lines) text += line;
    return text;
  }

  std::string Settings() const {
    if (program_.settings.empty()) return "";
    std::string text = "\nconfig = pulumi.Config()\n";
    for (const Setting& setting : program_.settings) {
      text += variables_.settings.at(setting.name) + " = config." + PythonGetter(setting.kind) + "(" +
              Quoted(setting.name) + ")\n";
    }
    return text;
  }

  std::string ClassOf(const Resource& resource) const {
    if (resource.kind == Resource::Kind::kComponent) return "pulumi.ComponentResource";
    const SdkName sdk = PythonSdk(resource.token, program_.packages);
    std::string name = sdk.import.empty() ? "pulumi" : PythonAlias(PackageOf(resource.token));
    for (const std::string& module : sdk.modules) name += "." + module;
    return name + "." + sdk.type + (resource.kind == Resource::Kind::kRead ? ".get" : "");
  }

  std::string Declaration(const Resource& resource) const {
    std::vector<std::string> arguments;
    if (resource.kind == Resource::Kind::kComponent) arguments.push_back(Quoted(resource.token));
    arguments.push_back(Quoted(resource.name));
    if (resource.kind == Resource::Kind::kRead) {
      arguments.push_back(Quoted(resource.id));
    } else {
      for (const Field& input : resource.inputs) {
        arguments.push_back(Parameter(resource, input.name) + "=" + Text(*input.value, 1));
      }
    }
    if (!resource.options.empty()) arguments.push_back("opts=" + Options(resource.options));
    const std::string opening = variables_.resources.at(resource.key) + " = " + ClassOf(resource) + "(";
    return Bracketed({opening.c_str(), ")"}, arguments, 0, false, opening.size());
  }

  std::string Options(const std::vector<Field>& options) const {
    std::vector<std::string> arguments;
    for (const Field& option : options) {
      arguments.push_back(SnakeCase(option.name) + "=" +
                          (option.name == "customTimeouts" ? Timeouts(*option.value) : Text(*option.value, 2)));
    }
    return Bracketed({"pulumi.ResourceOptions(", ")"}, arguments, 1, false);
  }

  std::string Timeouts(const Expression& expression) const {
    std::vector<std::string> arguments;
    for (const Field& field : std::get<ObjectOf>(expression.node).fields) {
      arguments.push_back(field.name + "=" + Text(*field.value, 3));
    }
    return Bracketed({"pulumi.CustomTimeouts(", ")"}, arguments, 2, false);
  }

  std::string Fields(const std::vector<Field>& fields, bool typed, int depth) const {
    std::vector<std::string> entries;
    for (const Field& field : fields) {
      entries.push_back(Quoted(typed ? PythonName(field.name) : field.name) + ": " + Text(*field.value, depth + 1));
    }
    return Bracketed({"{", "}"}, entries, depth, false);
  }

  std::string Text(const Expression& expression, int depth) const {
    return std::visit([&](const auto& node) { return TextOf(node, depth); }, expression.node);
  }

  std::string TextOf(const Literal& literal, int) const { return PythonLiteral(literal.value); }
  std::string TextOf(const ListOf& list, int depth) const {
    std::vector<std::string> elements;
    for (const ExpressionPtr& element : list.elements) elements.push_back(Text(*element, depth + 1));
    return Bracketed({"[", "]"}, elements, depth, false);
  }
  std::string TextOf(const ObjectOf& object, int depth) const { return Fields(object.fields, object.typed, depth); }
  std::string TextOf(const ResourceRef& reference, int) const { return variables_.resources.at(reference.key); }
  std::string TextOf(const PropertyRef& reference, int) const {
    return variables_.resources.at(reference.key) + "." + PythonName(reference.property);
  }
  std::string TextOf(const SettingRef& reference, int) const { return variables_.settings.at(reference.name); }
  std::string TextOf(const AssetOf& asset, int depth) const {
    static constexpr const char* kNames[] = {"pulumi.StringAsset", "pulumi.FileAsset", "pulumi.RemoteAsset"};
    const std::string name = kNames[static_cast<int>(asset.kind)];
    const std::string content = Text(*asset.content, depth);
    const bool later = std::holds_alternative<SettingRef>(asset.content->node);
    return later ? content + ".apply(" + name + ")" : name + "(" + content + ")";
  }
  std::string TextOf(const ArchiveOf& archive, int depth) const {
    static constexpr const char* kNames[] = {"pulumi.AssetArchive(", "pulumi.FileArchive(", "pulumi.RemoteArchive("};
    const bool holds = archive.kind == ArchiveData::Kind::kAssets;
    return std::string(kNames[static_cast<int>(archive.kind)]) +
           (holds ? Fields(archive.assets, false, depth) : Text(*archive.content, depth)) + ")";
  }

  const Program& program_;
  std::set<std::string> packages_;
  Variables variables_;
};

}  // namespace

std::string WritePython(const Program& program) { return PythonWriter(program).Write(); }

}  // namespace kingpost::codegen
