// preview, up, refresh, destroy, import.
#include "cli/command.h"
#include "cli/operation.h"

namespace kingpost {

namespace {

Command Make(const std::string& word, const std::string& summary, OperationKind kind, bool preview,
             std::vector<std::string> aliases) {
  return {word, summary,
          [=](Flags& flags) -> CommandBody {
            auto values = std::make_shared<OperationFlags>();
            values->kind = kind;
            values->is_preview_command = preview;
            DeclareOperationFlags(&flags, values.get());
            return [values, &flags](Session& session) {
              values->given = flags.GivenHow();
              return RunOperationCommand(session, *values);
            };
          },
          std::move(aliases)};
}

}  // namespace

void AddOperationCommands(Commands* commands) {
  using Kind = OperationKind;
  commands->push_back(Make("preview", "Show what an update would change", Kind::kUpdate, true, {"pre"}));
  commands->push_back(Make("up", "Run the program and make the stack what it says", Kind::kUpdate, false, {"update"}));
  commands->push_back(Make("refresh", "Make the state what the resources are", Kind::kRefresh, false, {"ref"}));
  commands->push_back(Make("destroy", "Delete all resources of the stack", Kind::kDestroy, false, {"down", "dn"}));
  commands->push_back(Make("import", "Take over resources that exist", Kind::kImport, false, {}));
}

}  // namespace kingpost
