// SPDX-License-Identifier: Apache-2.0
#include "bindings/session.h"

#include <map>

#include "operation/history_record.h"
#include "operation/stack_document.h"
#include "secrets/aes_gcm.h"

namespace kingpost::python {

namespace {

constexpr int kPassphraseBytes = 24;

bool InMemory(const std::string& url) { return url == "memory" || url.rfind("mem://", 0) == 0; }

// "memory" is a store of its own; stacks that name the same mem://NAME share one.
Result<std::shared_ptr<StateStore>> OpenShared(const std::string& url) {
  static std::mutex mutex;
  static auto& named = *new std::map<std::string, std::shared_ptr<StateStore>>();
  if (!InMemory(url) || url == "memory" || url == "mem://") {
    Result<std::unique_ptr<StateStore>> store = OpenStore(url);
    if (!store.ok()) return store.status();
    return std::shared_ptr<StateStore>(std::move(*store));
  }
  const std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<StateStore>& store = named[url];
  if (!store) store = NewMemoryStore();
  return store;
}

std::shared_ptr<PassphraseSource> ChoosePassphrase(const SessionOptions& options) {
  if (options.passphrase) return FixedPassphrase(*options.passphrase);
  if (!InMemory(options.backend)) return EnvironmentPassphrase(false);
  static const auto& made_up = *new std::string(RandomBytes(kPassphraseBytes));
  return FixedPassphrase(made_up);
}

}  // namespace

Session::Session(StackName name, std::shared_ptr<StateStore> store, std::shared_ptr<PassphraseSource> passphrase)
    : name_(std::move(name)), store_(std::move(store)), passphrase_(std::move(passphrase)), cache_(NewSecretCache()) {}

Result<std::shared_ptr<Session>> Session::Open(SessionOptions options) {
  if (const Status valid = ValidateProjectName(options.project); !valid.ok()) return valid;
  if (const Status valid = ValidateStackName(options.stack); !valid.ok()) return valid;
  StackName name;
  name.organization = options.organization;
  name.project = options.project;
  name.name = options.stack;
  Result<std::shared_ptr<StateStore>> store = OpenShared(options.backend);
  if (!store.ok()) return store.status();
  return std::shared_ptr<Session>(new Session(std::move(name), std::move(*store), ChoosePassphrase(options)));
}

// The manager that the document names, kept from one operation to the next, or a new one for a new stack. Whoever comes
// second while a key is being derived waits for that one.
Result<std::shared_ptr<SecretsManager>> Session::ChooseSecrets(const OperationBasis& basis) {
  const Result<SecretsProviderRef> provider = SecretsProviderOf(basis.context, basis.document);
  if (!provider.ok()) return provider.status();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (provider->type.empty()) {
    if (secrets_) return secrets_;
    Result<std::shared_ptr<SecretsManager>> made = NewPassphraseManager(passphrase_);
    if (!made.ok()) return made.status();
    (*made)->StartDerivation();
    secrets_ = *made;
    return made;
  }
  if (secrets_ && secrets_->type() == provider->type && secrets_->state() == provider->state_json) return secrets_;
  Result<std::shared_ptr<SecretsManager>> opened =
      OpenSecretsManager(provider->type, provider->state_json, passphrase_, name_.name);
  if (!opened.ok()) return opened.status();
  if (const Status right = (*opened)->Verify(); !right.ok()) return right;
  secrets_ = *opened;
  return opened;
}

Result<OperationBasis> Session::Begin(bool preview, Attendant& attendant) {
  OperationBasis basis;
  basis.context.store = store_.get();
  basis.context.name = name_;
  basis.context.passphrase = passphrase_;
  basis.context.attendant = &attendant;
  basis.context.program = "kingpost (Python)";
  basis.cache = cache_;
  if (const Status taken = TakeStack(&basis, !preview); !taken.ok()) return taken;
  Result<std::shared_ptr<SecretsManager>> secrets = ChooseSecrets(basis);
  if (!secrets.ok()) return secrets.status();
  basis.secrets = std::move(*secrets);
  if (const Status loaded = LoadBase(&basis); !loaded.ok()) return loaded;
  return basis;
}

ConfigMap Session::LastConfig() {
  Result<ConfigMap> config = LastRecordedConfig(*store_, name_);
  return config.ok() ? std::move(*config) : ConfigMap();
}

Result<std::string> Session::Export() {
  std::vector<EngineEvent> unheard;  // a text has no place for notes
  Listener listener(&unheard);
  const Result<OperationBasis> basis = Begin(true, listener);
  if (!basis.ok()) return basis.status();
  return EncodeExport(*basis->base, basis->encoding());
}

void Listener::Tell(Severity severity, const std::string& text) {
  DiagnosticEvent event;
  event.severity = severity;
  event.message = text;
  events_->push_back(std::move(event));
}

}  // namespace kingpost::python
