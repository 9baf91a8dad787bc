// SPDX-License-Identifier: Apache-2.0
#include "cli/session/stack_menu.h"

#include "cli/session/exit_code.h"
#include "cli/session/phrases.h"
#include "cli/session/session.h"
#include "cli/session/stack_lifecycle.h"
#include "console/prompt/ask.h"

namespace kingpost {

namespace {

constexpr char kNewStack[] = "<create a new stack>";

Status NothingChosen() { return Fail(ExitCode::kNoStack, "no stack was chosen", Code::kBail); }

Result<StackName> MakeNamed(Session& session, const std::string& typed) {
  Result<StackName> stack = session.QualifyStackName(typed);
  if (!stack.ok()) return stack;
  if (const Status created = CreateStack(session, *stack, true); !created.ok()) return created;
  return stack;
}

Result<StackName> MakeNew(Session& session) {
  const Result<std::string> typed = AskForStackName(session);
  return typed.ok() ? MakeNamed(session, *typed) : typed.status();
}

}  // namespace

Result<StackName> OfferStack(Session& session, const std::string& typed) {
  const std::optional<size_t> chosen = Choose(
      session.painter(), "There is no stack '" + Printable(typed) + "'. Make it now?", {{"yes", ""}, {"no", ""}});
  return chosen == size_t{0} ? MakeNamed(session, typed) : NothingChosen();
}

Result<std::string> AskForStackName(Session& session) {
  session.Say("A stack is one deployment of the project; names such as dev, staging or prod are usual.\n");
  const std::optional<std::string> line = AskForLine(session.painter(), "Name of the new stack:");
  if (!line || line->empty()) return NothingChosen();
  return *line;
}

Result<StackName> ChooseStack(Session& session, const std::string& question) {
  const Result<const Project*> project = session.project();
  if (!project.ok()) return project.status();
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  const Result<std::vector<StackEntry>> entries = (*store)->List();
  if (!entries.ok()) return entries.status();

  std::vector<StackName> stacks;
  std::vector<MenuItem> items;
  size_t start = 0;
  const std::string selected = session.selected();
  for (const StackEntry& entry : *entries) {
    if (entry.stack.project != (*project)->name) continue;
    if ((*store)->QualifiedName(entry.stack) == selected) start = items.size();
    stacks.push_back(entry.stack);
    items.push_back({Printable(session.ShortName(entry.stack)),
                     entry.locked ? "in progress" : "updated " + AgoText(entry.modified_ms)});
  }
  if (stacks.empty()) return MakeNew(session);
  items.push_back({kNewStack, ""});

  const std::optional<size_t> chosen = Choose(session.painter(), question, std::move(items), start);
  if (!chosen) return NothingChosen();
  if (*chosen == stacks.size()) return MakeNew(session);
  if (const Status done = session.Select(stacks[*chosen]); !done.ok()) return done;
  return stacks[*chosen];
}

}  // namespace kingpost
