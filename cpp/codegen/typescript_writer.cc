// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "codegen/layout.h"
#include "codegen/packages.h"
#include "codegen/writers.h"
#include "pcl/datum.h"

namespace kingpost::codegen {

namespace {

std::string NodeAlias(std::string package) {
  for (char& c : package) {
    if (c == '-' || c == '.') c = '_';
  }
  return IsTypeScriptKeyword(package) ? "_" + package : package;
}

std::string NodeText(const std::string& text) {
  if (!IsProse(text)) return Quoted(text);
  std::string escaped = EscapedLines(text, "`\\");
  for (size_t at = escaped.find("${"); at != std::string::npos; at = escaped.find("${", at + 3))
    escaped.insert(at, "\\");
  return "`" + escaped + "`";
}

std::string NodeLiteral(const Value& value) {
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_number()) return pcl::NumberText(value.as_number());
  return value.is_string() ? NodeText(value.as_string()) : "null";
}

std::string NodeKey(const std::string& name) {
  if (name == "__proto__") return "[\"__proto__\"]";  // else it would set the object's prototype
  return IsIdentifier(name) ? name : Quoted(name);
}

const char* NodeGetter(Setting::Kind kind) {
  switch (kind) {
    case Setting::Kind::kText:
      return "requireSecret";
    case Setting::Kind::kBool:
      return "requireSecretBoolean";
    case Setting::Kind::kInteger:
    case Setting::Kind::kNumber:
      return "requireSecretNumber";
    case Setting::Kind::kObject:
    case Setting::Kind::kList:
      break;
  }
  return "requireSecretObject";
}

class NodeWriter {
 public:
  NodeWriter(const Program& program, Modules modules) : program_(program), modules_(modules) {
    std::set<std::string> taken = {"pulumi", "config"};
    for (const Resource& resource : program.resources) {
      const SdkName sdk = NodeSdk(resource.token, program.packages);
      if (sdk.import.empty() || resource.kind == Resource::Kind::kComponent) continue;
      packages_[PackageOf(resource.token)] = sdk.import;
    }
    for (const auto& [package, import] : packages_) taken.insert(NodeAlias(package));
    variables_ = NameAll(program, Identifiers(Identifiers::Style::kAsIs, IsTypeScriptKeyword, std::move(taken)));
  }

  std::string Write() {
    std::string text = Import("pulumi", "@pulumi/pulumi");
    for (const auto& [package, import] : packages_) text += Import(NodeAlias(package), import);
    text += Settings();
    for (const Resource& resource : program_.resources) text += "\n" + Declaration(resource) + ";\n";
    return text;
  }

 private:
  std::string Import(const std::string& alias, const std::string& package) const {
    if (modules_ == Modules::kRequire) return "const " + alias + " = require(" + Quoted(package) + ");\n";
    return "import * as " + alias + " from " + Quoted(package) + ";\n";
  }

  // An object's type is written out only where it is of use: the values are checked by who takes them.
  std::string Settings() const {
    if (program_.settings.empty()) return "";
    std::string text = "\nconst config = new pulumi.Config();\n";
    for (const Setting& setting : program_.settings) {
      const bool object = setting.kind == Setting::Kind::kObject || setting.kind == Setting::Kind::kList;
      const std::string type = object && modules_ == Modules::kImport ? "<any>" : "";
      text += "const " + variables_.settings.at(setting.name) + " = config." + NodeGetter(setting.kind) + type + "(" +
              Quoted(setting.name) + ");\n";
    }
    return text;
  }

  std::string ClassOf(const Resource& resource) const {
    if (resource.kind == Resource::Kind::kComponent) return "pulumi.ComponentResource";
    const SdkName sdk = NodeSdk(resource.token, program_.packages);
    std::string name = sdk.import.empty() ? "pulumi" : NodeAlias(PackageOf(resource.token));
    for (const std::string& module : sdk.modules) name += "." + module;
    return name + "." + sdk.type;
  }

  std::string Declaration(const Resource& resource) const {
    const std::string variable = "const " + variables_.resources.at(resource.key) + " = ";
    std::string tail;
    if (!resource.options.empty()) tail = ", " + Fields(resource.options, 0);
    if (resource.kind == Resource::Kind::kRead) {
      const std::string options = tail.empty() ? "" : ", undefined" + tail;
      return variable + ClassOf(resource) + ".get(" + Quoted(resource.name) + ", " + Quoted(resource.id) + options +
             ")";
    }
    std::string head = Quoted(resource.name);
    if (resource.kind == Resource::Kind::kComponent) head = Quoted(resource.token) + ", " + head;
    const std::string opening = variable + "new " + ClassOf(resource) + "(" + head;
    const bool has_inputs = !resource.inputs.empty() || !tail.empty();
    const std::string inputs = has_inputs ? ", " + Fields(resource.inputs, 0, opening.size() + tail.size()) : "";
    return opening + inputs + tail + ")";
  }

  std::string Fields(const std::vector<Field>& fields, int depth, size_t columns_before = 0) const {
    std::vector<std::string> entries;
    for (const Field& field : fields) entries.push_back(NodeKey(field.name) + ": " + Text(*field.value, depth + 1));
    return Bracketed({"{", "}"}, entries, depth, true, columns_before);
  }

  std::string Text(const Expression& expression, int depth) const {
    return std::visit([&](const auto& node) { return TextOf(node, depth); }, expression.node);
  }

  std::string TextOf(const Literal& literal, int) const { return NodeLiteral(literal.value); }
  std::string TextOf(const ListOf& list, int depth) const {
    std::vector<std::string> elements;
    for (const ExpressionPtr& element : list.elements) elements.push_back(Text(*element, depth + 1));
    return Bracketed({"[", "]"}, elements, depth, false);
  }
  std::string TextOf(const ObjectOf& object, int depth) const { return Fields(object.fields, depth); }
  std::string TextOf(const ResourceRef& reference, int) const { return variables_.resources.at(reference.key); }
  std::string TextOf(const PropertyRef& reference, int) const {
    const std::string variable = variables_.resources.at(reference.key);
    const bool plain = IsIdentifier(reference.property);
    return variable + (plain ? "." + reference.property : "[" + Quoted(reference.property) + "]");
  }
  std::string TextOf(const SettingRef& reference, int) const { return variables_.settings.at(reference.name); }
  std::string TextOf(const AssetOf& asset, int depth) const {
    static constexpr const char* kNames[] = {"StringAsset", "FileAsset", "RemoteAsset"};
    const std::string name = std::string("new pulumi.asset.") + kNames[static_cast<int>(asset.kind)];
    const std::string content = Text(*asset.content, depth);
    const bool later = std::holds_alternative<SettingRef>(asset.content->node);
    return later ? content + ".apply(text => " + name + "(text))" : name + "(" + content + ")";
  }
  std::string TextOf(const ArchiveOf& archive, int depth) const {
    static constexpr const char* kNames[] = {"AssetArchive", "FileArchive", "RemoteArchive"};
    const bool holds = archive.kind == ArchiveData::Kind::kAssets;
    return std::string("new pulumi.asset.") + kNames[static_cast<int>(archive.kind)] + "(" +
           (holds ? Fields(archive.assets, depth) : Text(*archive.content, depth)) + ")";
  }

  const Program& program_;
  const Modules modules_;
  std::map<std::string, std::string> packages_;  // package -> npm package
  Variables variables_;
};

}  // namespace

std::string WriteTypeScript(const Program& program, Modules modules) { return NodeWriter(program, modules).Write(); }

}  // namespace kingpost::codegen
