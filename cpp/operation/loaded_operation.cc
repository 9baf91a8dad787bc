// SPDX-License-Identifier: Apache-2.0
#include "operation/loaded_operation.h"

#include <ctime>

#include "base/clock.h"
#include "base/os.h"
#include "base/random_bytes.h"
#include "languages/snippets/snippets.h"
#include "operation/stack_document.h"

namespace kingpost {

namespace {

Status CheckOrder(const StackContext& context, const Snapshot& snapshot) {
  if (context.accept_broken) return Status::Ok();
  const std::string state = "the state of stack '" + context.name.name + "'";
  if (!snapshot.integrity_error_json.empty()) {
    return Status(Code::kFailedPrecondition,
                  state + " failed an integrity check when it was written; " + context.broken_remedy);
  }
  const Status integrity = VerifyIntegrity(snapshot);
  return integrity.ok() ? integrity : integrity.Wrap(state + " is not in order (" + context.broken_remedy + ")");
}

}  // namespace

DecodeOptions LoadedOperation::decoding() const {
  DecodeOptions options;
  options.secrets = secrets.get();
  options.cache = cache.get();
  return options;
}

EncodeOptions LoadedOperation::encoding() const {
  EncodeOptions options;
  options.secrets = secrets.get();
  options.cache = cache.get();
  return options;
}

Status TakeStack(LoadedOperation* loaded, bool changes_stack) {
  loaded->start_seconds = std::time(nullptr);
  if (!changes_stack) {
    Result<std::string> document = ReadCheckpoint(loaded->context, &loaded->interrupted);
    if (!document.ok()) return document.status();
    loaded->document = std::make_shared<const std::string>(*std::move(document));
    return Status::Ok();
  }
  Result<std::unique_ptr<HeldStack>> held = HeldStack::Open(loaded->context);
  if (!held.ok()) return held.status();
  loaded->held = std::move(*held);
  loaded->document = loaded->held->shared_document();
  return Status::Ok();
}

Status LoadBase(LoadedOperation* loaded) {
  Snapshot snapshot;
  if (!loaded->document->empty()) {
    const Result<SecretsProviderRef> provider = SecretsProviderOf(loaded->context, *loaded->document);
    if (!provider.ok()) return provider.status();
    DecodeOptions decode = loaded->decoding();
    decode.text_owner = loaded->document;
    std::shared_ptr<SecretsManager> own;
    // The checkpoint names its own manager; that it is the one of `secrets` is checked by using it.
    if (!provider->type.empty() && provider->state_json != loaded->secrets->state()) {
      Result<std::shared_ptr<SecretsManager>> opened =
          OpenSecretsManager(provider->type, provider->state_json, loaded->context.passphrase, loaded->stack().name);
      if (!opened.ok()) return opened.status();
      own = std::move(*opened);
      decode.secrets = own.get();
      decode.cache = nullptr;  // its ciphertexts are of another key
    }
    Result<CheckpointDocument> checkpoint = DecodeStack(loaded->context, *loaded->document, decode);
    if (!checkpoint.ok()) return checkpoint.status();
    snapshot = std::move(checkpoint->snapshot);
    if (const Status order = CheckOrder(loaded->context, snapshot); !order.ok()) return order;
  }
  snapshot.secrets_type = loaded->secrets->type();
  snapshot.secrets_state_json = loaded->secrets->state();
  loaded->base = std::make_shared<const Snapshot>(std::move(snapshot));
  return Status::Ok();
}

void ReadEngineVariables(OperationOptions* options) {
  options->disable_provider_preview = IsTrueVariable("PULUMI_DISABLE_PROVIDER_PREVIEW");
  options->disable_resource_references = IsTrueVariable("PULUMI_DISABLE_RESOURCE_REFERENCES");
  options->disable_output_values = IsTrueVariable("PULUMI_DISABLE_OUTPUT_VALUES");
  options->legacy_diff = IsTrueVariable("PULUMI_ENABLE_LEGACY_DIFF");
  options->legacy_refresh_diff = IsTrueVariable("PULUMI_ENABLE_LEGACY_REFRESH_DIFF");
}

Operation MakeOperation(const LoadedOperation& loaded, bool preview) {
  Operation operation;
  operation.options = loaded.options;
  operation.options.preview = preview;
  for (AnalyzerSpec& pack : operation.options.policy_packs) pack.dry_run = preview;
  operation.organization = loaded.stack().organization;
  operation.project = loaded.stack().project;
  operation.stack = loaded.stack().name;
  PlainConfig config = PlainConfigOf(loaded.config);
  operation.config = std::move(config.values);
  operation.config_secret_keys = std::move(config.secret_keys);
  operation.project_root = loaded.project_root;
  operation.base = loaded.base;
  operation.plan_secrets = loaded.secrets.get();
  operation.find_sources = snippets::FindSnippets;
  operation.environment.now_rfc3339 = NowRfc3339;
  operation.environment.random_bytes = RandomBytes;
  return operation;
}

}  // namespace kingpost
