// SPDX-License-Identifier: Apache-2.0
#include "cli/operations/operation_setup.h"

#include <thread>

#include "base/command_name.h"
#include "base/json_access.h"
#include "base/os.h"
#include "cli/session/exit_code.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "cli/session/stack_lifecycle.h"
#include "cli/session/stack_menu.h"
#include "cli/session/user_files.h"
#include "operation/history_record.h"
#include "operation/import_file.h"
#include "workspace/project_config.h"
#include "workspace/stack_config.h"

namespace kingpost {

namespace {

Status SaveConfigFlags(Session& session, const OperationFlags& flags, const OperationSetup& setup) {
  if (flags.config.empty()) return Status::Ok();
  Result<StackConfig> settings = session.LoadConfig(setup.stack(), flags.config_file);
  if (!settings.ok()) return settings.status();
  for (const std::string& pair : flags.config) {
    const size_t equals = pair.find('=');
    const std::string value = equals == std::string::npos ? "" : pair.substr(equals + 1);
    const Status set = settings->SetText(pair.substr(0, equals), value, flags.config_path);
    if (!set.ok()) return set.Wrap("--config " + pair.substr(0, equals));
  }
  return settings->Save();
}

// Outside of the project: a named file, else what the last operation ran with.
Result<ConfigMap> SettingsFromAnywhere(const OperationFlags& flags, const OperationSetup& setup) {
  if (!flags.config_file.empty()) {
    const Result<StackConfig> settings = StackConfig::Load(flags.config_file, setup.stack().project);
    if (!settings.ok()) return settings.status();
    return settings->config();
  }
  return LastRecordedConfig(*setup.context.store, setup.stack());
}

Result<ConfigMap> SettingsOf(Session& session, const OperationFlags& flags, const OperationSetup& setup) {
  if (setup.synthesized_project) return SettingsFromAnywhere(flags, setup);
  const Result<StackConfig> settings = session.LoadConfig(setup.stack(), flags.config_file);
  if (!settings.ok()) return settings.status();
  return settings->config();
}

Status LoadSettings(Session& session, const OperationFlags& flags, OperationSetup* setup) {
  const Result<ConfigMap> settings = SettingsOf(session, flags, *setup);
  if (!settings.ok()) return settings.status();
  const bool validate = setup->options.run_program && !flags.skip_config_validation;
  Result<ConfigMap> merged = MergeProjectConfig(*setup->project, setup->stack().name, *settings, validate);
  if (!merged.ok()) return Fail(ExitCode::kUsage, merged.status().Wrap("validating stack config").message());
  setup->raw_config = *settings;

  Result<std::map<std::string, ConfigValue>> plain = DecryptConfig(*merged, setup->secrets.get());
  if (!plain.ok()) return plain.status().Wrap("could not decrypt the configuration");
  if (validate) {
    const Status valid = ValidateProjectConfig(*setup->project, setup->stack().name, *merged, *plain);
    if (!valid.ok()) return Fail(ExitCode::kUsage, valid.Wrap("validating stack config").message());
  }
  setup->config = std::move(*plain);
  return Status::Ok();
}

// Each value inside a secret structure is secret.
void CollectSecretTexts(const nlohmann::json& value, std::vector<std::string>* texts) {
  if (value.is_string()) {
    texts->push_back(TextIn(value));
  } else if (value.is_number()) {
    texts->push_back(value.dump());
  } else if (value.is_structured()) {
    for (const auto& part : value) CollectSecretTexts(part, texts);
  }
}

Status ReadImports(const OperationFlags& flags, OperationSetup* setup) {
  if (flags.kind != OperationKind::kImport || flags.from_state) return Status::Ok();
  Result<std::vector<ImportResource>> imports{std::vector<ImportResource>()};
  if (!flags.import_file.empty()) {
    const Result<std::string> json = ReadInput(flags.import_file);
    if (!json.ok()) return json.status().Wrap("could not read import file");
    imports = ParseImportFile(*json, setup->stack(), flags.protect, setup->secrets.get(), &setup->import_names);
  } else {
    const ImportArguments arguments{flags.import_args[0], flags.import_args[1], flags.import_args[2],
                                    flags.parent,         flags.provider,       flags.properties};
    imports = MakeImport(arguments, setup->stack(), flags.protect, &setup->import_names);
  }
  if (!imports.ok()) return imports.status();
  setup->options.imports = std::move(*imports);
  return Status::Ok();
}

Result<std::vector<AnalyzerSpec>> PolicyPacks(const OperationFlags& flags, const OperationSetup& setup) {
  std::vector<AnalyzerSpec> packs;
  const PlainConfig config = PlainConfigOf(setup.config);
  for (size_t i = 0; i < flags.policy_packs.size(); ++i) {
    AnalyzerSpec spec;
    spec.path = flags.policy_packs[i];
    if (i < flags.policy_pack_configs.size()) spec.config_path = flags.policy_pack_configs[i];
    spec.stack = setup.stack().name;
    spec.project = setup.stack().project;
    spec.organization = setup.stack().organization;
    spec.config = config.values;
    spec.config_secret_keys = config.secret_keys;
    packs.push_back(std::move(spec));
  }
  return packs;
}

OperationOptions OptionsOf(const OperationFlags& flags, const Session& session) {
  OperationOptions options;
  options.kind = flags.kind;
  options.install_plugins = !flags.skip_plugin_pre_install;
  options.run_program = flags.kind == OperationKind::kUpdate || flags.run_program;
  options.refresh = flags.WantsRefresh();
  options.refresh_program = options.refresh && flags.run_program;
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  options.parallel = flags.parallel > 0 ? flags.parallel : 4 * cores;
  options.continue_on_error = flags.continue_on_error;
  options.ignore_protect = flags.ignore_protect;
  options.exclude_protected = flags.exclude_protected;
  options.targets = flags.targets;
  options.excludes = flags.excludes;
  options.replaces = flags.replaces;
  options.target_replaces = flags.target_replaces;
  options.target_dependents = flags.target_dependents;
  options.exclude_dependents = flags.exclude_dependents;
  ReadEngineVariables(&options);
  options.show_secrets = flags.show_secrets;
  options.clear_pending_creates = flags.clear_pending_creates;
  for (size_t i = 0; i + 1 < flags.import_pending_creates.size(); i += 2) {
    options.import_pending_creates.emplace(Urn(flags.import_pending_creates[i]), flags.import_pending_creates[i + 1]);
  }
  options.save_plan = !flags.save_plan_file.empty();
  options.disable_integrity_checking = session.globals().disable_integrity_checking;
  return options;
}

}  // namespace

std::shared_ptr<const Masking> MakeMasking(const std::map<std::string, ConfigValue>& config, bool show_secrets) {
  std::vector<std::string> plaintexts;
  for (const auto& [key, value] : config) {
    if (!value.secret) continue;
    plaintexts.push_back(value.value);
    if (value.object) CollectSecretTexts(ParseJson(value.value), &plaintexts);
  }
  return std::make_shared<const Masking>(plaintexts, show_secrets, &SecretsSeen());
}

namespace {

// A named stack that does not exist may be a new one, if a user can be asked.
Result<StackName> FindStackOrMakeIt(Session& session, const OperationFlags& flags) {
  Result<StackName> stack = session.FindStack(flags.stack);
  const bool may_be_new = flags.kind == OperationKind::kUpdate && !flags.stack.empty() && session.interactive();
  if (stack.ok() || !may_be_new || stack.status().code() != Code::kNotFound) return stack;
  return OfferStack(session, flags.stack);
}

// Recorded resources can be destroyed and refreshed from any folder: then the stack's full name has the project.
Status FindProjectAndStack(Session& session, const OperationFlags& flags, OperationSetup* setup) {
  const bool runs_program = flags.kind == OperationKind::kUpdate || flags.run_program;
  const bool anywhere = !session.has_project() && !flags.stack.empty() && !runs_program;
  if (!anywhere) {
    const Result<const Project*> project = session.project();
    if (!project.ok()) return project.status();
    setup->project = *project;
  }
  const Result<StackName> stack = FindStackOrMakeIt(session, flags);
  if (!stack.ok()) return stack.status();
  if (const Status own = CheckProject(session, *stack); !own.ok()) return own;
  Result<StackContext> context = ContextOf(session, *stack);
  if (!context.ok()) return context.status();
  setup->context = std::move(*context);
  if (!anywhere) return Status::Ok();
  Project project;
  project.name = stack->project;
  setup->synthesized_project = std::make_shared<const Project>(std::move(project));
  setup->project = setup->synthesized_project.get();
  return Status::Ok();
}

// A stack of an old store does not tell its project, but what is recorded does.
void NameProjectAfterResources(OperationSetup* setup) {
  const bool is_unnamed = setup->synthesized_project && setup->synthesized_project->name.empty();
  if (!is_unnamed || setup->base->resources.empty()) return;
  Project project;
  project.name = setup->base->resources.front()->urn.project();
  setup->synthesized_project = std::make_shared<const Project>(std::move(project));
  setup->project = setup->synthesized_project.get();
}

bool IsSameManager(const SecretsManager* before, const SecretsManager& now) {
  return before && before->type() == now.type() && before->state() == now.state();
}

Result<std::shared_ptr<SecretsManager>> SecretsFor(Session& session, const OperationFlags& flags,
                                                   const OperationSetup& setup) {
  if (!setup.synthesized_project) return SecretsOfStack(session, setup.stack(), *setup.document, flags.config_file);
  Result<std::shared_ptr<SecretsManager>> secrets = SecretsOfDocument(session, setup.stack(), *setup.document);
  if (!secrets.ok() || *secrets) return secrets;
  return NewPassphraseManager(session.passphrase());  // of a stack that was never updated
}

}  // namespace

Result<OperationSetup> SetUpOperation(Session& session, const OperationFlags& flags, PreloadedStack* before,
                                      KeyCheck key_check) {
  OperationSetup setup;
  if (const Status found = FindProjectAndStack(session, flags, &setup); !found.ok()) return found;
  setup.project_root = setup.project->folder();
  setup.options = OptionsOf(flags, session);
  if (setup.project->refresh == "always" && flags.refresh.empty() && flags.kind != OperationKind::kImport) {
    setup.options.refresh = true;
  }
  if (const Status saved = SaveConfigFlags(session, flags, setup); !saved.ok()) return saved;

  const bool changes_stack = !flags.is_preview_command && !flags.preview_only;
  if (const Status taken = TakeStack(&setup, changes_stack); !taken.ok()) return WithExitCode(taken);

  Result<std::shared_ptr<SecretsManager>> secrets = SecretsFor(session, flags, setup);
  if (!secrets.ok()) return secrets.status();
  setup.secrets = std::move(*secrets);
  setup.cache = NewSecretCache();
  const bool same_secrets = before && IsSameManager(before->secrets.get(), *setup.secrets);
  if (same_secrets) {
    setup.secrets = before->secrets;
    setup.cache = before->cache;
  }
  // The key takes its time; it is derived beside what follows.
  const bool wants_key = changes_stack || !flags.derives_key_lazily;
  if (wants_key) setup.secrets->StartDerivation();
  if (const Status settings = LoadSettings(session, flags, &setup); !settings.ok()) return settings;
  if (same_secrets && before->base && *before->document == *setup.document) {
    setup.base = before->base;
  } else if (const Status base = LoadBase(&setup); !base.ok()) {
    return base;
  }
  if (before) *before = {setup.document, setup.secrets, setup.cache, setup.base};
  NameProjectAfterResources(&setup);
  if (!changes_stack) setup.document = std::make_shared<const std::string>();  // only a journal names it
  // A wrong passphrase is told before anything runs, needed or not: what is encrypted next could not be read again.
  setup.key_is_unchecked = wants_key && key_check == KeyCheck::kInRun;
  const bool checks_key = wants_key && !setup.key_is_unchecked;
  if (const Status right = checks_key ? setup.secrets->Verify() : Status::Ok(); !right.ok()) return right;
  if (const Status imports = ReadImports(flags, &setup); !imports.ok()) return imports;
  Result<std::vector<AnalyzerSpec>> packs = PolicyPacks(flags, setup);
  if (!packs.ok()) return packs.status();
  setup.options.policy_packs = std::move(*packs);
  if (!flags.plan_file.empty()) {
    Result<std::string> plan = ReadInput(flags.plan_file);
    if (!plan.ok()) return plan.status();
    if (plan->find_first_not_of(" \t\r\n") == std::string::npos) {
      return UsageError("the plan " + flags.plan_file + " is empty; write one with " +
                        QuotedCommand("preview --save-plan"));
    }
    setup.options.plan_json = std::move(*plan);
  }
  setup.masking = MakeMasking(setup.config, flags.show_secrets);
  return setup;
}

}  // namespace kingpost
