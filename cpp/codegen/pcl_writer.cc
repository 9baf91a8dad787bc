// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "codegen/layout.h"
#include "codegen/packages.h"
#include "codegen/writers.h"
#include "pcl/datum.h"

namespace kingpost::codegen {

namespace {

std::string PclText(const std::string& text) {
  std::string escaped = Quoted(text);
  for (const char* opening : {"${", "%{"}) {
    for (size_t at = escaped.find(opening); at != std::string::npos; at = escaped.find(opening, at + 3)) {
      escaped.insert(at, 1, opening[0]);
    }
  }
  return escaped;
}

std::string PclLiteral(const Value& value) {
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_number()) return pcl::NumberText(value.as_number());
  return value.is_string() ? PclText(value.as_string()) : "null";
}

const char* PclType(Setting::Kind kind) {
  switch (kind) {
    case Setting::Kind::kText:
      return "string";
    case Setting::Kind::kBool:
      return "bool";
    case Setting::Kind::kInteger:
      return "int";
    case Setting::Kind::kNumber:
      return "number";
    case Setting::Kind::kObject:
    case Setting::Kind::kList:
      break;
  }
  return "any";
}

class PclWriter {
 public:
  explicit PclWriter(const Program& program)
      : program_(program),
        variables_(NameAll(program, Identifiers(Identifiers::Style::kAsIs,
                                                [](const std::string& name) {
                                                  return name == "null" || name == "true" || name == "false";
                                                },
                                                {}))) {}

  std::string Write() {
    std::string text;
    for (const Setting& setting : program_.settings) {
      const std::string variable = variables_.settings.at(setting.name);
      text += "config " + Quoted(variable) + " " + Quoted(PclType(setting.kind)) + " {\n";
      if (variable != setting.name) text += "    __logicalName = " + PclText(setting.name) + "\n";
      text += "}\n\n";
    }
    for (const Resource& resource : program_.resources) text += Declaration(resource) + "\n";
    return text;
  }

 private:
  std::string Declaration(const Resource& resource) const {
    const std::string variable = variables_.resources.at(resource.key);
    const bool component = resource.kind == Resource::Kind::kComponent;
    std::string text = component ? "component " + Quoted(variable) + " {\n"
                                 : "resource " + Quoted(variable) + " " + PclText(resource.token) + " {\n";
    if (variable != resource.name) text += "    __logicalName = " + PclText(resource.name) + "\n";
    if (component) text += "    token = " + PclText(resource.token) + "\n";
    for (const Field& input : resource.inputs) text += Attribute(input, 1);
    if (!resource.options.empty() || resource.kind == Resource::Kind::kRead) {
      text += "    options {\n";
      for (const Field& option : resource.options) text += Attribute(option, 2);
      text += "    }\n";
    }
    return text + "}\n";
  }

  std::string Attribute(const Field& field, int depth) const {
    return Indent(depth) + field.name + " = " + Text(*field.value, depth) + "\n";
  }

  std::string Fields(const std::vector<Field>& fields, int depth) const {
    std::vector<std::string> entries;
    for (const Field& field : fields) entries.push_back(PclText(field.name) + " = " + Text(*field.value, depth + 1));
    return Bracketed({"{", "}"}, entries, depth, true);
  }

  std::string Text(const Expression& expression, int depth) const {
    return std::visit([&](const auto& node) { return TextOf(node, depth); }, expression.node);
  }

  std::string TextOf(const Literal& literal, int) const { return PclLiteral(literal.value); }
  std::string TextOf(const ListOf& list, int depth) const {
    std::vector<std::string> elements;
    for (const ExpressionPtr& element : list.elements) elements.push_back(Text(*element, depth + 1));
    return Bracketed({"[", "]"}, elements, depth, false);
  }
  std::string TextOf(const ObjectOf& object, int depth) const { return Fields(object.fields, depth); }
  std::string TextOf(const ResourceRef& reference, int) const { return variables_.resources.at(reference.key); }
  std::string TextOf(const PropertyRef& reference, int) const {
    const bool plain = IsIdentifier(reference.property);
    return variables_.resources.at(reference.key) +
           (plain ? "." + reference.property : "[" + PclText(reference.property) + "]");
  }
  // The language has no setting that is a secret by itself.
  std::string TextOf(const SettingRef& reference, int) const {
    return "secret(" + variables_.settings.at(reference.name) + ")";
  }
  std::string TextOf(const AssetOf& asset, int depth) const {
    static constexpr const char* kNames[] = {"stringAsset(", "fileAsset(", "remoteAsset("};
    return std::string(kNames[static_cast<int>(asset.kind)]) + Text(*asset.content, depth) + ")";
  }
  std::string TextOf(const ArchiveOf& archive, int depth) const {
    static constexpr const char* kNames[] = {"assetArchive(", "fileArchive(", "remoteArchive("};
    const bool holds = archive.kind == ArchiveData::Kind::kAssets;
    return std::string(kNames[static_cast<int>(archive.kind)]) +
           (holds ? Fields(archive.assets, depth) : Text(*archive.content, depth)) + ")";
  }

  const Program& program_;
  const Variables variables_;
};

}  // namespace

std::string WritePcl(const Program& program) { return PclWriter(program).Write(); }

}  // namespace kingpost::codegen
