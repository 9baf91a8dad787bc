// SPDX-License-Identifier: Apache-2.0
#include "operation/basis.h"

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

DecodeOptions OperationBasis::decoding() const {
  DecodeOptions options;
  options.secrets = secrets.get();
  options.cache = cache.get();
  return options;
}

EncodeOptions OperationBasis::encoding() const {
  EncodeOptions options;
  options.secrets = secrets.get();
  options.cache = cache.get();
  return options;
}

Status TakeStack(OperationBasis* basis, bool changes_stack) {
  basis->start_seconds = std::time(nullptr);
  if (!changes_stack) {
    Result<std::string> document = ReadCheckpoint(basis->context);
    if (!document.ok()) return document.status();
    basis->document = std::make_shared<const std::string>(*std::move(document));
    return Status::Ok();
  }
  Result<std::unique_ptr<HeldStack>> held = HeldStack::Open(basis->context);
  if (!held.ok()) return held.status();
  basis->held = std::move(*held);
  basis->document = basis->held->shared_document();
  return Status::Ok();
}

Status LoadBase(OperationBasis* basis) {
  Snapshot snapshot;
  if (!basis->document->empty()) {
    const Result<SecretsProviderRef> provider = SecretsProviderOf(basis->context, *basis->document);
    if (!provider.ok()) return provider.status();
    DecodeOptions decode = basis->decoding();
    decode.keeper = basis->document;
    std::shared_ptr<SecretsManager> own;
    // The checkpoint names its own manager; that it is the one of `secrets` is checked by using it.
    if (!provider->type.empty() && provider->state_json != basis->secrets->state()) {
      Result<std::shared_ptr<SecretsManager>> opened =
          OpenSecretsManager(provider->type, provider->state_json, basis->context.passphrase, basis->stack().name);
      if (!opened.ok()) return opened.status();
      own = std::move(*opened);
      decode.secrets = own.get();
      decode.cache = nullptr;  // its ciphertexts are of another key
    }
    Result<CheckpointDocument> checkpoint = DecodeStack(basis->context, *basis->document, decode);
    if (!checkpoint.ok()) return checkpoint.status();
    snapshot = std::move(checkpoint->snapshot);
    if (const Status order = CheckOrder(basis->context, snapshot); !order.ok()) return order;
  }
  snapshot.secrets_type = basis->secrets->type();
  snapshot.secrets_state_json = basis->secrets->state();
  basis->base = std::make_shared<const Snapshot>(std::move(snapshot));
  return Status::Ok();
}

void ReadEngineVariables(OperationOptions* options) {
  options->disable_provider_preview = IsTrueVariable("PULUMI_DISABLE_PROVIDER_PREVIEW");
  options->disable_resource_references = IsTrueVariable("PULUMI_DISABLE_RESOURCE_REFERENCES");
  options->disable_output_values = IsTrueVariable("PULUMI_DISABLE_OUTPUT_VALUES");
  options->legacy_diff = IsTrueVariable("PULUMI_ENABLE_LEGACY_DIFF");
  options->legacy_refresh_diff = IsTrueVariable("PULUMI_ENABLE_LEGACY_REFRESH_DIFF");
}

Operation MakeOperation(const OperationBasis& basis, bool preview) {
  Operation operation;
  operation.options = basis.options;
  operation.options.preview = preview;
  for (AnalyzerSpec& pack : operation.options.policy_packs) pack.dry_run = preview;
  operation.organization = basis.stack().organization;
  operation.project = basis.stack().project;
  operation.stack = basis.stack().name;
  PlainConfig config = PlainConfigOf(basis.config);
  operation.config = std::move(config.values);
  operation.config_secret_keys = std::move(config.secret_keys);
  operation.project_root = basis.project_root;
  operation.base = basis.base;
  operation.plan_secrets = basis.secrets.get();
  operation.find_sources = snippets::FindSnippets;
  operation.environment.now_rfc3339 = NowRfc3339;
  operation.environment.random_bytes = RandomBytes;
  return operation;
}

}  // namespace kingpost
