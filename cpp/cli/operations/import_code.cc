// SPDX-License-Identifier: Apache-2.0
#include "cli/operations/import_code.h"

#include <algorithm>
#include <set>

#include "base/command_name.h"
#include "cli/convert/import_language.h"
#include "cli/convert/plugin_schemas.h"
#include "cli/session/exit_code.h"
#include "cli/session/session.h"
#include "cli/session/stack_settings.h"
#include "cli/session/user_files.h"
#include "languages/codegen/from_states.h"
#include "languages/codegen/names.h"

namespace kingpost {

namespace {

pcl::PackageDescriptor DescriptorOf(const State& state, const Snapshot& snapshot) {
  pcl::PackageDescriptor package;
  package.name = codegen::PackageOf(state.type);
  const auto request = codegen::RecordedPlugin(state, snapshot);
  if (!request) return package;
  package.name = request->plugin;
  package.version = request->version;
  package.download_url = request->download_url;
  package.parameterization = request->parameterization;
  return package;
}

// One for each package: its resources are taken to be of one version.
std::vector<pcl::PackageDescriptor> PackagesOf(const std::vector<StatePtr>& states, const Snapshot& snapshot) {
  std::vector<pcl::PackageDescriptor> packages;
  std::set<std::string> seen;
  for (const StatePtr& state : states) {
    // The package "pulumi" is no plugin, and neither are components of the program itself.
    const bool has_package = (state->custom || !state->provider.empty()) && codegen::PackageOf(state->type) != "pulumi";
    if (has_package && seen.insert(codegen::PackageOf(state->type)).second) {
      packages.push_back(DescriptorOf(*state, snapshot));
    }
  }
  return packages;
}

// The stack's configuration, by the names that programs use.
std::map<std::string, std::string> KnownSettings(const OperationSetup& setup) {
  std::map<std::string, std::string> known;
  const std::string prefix = setup.stack().project + ":";
  for (const auto& [key, value] : setup.config) {
    if (key.rfind(prefix, 0) == 0) known[key.substr(prefix.size())] = value.value;
  }
  return known;
}

Status SaveSecrets(Session& session, const OperationFlags& flags, const OperationSetup& setup,
                   const std::map<std::string, std::string>& secrets) {
  if (secrets.empty()) return Status::Ok();
  ConfigOptions options;
  options.stack = setup.context.store->QualifiedName(setup.stack());
  options.config_file = flags.config_file;
  Result<StackSettings> settings = OpenStackSettings(session, options);
  if (!settings.ok()) return settings.status();
  std::string names;
  for (const auto& [name, value] : secrets) {
    const Status set = SetSecret(session, options, &*settings, name, value, false);
    if (!set.ok()) return set.Wrap("could not keep the secret '" + name + "'");
    names += (names.empty() ? "" : ", ") + name;
  }
  if (const Status saved = settings->config.Save(); !saved.ok()) return saved;
  session.Note("the secret inputs are now encrypted settings of the stack: " + names);
  return Status::Ok();
}

Result<codegen::GeneratedProgram> Generate(Session& session, const OperationSetup& setup, const Snapshot& snapshot,
                                           std::vector<StatePtr> states) {
  const Result<LoadedSchemas> loaded = LoadSchemas(session, *setup.project, setup.config, PackagesOf(states, snapshot));
  if (!loaded.ok()) return loaded.status();
  for (const auto& [package, reason] : loaded->failures) {
    session.Warn("the names in the generated code are guessed: no schema of the package '" + package + "' (" + reason +
                 ")");
  }
  codegen::StateSource source;
  source.states = std::move(states);
  source.snapshot = &snapshot;
  source.names = setup.import_names;
  source.packages = loaded->packages;
  source.known_settings = KnownSettings(setup);
  return codegen::ProgramOfStates(source);
}

// A preview leaves the settings alone.
void TellSettings(Session& session, const std::map<std::string, std::string>& secrets) {
  if (secrets.empty()) return;
  std::string names;
  for (const auto& [name, value] : secrets) names += (names.empty() ? "" : ", ") + name;
  session.Note("this code reads its secret inputs from settings of the stack, which a preview does not write: " +
               names + "; set them with " + QuotedCommand("config set --secret"));
}

void PrintPreviewedCode(const Session& session, const std::string& code) {
  session.Say(
      "Nothing was imported. Copied into your program, the following code imports it with the next update.\n\n");
  session.Print(code);
}

void PrintCode(const Session& session, const std::string& code, bool is_protected) {
  std::string text =
      "Copy the following code into your program. Without it, the next update deletes what was imported, or fails "
      "because it is protected.\n\n";
  if (is_protected) {
    text +=
        "The imported resources are protected: before they can be deleted, take the option `protect` away and run an "
        "update.\n\n";
  }
  session.Say(text);
  session.Print(code);
}

std::vector<StatePtr> ImportedStates(const OperationSetup& setup, const Snapshot& after) {
  std::map<Urn, StatePtr> recorded;
  for (const StatePtr& state : after.resources) {
    if (!state->pending_delete) recorded[state->urn] = state;
  }
  std::vector<StatePtr> states;
  for (const ImportResource& import : setup.options.imports) {
    const Urn urn =
        Urn::Make(setup.stack().name, setup.stack().project, import.parent.qualified_type(), import.type, import.name);
    const auto found = recorded.find(urn);
    if (found == recorded.end()) continue;
    auto state = std::make_shared<State>(*found->second);
    state->protect = import.protect;
    states.push_back(std::move(state));
  }
  return states;
}

// For the named resources, or for all that a program can declare.
Result<std::vector<StatePtr>> ChosenStates(const std::vector<std::string>& urns, const Snapshot& snapshot) {
  std::vector<StatePtr> states;
  for (const StatePtr& state : snapshot.resources) {
    const bool named = std::find(urns.begin(), urns.end(), state->urn.str()) != urns.end();
    if (codegen::IsDeclared(*state) && (urns.empty() || named)) states.push_back(state);
  }
  for (const std::string& urn : urns) {
    const bool found =
        std::any_of(states.begin(), states.end(), [&](const StatePtr& state) { return state->urn.str() == urn; });
    if (found) continue;
    return Fail(ExitCode::kFailed, "the state has no resource " + urn + " that a program can declare; " +
                                       QuotedCommand("stack --show-urns") + " lists the stack's resources");
  }
  if (states.empty()) return Fail(ExitCode::kFailed, "the stack has no resources that a program could declare");
  return states;
}

// "" if there is nothing to declare.
Result<std::string> CodeOf(Session& session, const OperationFlags& flags, const OperationSetup& setup,
                           const Snapshot& snapshot, std::vector<StatePtr> states) {
  if (states.empty()) return std::string();
  const Result<codegen::GeneratedProgram> generated = Generate(session, setup, snapshot, std::move(states));
  if (!generated.ok()) return generated.status();
  Result<std::string> code = WriteProgram(session, generated->program, *setup.project);
  if (!code.ok()) return code;
  if (flags.preview_only && !flags.from_state) {
    TellSettings(session, generated->settings);
  } else if (const Status saved = SaveSecrets(session, flags, setup, generated->settings); !saved.ok()) {
    return saved;
  }
  for (const std::string& note : generated->notes) session.Warn(note);
  return code;
}

}  // namespace

Status PrintImportedCode(Session& session, const OperationFlags& flags, const OperationSetup& setup,
                         const Snapshot& after) {
  if (!flags.generate_code) {
    if (!flags.out.empty()) session.Warn("--out " + flags.out + " is not written, for --generate-code is false");
    return Status::Ok();
  }
  // The import has happened: that its code could not be written does not make it a failure.
  Result<std::string> code = CodeOf(session, flags, setup, after, ImportedStates(setup, after));
  if (!code.ok()) {
    session.Warn((flags.preview_only ? "the code is not written: "
                                     : "the resources are imported, but their code is not written: ") +
                 code.status().message());
    code = std::string();
  }
  if (!flags.out.empty()) return WriteOutput(flags.out, *code);
  if (code->empty() || flags.for_programs()) return Status::Ok();
  if (flags.preview_only) {
    PrintPreviewedCode(session, *code);
  } else {
    PrintCode(session, *code, flags.protect);
  }
  return Status::Ok();
}

Status RunImportFromState(Session& session, OperationFlags flags) {
  if (!flags.import_file.empty() || !flags.parent.empty() || !flags.provider.empty() || !flags.properties.empty()) {
    return UsageError("--from-state imports nothing: it goes with URNs and --out alone");
  }
  flags.preview_only = true;  // the stack stays as it is
  const Result<OperationSetup> setup = SetUpOperation(session, flags);
  if (!setup.ok()) return setup.status();
  Result<std::vector<StatePtr>> states = ChosenStates(flags.import_args, *setup->base);
  if (!states.ok()) return states.status();
  const Result<std::string> code = CodeOf(session, flags, *setup, *setup->base, std::move(*states));
  if (!code.ok()) return code.status();
  if (!flags.out.empty()) return WriteOutput(flags.out, *code);
  session.Print(*code);
  return Status::Ok();
}

}  // namespace kingpost
