// SPDX-License-Identifier: Apache-2.0
// doctor: whether the backend is as it has to be, and what to do if not.
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "store/store_checks.h"

namespace kingpost {

namespace {

constexpr size_t kSignColumns = 9;

std::string SignOf(StoreCheck::Verdict verdict, const Painter& painter) {
  switch (verdict) {
    case StoreCheck::Verdict::kGood:
      return painter.Paint(Style::kGreen, "ok     ");
    case StoreCheck::Verdict::kDoubtful:
      return painter.Paint(Style::kYellow, "warning");
    case StoreCheck::Verdict::kBad:
      return painter.Paint(Style::kRed, "error  ");
  }
  KP_ASSERT(false, "every verdict has its sign");
}

Status RunDoctor(Session& session) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  bool bad = false;
  for (const StoreCheck& check : CheckStore(**store)) {
    std::string text =
        SignOf(check.verdict, session.painter()) + "  " + check.what + ": " + Printable(check.found) + "\n";
    if (!check.remedy.empty()) text += std::string(kSignColumns, ' ') + check.remedy + "\n";
    session.Print(WrapHelp(text, session.columns()));
    bad = bad || check.verdict == StoreCheck::Verdict::kBad;
  }
  return bad ? Fail(ExitCode::kFailed, "the backend cannot be used as it is") : Status::Ok();
}

}  // namespace

void AddDoctorCommand(Commands* commands) {
  commands->push_back({"doctor", "Check the backend", [](Flags&) -> CommandBody { return RunDoctor; }});
}

}  // namespace kingpost
