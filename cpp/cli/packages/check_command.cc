// SPDX-License-Identifier: Apache-2.0
// schema check: all that is wrong with a schema.
#include <unistd.h>

#include "cli/packages/package_commands.h"
#include "cli/packages/package_source.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/session.h"
#include "console/display/output.h"
#include "languages/schema/bind.h"

namespace kingpost {

namespace {

Status CheckSchema(Session& session, const PackageSource& source, bool dangling_references) {
  const auto loaded = LoadDocument(session, source, ProjectOrNone(session));
  if (!loaded.ok()) return loaded.status();
  const schema::BoundPackage bound = schema::Bind(
      *loaded->document,
      {.dangling_references = dangling_references, .lookup = LookupByPlugins(session, loaded->source.project)});
  const Painter painter(WantsColor(session.globals().color, IsTerminal(STDERR_FILENO)));
  Output out(STDERR_FILENO);
  for (const schema::Diagnostic& one : bound.diagnostics) {
    const std::string kind = one.error ? painter.Paint(Style::kRed, "Error") : painter.Paint(Style::kYellow, "Warning");
    out.Write(kind + ": " + Printable(one.text) + "\n\n");
    if (!one.detail.empty()) out.Write(Printable(one.detail) + "\n\n");
  }
  if (schema::HasErrors(bound.diagnostics)) return Fail(ExitCode::kFailed, "schema validation failed");
  return Status::Ok();
}

}  // namespace

void AddSchemaCommands(Commands* commands) {
  commands->push_back(
      {"schema check", "Say what is wrong with the schema of a package", [](Flags& flags) -> CommandBody {
         auto source = std::make_shared<PackageSource>();
         auto dangling = std::make_shared<bool>(false);
         flags.Argument("SOURCE", &source->text, "A package, a plugin, a repository, a schema, or - for standard input",
                        true);
         source->Declare(&flags);
         flags.Switch("--allow-dangling-references", dangling.get(), "Undefined types are no errors");
         return [=](Session& session) { return CheckSchema(session, *source, *dangling); };
       }});
}

}  // namespace kingpost
