// SPDX-License-Identifier: Apache-2.0
#include "cli/operations/operation_flags.h"

#include <cstdlib>

#include "base/os.h"
#include "cli/session/exit_code.h"
#include "cli/timings/timings_file.h"

namespace kingpost {

namespace {

using Kind = OperationKind;

void DeclareGeneral(Flags* flags, OperationFlags* v) {
  flags->Text("-s,--stack", &v->stack, "The stack; the selected one by default");
  flags->Text("-m,--message", &v->message, "A message to keep with the operation");
  flags->Text("--config-file", &v->config_file, "Use this settings file instead of Pulumi.STACK.yaml");
  flags->Int("-p,--parallel", &v->parallel, "How many operations may run at once (default: four per core)");
  flags->Switch("-d,--debug", &v->debug, "Show debugging messages too");
  flags->OptionalText(
      "--timings", &v->timings, kTimingsAsText,
      "Show at the end where the time went; =FILE.json also writes a trace for Perfetto, =FILE.html a chart");
  flags->Switch("-j,--json", &v->json,
                v->is_preview_command ? "Print the plan as one JSON document" : "Print events as JSON lines");
  flags->Text("--output", &v->output, "default, json for a summary in one line, or markdown for a report of a preview");
  if (v->kind == Kind::kImport) return;
  flags->List("-c,--config", &v->config, "Set key=value in the stack's settings first");
  flags->Switch("--config-path", &v->config_path, "Keys of --config are paths");
  flags->Switch("--expect-no-changes", &v->expect_no_changes, "Fail if there are changes");
  flags->Switch("--skip-config-validation", &v->skip_config_validation, "Do not check the settings' types");
}

void DeclareConfirmation(Flags* flags, OperationFlags* v) {
  if (v->is_preview_command) return;
  flags->Switch("-y,--yes", &v->yes, "Do not ask before going on");
  const bool has_short = v->kind != Kind::kImport;
  flags->Switch(has_short ? "-f,--skip-preview" : "--skip-preview", &v->skip_preview, "Do not preview first");
  if (v->kind != Kind::kUpdate) flags->Switch("--preview-only", &v->preview_only, "Only preview");
}

void DeclareSelection(Flags* flags, OperationFlags* v) {
  if (v->kind == Kind::kImport) return;
  flags->Section("What it applies to");
  flags->List("-t,--target", &v->targets, "Only this resource; * and ** are wildcards");
  flags->List(v->is_preview_command || v->kind != Kind::kUpdate ? "-x,--exclude" : "--exclude", &v->excludes,
              "All but this resource");
  flags->Switch("--target-dependents", &v->target_dependents, "Also what depends on the targets");
  flags->Switch("--exclude-dependents", &v->exclude_dependents, "Also leave out what depends on the excluded");
  if (v->kind == Kind::kUpdate) {
    flags->List("--replace", &v->replaces, "Replace this resource");
    flags->List("--target-replace", &v->target_replaces, "Replace this resource and touch no other");
  }
  if (v->kind == Kind::kDestroy) {
    flags->Switch("--exclude-protected", &v->exclude_protected, "Leave protected resources");
    flags->Switch("--remove", &v->remove_stack, "Remove the stack when all its resources are gone");
  }
}

void DeclareBehaviour(Flags* flags, OperationFlags* v) {
  flags->Section("How it works");
  flags->Switch("--skip-plugin-pre-install", &v->skip_plugin_pre_install,
                "Install missing plugins when they are used, not all of them before");
  if (v->kind == Kind::kImport) return;
  flags->RefuseText("--coherence-window", "coherence windows are only supported by the Pulumi Cloud backend");
  if (v->kind != Kind::kRefresh) {
    flags->OptionalText("-r,--refresh", &v->refresh, "true", "Refresh the state first");
    flags->Switch("--ignore-protect", &v->ignore_protect, "Delete and replace protected resources too");
    flags->Switch("--continue-on-error", &v->continue_on_error, "Go on with what does not depend on a failure");
  }
  flags->Switch("--run-program", &v->run_program, "Run the program, so that providers are configured as of now");
  if (v->kind == Kind::kUpdate) {
    flags->List("--policy-pack", &v->policy_packs, "Check with this policy pack", true);
    flags->List("--policy-pack-config", &v->policy_pack_configs, "Its configuration (a JSON file)", true);
    if (v->is_preview_command) {
      flags->Text("--save-plan", &v->save_plan_file, "Save the plan to this file");
      flags->Text("--import-file", &v->import_listing_file, "List what would be created in a file for 'import --file'");
    } else {
      flags->Text("--plan", &v->plan_file, "Do no more than this plan says");
      flags->Switch("--strict", &v->strict, "Do no more than the preview showed");
    }
  }
  if (v->kind == Kind::kRefresh) {
    flags->Switch("--clear-pending-creates", &v->clear_pending_creates, "Forget creations that were interrupted");
    flags->Switch("--skip-pending-creates", &v->skip_pending_creates, "Leave interrupted creations as they are");
    flags->List("--import-pending-creates", &v->import_pending_creates,
                "URN of an interrupted creation that did happen; once more with its ID");
  }
}

void DeclareImport(Flags* flags, OperationFlags* v) {
  if (v->kind != Kind::kImport) return;
  flags->Arguments("RESOURCE", &v->import_args, "One resource: its TYPE, NAME and ID; with --from-state: URNs");
  flags->Section("What to import");
  flags->Text("-f,--file", &v->import_file, "Import the resources that this JSON file lists");
  flags->Text("--parent", &v->parent, "name=URN, or the URN, of the parent");
  flags->Text("--provider", &v->provider, "name=URN, or the URN, of the provider");
  flags->List("--properties", &v->properties, "The properties to keep", true);
  flags->Switch("--protect", &v->protect, "Protect what is imported (default)");
  flags->Switch("--from-state", &v->from_state,
                "Import nothing: write the code of resources that are recorded already, all if none is named");
  flags->Switch("--generate-code", &v->generate_code, "Write the code that declares what is imported (default)");
  flags->Text("-o,--out", &v->out, "Write the code to this file instead of printing it");
  flags->Text("--from", &v->from, "A converter plugin (not supported)");
  flags->AcceptText("--generate-resources", "converters are not run");
}

void DeclareDisplay(Flags* flags, OperationFlags* v) {
  flags->Section("What it shows");
  flags->Switch("--diff", &v->diff, "Show every change property by property");
  flags->Switch("--explain", &v->show.explain, "Say under each change why it is made");
  flags->Switch("--show-secrets", &v->show_secrets, "Show secrets in clear");
  flags->Switch("--show-config", &v->show.config, "Show the configuration");
  flags->Switch("--show-replacement-steps", &v->show.replacement_steps, "Show the steps of replacements one by one");
  flags->Switch("--show-sames", &v->show.sames, "Show unchanged resources");
  flags->Switch("--show-reads", &v->show.reads, "Show resources that are only read");
  flags->Switch("--show-policy-remediations", &v->show.policy_remediations, "Show what remediations changed");
  if (v->kind == OperationKind::kUpdate) {
    flags->Switch("--show-policy-exceptions", &v->show.policy_exceptions,
                  "Show each violation of a policy that is exempted, and why");
  }
  flags->Switch("--show-full-output", &v->show.full_output, "Show long values whole");
  flags->Switch("--urns", &v->show.urns, "Show URNs instead of names");
  flags->Switch("--suppress-outputs", &v->show.suppress_outputs, "Do not show the stack's outputs");
  flags->Switch("--suppress-progress", &v->show.suppress_progress, "Do not show what is going on meanwhile");
}

void DeclarePrograms(Flags* flags, OperationFlags* v) {
  flags->Section("For programs");
  flags->Text("--client", &v->client, "host:port of a running language host");
  flags->Text("--event-log", &v->event_log, "Write engine events to this file, or to tcp://host:port");
  flags->Text("--exec-kind", &v->exec_kind, "The caller's name (kept in the history)");
  flags->OptionalList("--attach-debugger", &v->attach_debugger, "program",
                      "Let the program wait for a debugger; or =plugins, =plugin:NAME, =all");
  flags->Text("--exec-agent", &v->exec_agent, "On whose behalf (kept in the history)");
}

}  // namespace

void DeclareOperationFlags(Flags* flags, OperationFlags* v) {
  if (const auto parallel = FindEnvironment("PULUMI_PARALLEL")) v->parallel = std::atoi(parallel->c_str());
  v->run_program = IsTrueVariable("PULUMI_RUN_PROGRAM");
  v->continue_on_error = IsTrueVariable("PULUMI_CONTINUE_ON_ERROR");
  DeclareGeneral(flags, v);
  DeclareConfirmation(flags, v);
  DeclareImport(flags, v);
  DeclareSelection(flags, v);
  DeclareBehaviour(flags, v);
  DeclareDisplay(flags, v);
  DeclarePrograms(flags, v);
  flags->OptionalText("--suppress-permalink", &v->suppress_permalink, "bare",
                      "=false: Tell at the end where the state of the stack is");
  flags->Text("--override-env", &v->override_env, "Refused: environments are kept by Pulumi Cloud");
  if (v->kind != OperationKind::kImport) {
  }
  for (const char* name : {"--neo", "--neo-task-on-failure", "--copilot"}) {
    flags->AcceptSwitch(name, "there is no assistant to call");
  }
  flags->AcceptText("--secrets-provider", "the stack has one already; 'stack change-secrets-provider' changes it");
}

namespace {

// In the reference's words: the flags as it lists them, and in the order of their names.
Status NotTogether(const std::string& group, const std::string& sorted) {
  return UsageError("if any flags in the group [" + group + "] are set none of the others can be; [" + sorted +
                    "] were all set");
}

Status CheckOutput(const OperationFlags& v) {
  if (v.output != "default" && v.output != "json" && v.output != "markdown") {
    return UsageError("invalid --output value \"" + v.output + "\" (expected \"default\", \"json\" or \"markdown\")");
  }
  if (v.output != "default" && v.json) return NotTogether("json output", "json output");
  if (v.output != "markdown") return Status::Ok();
  if (!v.is_preview_command && !v.preview_only) {
    return UsageError("--output markdown reports what a preview finds: use it with preview or --preview-only");
  }
  // A report is for others to read.
  if (v.show_secrets) return UsageError("--output markdown keeps secrets masked; leave --show-secrets out");
  return Status::Ok();
}

Status CheckImportArguments(const OperationFlags& v) {
  if (v.kind != Kind::kImport || v.from_state) return Status::Ok();
  if (!v.from.empty()) return UsageError("--from is not supported: converters are not run; pass --file instead");
  if (!v.import_file.empty()) {
    return v.import_args.empty()
               ? Status::Ok()
               : UsageError("an inline resource may not be specified in conjunction with an import file");
  }
  constexpr const char* kMissing[] = {"type, name, and id", "name and id", "id"};
  const size_t given = v.import_args.size();
  if (given > std::size(kMissing)) return UsageError("only expected at most three arguments");
  if (given == std::size(kMissing)) return Status::Ok();
  return UsageError(
      std::string("an inline resource must be specified if no converter or import file is used, missing ") +
      kMissing[given]);
}

}  // namespace

Status CheckOperationFlags(const OperationFlags& v) {
  for (const std::string& target : v.attach_debugger) {
    const bool known = target == "program" || target == "plugins" || target == "all" || target.starts_with("plugin:");
    if (!known) {
      return UsageError("invalid --attach-debugger flag value: " + target +
                        " (expected program, plugins, plugin:NAME or all)");
    }
  }
  if (const Status output = CheckOutput(v); !output.ok()) return output;
  if (const Status arguments = CheckImportArguments(v); !arguments.ok()) return arguments;
  if (!v.timings.empty() && v.timings != kTimingsAsText) {
    if (const Status file = CheckTimingsFile(v.timings); !file.ok()) return file;
  }
  if (!v.targets.empty() && !v.excludes.empty()) {
    return NotTogether("target exclude", "exclude target");
  }
  if (v.exclude_protected && v.ignore_protect)
    return NotTogether("exclude-protected ignore-protect", "exclude-protected ignore-protect");
  if (v.clear_pending_creates && v.skip_pending_creates) {
    return UsageError("cannot set both --skip-pending-creates and --clear-pending-creates");
  }
  if (v.import_pending_creates.size() % 2 != 0) {
    return UsageError(
        "--import-pending-creates must be provided an even number of values: give it twice for each resource, "
        "with the URN and then with the ID");
  }
  if (!v.policy_pack_configs.empty() && v.policy_packs.empty()) {
    return UsageError("\"--policy-pack-config\" must be specified with \"--policy-pack\"");
  }
  if (!v.policy_pack_configs.empty() && v.policy_pack_configs.size() != v.policy_packs.size()) {
    return UsageError("the number of \"--policy-pack-config\" flags must match the number of \"--policy-pack\" flags");
  }
  if (!v.override_env.empty()) {
    return UsageError(
        "--override-env: environments are kept by Pulumi Cloud; put the values into the stack's "
        "configuration, or give them with --config");
  }
  if (v.preview_only && v.skip_preview) return UsageError("--skip-preview and --preview-only cannot be used together");
  if (v.preview_only && v.yes) return UsageError("--yes and --preview-only cannot be used together");
  if (v.strict && v.skip_preview) return UsageError("--strict cannot be used with --skip-preview");
  if (!v.refresh.empty() && v.refresh != "true" && v.refresh != "false") {
    return UsageError("unable to determine value for --refresh: '" + v.refresh + "' is neither true nor false");
  }
  if (v.parallel < 0) return UsageError("--parallel must not be negative");
  return Status::Ok();
}

}  // namespace kingpost
