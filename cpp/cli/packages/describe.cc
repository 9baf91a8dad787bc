// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/describe.h"

#include "base/text.h"
#include "base/trim.h"
#include "console/display/output.h"
#include "languages/sdkgen/docs.h"
#include "languages/sdkgen/text.h"

namespace kingpost {

namespace {

using TypeKind = schema::Type::Kind;

// Without what stands between the marks of examples.
std::string WithoutExamples(std::string comment) {
  constexpr std::string_view kOpen = "{{% examples %}}", kClose = "{{% /examples %}}";
  for (size_t open = comment.find(kOpen); open != std::string::npos; open = comment.find(kOpen)) {
    const size_t close = comment.find(kClose, open);
    comment.erase(open, close == std::string::npos ? close : close + kClose.size() - open);
  }
  return comment;
}

bool IsExampleHeading(const std::string& line) {
  const std::string text = Lowered(Trimmed(line));
  if (!text.starts_with('#')) return false;
  const std::string title = Trimmed(
      text.substr(text.find_first_not_of('#') == std::string::npos ? text.size() : text.find_first_not_of('#')));
  return title == "example usage" || title == "example" || title == "import";
}

}  // namespace

std::string Summary(const std::string& description) {
  std::string summary;
  for (const std::string& line : Split(description, '\n')) {
    const std::string text = Trimmed(line);
    if (text.empty() && !summary.empty()) break;
    if (!text.empty()) summary += (summary.empty() ? "" : " ") + text;
  }
  return summary;
}

std::string DescriptionText(const Painter& painter, const std::string& comment) {
  std::string kept;
  bool dropped = false;
  const std::string spelled = sdkgen::WithReferences(WithoutExamples(comment), [](const sdkgen::DocTarget& target) {
    const bool provider = target.kind == sdkgen::DocTarget::Kind::kProvider;
    return (provider ? "Provider" : target.token) + (target.property.empty() ? "" : "." + target.property);
  });
  // No language is called " ": other examples go as well.
  for (const std::string& line : sdkgen::LinesOf(sdkgen::WithExamplesOf(spelled, " "))) {
    if (line.empty() && (kept.empty() || kept.ends_with("\n\n"))) continue;
    if (line.starts_with('#')) dropped = IsExampleHeading(line);
    if (!dropped) kept += line + "\n";
  }
  const std::vector<std::string> lines = sdkgen::LinesOf(kept);
  if (lines.empty()) return "";
  const std::string label = painter.Paint(Style::kBold, "Description") + ":";
  return label + (lines.size() > 1 ? "\n" : " ") + Printable(Joined(lines, "\n"), true) + "\n";
}

std::string TypeName(const schema::Type& type) {
  switch (type.kind) {
    case TypeKind::kBool:
      return "boolean";
    case TypeKind::kInteger:
      return "integer";
    case TypeKind::kNumber:
      return "number";
    case TypeKind::kString:
      return "string";
    case TypeKind::kArchive:
      return "pulumi:pulumi:Archive";
    case TypeKind::kAsset:
      return "pulumi:pulumi:Asset";
    case TypeKind::kJson:
    case TypeKind::kAny:
      return "pulumi:pulumi:Any";
    case TypeKind::kArray:
      return "Array<" + TypeName(*type.element) + ">";
    case TypeKind::kMap:
      return "Map<" + TypeName(*type.element) + ">";
    case TypeKind::kUnion: {
      std::vector<std::string> names;
      for (const schema::Type* element : type.elements) names.push_back(TypeName(*element));
      if (type.default_type) names.push_back("default=" + TypeName(*type.default_type));
      return "Union<" + Joined(names, ", ") + ">";
    }
    default:
      return type.token;
  }
}

std::string PropertiesText(const Painter& painter, const std::string& label, const schema::Properties& properties) {
  std::string text = painter.Paint(Style::kBold, label) + ":\n";
  bool marked = false;
  for (const schema::Property& property : properties) {
    marked = marked || property.required;
    text += " - " + painter.Paint(Style::kBold, Printable(property.name)) + " (" + Printable(TypeName(*property.type)) +
            (property.required ? "*)" : ")");
    const std::string summary = Summary(property.comment);
    text += (summary.empty() ? "" : ": " + Printable(summary)) + "\n";
  }
  if (!marked) return text;
  return text + label + " marked with '*' are " + (label == "Inputs" ? "required" : "always present") + "\n";
}

}  // namespace kingpost
