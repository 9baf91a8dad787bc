// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/fleet_flags.h"

#include <iterator>

#include "base/command_name.h"
#include "cli/session/exit_code.h"

namespace kingpost {

void DeclareFleetSelection(Flags* flags, FleetFlags* v) {
  flags->List("--only", &v->only, "With --all: the stacks whose name, project, folder or group fits this pattern",
              true);
  flags->Switch("--with-dependents", &v->with_dependents,
                "With --only or --changed-since: also the stacks that read them");
  flags->Switch("--with-dependencies", &v->with_dependencies,
                "With --only or --changed-since: also the stacks that they read");
  flags->Text("--changed-since", &v->changed_since,
              "With --all: the stacks of projects whose files, or local packages, changed since this commit");
}

void DeclareFleetFlags(Flags* flags, FleetFlags* v) {
  flags->Section("Many stacks");
  flags->Switch("--all", &v->all, "Every project below FOLDER that has the stack, in the order of their references");
  DeclareFleetSelection(flags, v);
  flags->Int("--parallel-stacks", &v->parallel_stacks,
             "With --all: how many stacks may be under way at once (default: one per core, at least 4)");
  flags->Switch("--create", &v->create, "With --all: make the stacks that do not exist");
  flags->Choice(
      "--when-locked", {"fail", "wait", "skip"}, "With --all: how to treat a stack that another process holds",
      [v](const std::string& word) {
        v->when_locked = word == "wait" ? WhenLocked::kWait : word == "skip" ? WhenLocked::kSkip : WhenLocked::kFail;
      });
  flags->Switch("--fail-fast", &v->fail_fast, "With --all: begin no other stack once one has failed");
  flags->Text("--on", &v->on, "With --all: dask://HOST:PORT of a Dask cluster, whose workers deploy the stacks");
  flags->Hidden();
  flags->Switch("--as-member", &v->as_member, "One stack for a fleet: ask on standard output, hear on standard input");
}

Status CheckFleetFlags(const Flags& flags, const FleetFlags& v) {
  constexpr const char* kOfFleets[] = {"--only",          "--with-dependents", "--with-dependencies",
                                       "--changed-since", "--create",          "--parallel-stacks",
                                       "--when-locked",   "--fail-fast",       "--on"};
  if (!v.all) {
    for (const char* name : kOfFleets) {
      if (flags.Declares(name) && flags.Given(name))
        return UsageError(std::string(name) + " is for many stacks: use it with --all");
    }
    return Status::Ok();
  }
  if ((v.with_dependents || v.with_dependencies) && !v.selects()) {
    return UsageError(
        "--with-dependents and --with-dependencies add to a selection: use them with --only or --changed-since");
  }
  if (v.parallel_stacks < 0) return UsageError("--parallel-stacks must not be negative");
  return Status::Ok();
}

Status CheckFleetOperation(const OperationFlags& v, const FleetFlags& fleet) {
  struct Refused {
    bool given;
    const char* why;
  };
  const Refused refused[] = {
      {!v.config_file.empty(), "--config-file names the settings of one stack; 'config:' in kingpost.yaml is for all"},
      {!v.client.empty(), "--client is the language host of one program; leave it out with --all"},
      {!v.event_log.empty(), "--event-log follows one stack; --json prints the events of all, each with its stack"},
      {!v.attach_debugger.empty(),
       "--attach-debugger waits for the program of one stack; leave out --all, and go to its folder"},
      {!v.import_listing_file.empty(), "--import-file lists what one stack would create; leave out --all"},
      {!v.import_pending_creates.empty(), "--import-pending-creates is about resources of one stack; leave out --all"},
      {v.suppress_permalink != "true" && v.suppress_permalink != "bare",
       "--suppress-permalink=false tells where one state is; 'stack ls --all' lists all"},
      {!v.timings.empty() && v.timings != kTimingsAsText,
       "--timings=FILE is the trace of one stack; --tracing file:PATH writes that of all"},
      {v.show_secrets && v.output == "json",
       "--show-secrets: the report of many stacks keeps secrets masked; leave it out"},
      {!fleet.on.empty() && v.show_secrets, "--show-secrets: no secret leaves the workers of --on; leave it out"},
      {!fleet.on.empty() && v.show.explain && v.skip_preview,
       "--explain: with --on it is the preview that explains; leave out --skip-preview"},
  };
  for (const Refused& one : refused) {
    if (one.given) return UsageError(one.why);
  }
  return Status::Ok();
}

}  // namespace kingpost
