// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/program_writer.h"

namespace kingpost::codegen {

namespace {

Variables NamesOf(const Program& program, const ProgramStyle& style, std::set<std::string> taken) {
  for (const NamedExpression& output : program.outputs) {
    if (style.exports_are_names) taken.insert(output.name);
  }
  return NameAll(program, Identifiers(style.names, style.is_keyword, std::move(taken)));
}

}  // namespace

std::set<std::string> ProgramWriter::NamesTaken(const Program& program, const ProgramStyle& style) {
  std::set<std::string> taken = {"pulumi", "config"};
  if (CallsFunctions(program)) taken.merge(style.function_names());
  for (const auto& [package, import] : ImportsOf(program, style.sdk)) taken.insert(style.alias(package));
  return taken;
}

ProgramWriter::ProgramWriter(const Program& program, const ProgramStyle& style)
    : program_(program),
      style_(style),
      imports_(ImportsOf(program, style.sdk)),
      expressions_(style.expressions(program, NamesOf(program, style, NamesTaken(program, style)))) {}

std::string ProgramWriter::Write() const {
  const Variables& names = expressions_->variables();
  std::string text = Settings();
  bool in_variables = false;
  for (const Statement& statement : StatementsOf(program_)) {
    if (statement.resource) {
      text += "\n" + Declaration(*statement.resource);
    } else {
      text += (in_variables ? "" : "\n") + (style_.declares + names.variables.at(statement.variable->name)) + " = " +
              expressions_->Raw(*statement.variable->value, 0) + style_.ends;
    }
    in_variables = statement.variable != nullptr;
  }
  if (!program_.outputs.empty()) text += '\n';
  for (const NamedExpression& output : program_.outputs) text += Export(output) + style_.ends;
  return Head() + text;
}

std::string ProgramWriter::Settings() const {
  std::string text;
  bool own = false;
  for (const Setting& setting : program_.settings) {
    const SettingName name = SplitSetting(setting.name);
    own = own || name.space.empty();
    const std::string config =
        name.space.empty() ? "config" : style_.constructs + ("pulumi.Config(" + Quoted(name.space)) + ")";
    const std::string getter = config + (setting.default_value ? ".get" : ".require") +
                               (setting.secret ? style_.secret_getter : "") +
                               style_.getters[static_cast<int>(setting.kind)];
    const std::string& variable = expressions_->variables().settings.at(setting.name);
    text += style_.declares + variable + " = " + SettingText(setting, variable, getter);
  }
  if (text.empty()) return "";
  const std::string config = std::string("\n") + style_.declares + "config = " + style_.constructs + "pulumi.Config()";
  return (own ? config + style_.ends : "\n") + text;
}

std::string ProgramWriter::Declaration(const Resource& resource) const {
  const bool read = resource.kind == Resource::Kind::kRead;
  const std::string opening = style_.declares + expressions_->variables().resources.at(resource.key) + " = " +
                              (read ? "" : style_.constructs) + ClassOf(resource) + (read ? ".get(" : "(");
  const std::string note = resource.note.empty() ? "" : style_.comment_prefix + resource.note + "\n";
  return note + Arguments(resource, opening) + style_.ends;
}

std::string ProgramWriter::ClassOf(const Resource& resource) const {
  if (resource.kind == Resource::Kind::kComponent) return "pulumi.ComponentResource";
  const SdkName sdk = style_.sdk(resource.token, program_.packages);
  std::string name = sdk.import.empty() ? "pulumi" : style_.alias(PackageOf(resource.token));
  for (const std::string& module : sdk.modules) name += "." + module;
  return name + "." + sdk.type;
}

}  // namespace kingpost::codegen
