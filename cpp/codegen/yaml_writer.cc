// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "codegen/layout.h"
#include "codegen/packages.h"
#include "codegen/writers.h"
#include "pcl/datum.h"

namespace kingpost::codegen {

namespace {

// A value: what stands on the line of its key, and the lines below it.
struct YamlBlock {
  std::string head;
  std::vector<std::string> lines;
};
using YamlLines = std::vector<std::string>;

bool IsYamlWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '/' || c == '.' || c == '@';
}

// Stands without quotes, for every reader of YAML 1.1 and 1.2.
bool IsPlain(const std::string& text) {
  static const std::set<std::string> kOthers = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  if (text.empty() || !(IsIdentifier(text.substr(0, 1)) || text[0] == '/')) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool colon = text[i] == ':' && i + 1 < text.size() && IsYamlWord(text[i + 1]);
    const bool space = text[i] == ' ' && i + 1 < text.size() && IsYamlWord(text[i + 1]);
    if (!colon && !space && !IsYamlWord(text[i])) return false;
  }
  std::string small = text;
  std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return std::tolower(c); });
  return kOthers.count(small) == 0;
}

// "$" where it would begin an interpolation, or make another one plain.
std::string WithoutInterpolation(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = text[i] == '$' && i + 1 < text.size() && (text[i + 1] == '{' || text[i + 1] == '$');
    out += begins ? "$$" : std::string(1, text[i]);
  }
  return out;
}

bool FitsLiteralBlock(const std::string& text) {
  const bool clean = EscapedLines(text, "") == text && text.front() != ' ' && text.front() != '\n';
  const bool ends_once = text.size() < 2 || text.substr(text.size() - 2) != "\n\n";
  return IsProse(text) && clean && ends_once && text.find(" \n") == std::string::npos;
}

YamlBlock YamlText(const std::string& text) {
  const std::string escaped = WithoutInterpolation(text);
  if (!FitsLiteralBlock(escaped)) return {IsPlain(escaped) ? escaped : Quoted(escaped), {}};
  YamlBlock block{escaped.back() == '\n' ? "|" : "|-", {}};
  for (size_t at = 0; at < escaped.size();) {
    const size_t end = std::min(escaped.find('\n', at), escaped.size());
    block.lines.push_back(escaped.substr(at, end - at));
    at = end + 1;
  }
  return block;
}

std::string YamlKey(const std::string& name) {
  const std::string escaped = WithoutInterpolation(name);
  return IsPlain(escaped) && escaped.find(':') == std::string::npos ? escaped : Quoted(escaped);
}

YamlBlock YamlLiteral(const Value& value) {
  if (value.is_string()) return YamlText(value.as_string());
  if (value.is_bool()) return {value.as_bool() ? "true" : "false", {}};
  return {value.is_number() ? pcl::NumberText(value.as_number()) : "null", {}};
}

void AddEntry(const std::string& opening, const YamlBlock& block, YamlLines* lines) {
  lines->push_back(opening + (block.head.empty() ? "" : " " + block.head));
  for (const std::string& line : block.lines) lines->push_back(line.empty() ? "" : "  " + line);
}

std::string YamlType(Setting::Kind kind) {
  switch (kind) {
    case Setting::Kind::kText:
      return "string";
    case Setting::Kind::kBool:
      return "boolean";
    case Setting::Kind::kInteger:
      return "integer";
    case Setting::Kind::kNumber:
      return "number";
    case Setting::Kind::kObject:
    case Setting::Kind::kList:
      break;
  }
  return "object";
}

class YamlWriter {
 public:
  explicit YamlWriter(const Program& program)
      : program_(program),
        variables_(NameAll(program, Identifiers(Identifiers::Style::kAsIs,
                                                [](const std::string& name) { return name == "pulumi"; }, {}))) {}

  std::string Write() {
    YamlLines lines;
    if (!program_.settings.empty()) AddEntry("configuration:", Settings(), &lines);
    YamlBlock resources;
    for (const Resource& resource : program_.resources) {
      if (resource.kind == Resource::Kind::kComponent) {
        resources.lines.push_back("# The component " + Quoted(resource.name) + " of the type " + resource.token +
                                  " has no form in YAML; its children are declared without it.");
      } else {
        AddEntry(YamlKey(variables_.resources.at(resource.key)) + ":", Declaration(resource), &resources.lines);
      }
    }
    if (!resources.lines.empty()) AddEntry("resources:", resources, &lines);
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }

 private:
  YamlBlock Settings() const {
    YamlBlock block;
    for (const Setting& setting : program_.settings) {
      const bool list = setting.kind == Setting::Kind::kList;
      const std::string type = list ? "list<" + YamlType(setting.element) + ">" : YamlType(setting.kind);
      AddEntry(YamlKey(setting.name) + ":", {"", {"type: " + type, "secret: true"}}, &block.lines);
    }
    return block;
  }

  bool IsLocal(const std::string& key) const {
    return std::any_of(program_.resources.begin(), program_.resources.end(), [&](const Resource& resource) {
      return resource.key == key && resource.kind == Resource::Kind::kComponent;
    });
  }

  YamlBlock Declaration(const Resource& resource) const {
    YamlBlock block;
    block.lines.push_back("type: " + YamlText(ShortToken(resource.token, program_.packages)).head);
    if (variables_.resources.at(resource.key) != resource.name) {
      block.lines.push_back("name: " + YamlText(resource.name).head);
    }
    if (resource.kind == Resource::Kind::kRead) {
      AddEntry("get:", {"", {"id: " + YamlText(resource.id).head}}, &block.lines);
    } else if (!resource.inputs.empty()) {
      AddEntry("properties:", Fields(resource.inputs), &block.lines);
    }
    if (const YamlBlock options = Options(resource); !options.lines.empty())
      AddEntry("options:", options, &block.lines);
    return block;
  }

  YamlBlock Options(const Resource& resource) const {
    YamlBlock block;
    for (const Field& option : resource.options) {
      const auto* reference = std::get_if<ResourceRef>(&option.value->node);
      if (reference && IsLocal(reference->key)) continue;
      AddEntry(option.name + ":", Text(*option.value), &block.lines);
    }
    // There is no SDK to tell the version.
    if (!resource.plugin_version.empty()) AddEntry("version:", {Quoted(resource.plugin_version), {}}, &block.lines);
    return block;
  }

  YamlBlock Fields(const std::vector<Field>& fields) const {
    YamlBlock block;
    for (const Field& field : fields) AddEntry(YamlKey(field.name) + ":", Text(*field.value), &block.lines);
    if (block.lines.empty()) block.head = "{}";
    return block;
  }

  YamlBlock Function(const std::string& name, const YamlBlock& argument) const {
    YamlBlock block;
    AddEntry("fn::" + name + ":", argument, &block.lines);
    return block;
  }

  YamlBlock Text(const Expression& expression) const {
    return std::visit([&](const auto& node) { return TextOf(node); }, expression.node);
  }

  YamlBlock TextOf(const Literal& literal) const { return YamlLiteral(literal.value); }
  YamlBlock TextOf(const ListOf& list) const {
    YamlBlock block;
    for (const ExpressionPtr& element : list.elements) {
      YamlBlock inner = Text(*element);
      if (inner.head.empty() && !inner.lines.empty()) {  // a list or an object begins beside the dash
        inner.head = inner.lines.front();
        inner.lines.erase(inner.lines.begin());
      }
      AddEntry("-", inner, &block.lines);
    }
    if (block.lines.empty()) block.head = "[]";
    return block;
  }
  YamlBlock TextOf(const ObjectOf& object) const { return Fields(object.fields); }
  YamlBlock TextOf(const ResourceRef& reference) const {
    return {"${" + variables_.resources.at(reference.key) + "}", {}};
  }
  YamlBlock TextOf(const PropertyRef& reference) const {
    const bool plain = IsIdentifier(reference.property);
    const std::string property = plain ? "." + reference.property : "[" + Quoted(reference.property) + "]";
    return {"${" + variables_.resources.at(reference.key) + property + "}", {}};
  }
  YamlBlock TextOf(const SettingRef& reference) const { return {"${" + reference.name + "}", {}}; }
  YamlBlock TextOf(const AssetOf& asset) const {
    static constexpr const char* kNames[] = {"stringAsset", "fileAsset", "remoteAsset"};
    return Function(kNames[static_cast<int>(asset.kind)], Text(*asset.content));
  }
  YamlBlock TextOf(const ArchiveOf& archive) const {
    static constexpr const char* kNames[] = {"assetArchive", "fileArchive", "remoteArchive"};
    const bool holds = archive.kind == ArchiveData::Kind::kAssets;
    return Function(kNames[static_cast<int>(archive.kind)], holds ? Fields(archive.assets) : Text(*archive.content));
  }

  const Program& program_;
  const Variables variables_;
};

}  // namespace

std::string WriteYaml(const Program& program) { return YamlWriter(program).Write(); }

}  // namespace kingpost::codegen
