// SPDX-License-Identifier: Apache-2.0
// The secrets manager of a session's stack.
#include "base/random_bytes.h"
#include "bindings/session.h"
#include "operation/secrets_change.h"
#include "operation/stack_document.h"
#include "secrets/cloud_manager.h"
#include "workspace/project.h"

namespace kingpost::python {

namespace {

constexpr int kPassphraseBytes = 24;

// Derives its key with the first secret; until then a record names nobody who encrypts. For records that do not leave
// this process: to derive a key takes longer than all else that the first update of a small stack does. Any thread.
class LateSecrets final : public SecretsManager {
 public:
  explicit LateSecrets(std::shared_ptr<PassphraseSource> passphrase) : passphrase_(std::move(passphrase)) {}

  std::string type() const override { return Derived() ? Derived()->type() : ""; }
  std::string state() const override { return Derived() ? Derived()->state() : ""; }
  Result<std::string> Encrypt(const std::string& plaintext) override {
    const auto derived = Derive();
    return derived.ok() ? (*derived)->Encrypt(plaintext) : derived.status();
  }
  Result<std::string> Decrypt(const std::string& ciphertext) override {
    const auto derived = Derive();
    return derived.ok() ? (*derived)->Decrypt(ciphertext) : derived.status();
  }

 private:
  std::shared_ptr<SecretsManager> Derived() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return derived_;
  }

  Result<std::shared_ptr<SecretsManager>> Derive() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (derived_) return derived_;
    Result<std::shared_ptr<SecretsManager>> made = NewPassphraseManager(passphrase_);
    if (made.ok()) derived_ = *made;
    return made;
  }

  const std::shared_ptr<PassphraseSource> passphrase_;
  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<SecretsManager> derived_;
};

std::shared_ptr<PassphraseSource> MadeUpPassphrase() {
  static const auto& made_up = *new std::shared_ptr<PassphraseSource>(FixedPassphrase(RandomBytes(kPassphraseBytes)));
  return made_up;
}

// The key of all stacks in memory without a passphrase: one in the life of the process, if any.
std::shared_ptr<SecretsManager> MadeUpSecrets() {
  static const auto& secrets = *new std::shared_ptr<SecretsManager>(std::make_shared<LateSecrets>(MadeUpPassphrase()));
  return secrets;
}

std::shared_ptr<PassphraseSource> ChoosePassphrase(const SessionOptions& options) {
  if (options.passphrase) return FixedPassphrase(*options.passphrase);
  return InMemory(options.backend) ? MadeUpPassphrase() : EnvironmentPassphrase(false);
}

std::string NameOf(const SecretsManager& manager) {
  const std::string url = CloudSecretsOf(manager).url;
  return url.empty() ? manager.type() : url;
}

// A stack keeps its provider until the user changes it. Otherwise another one in the arguments of opening would be
// ignored, or would silently encrypt every secret anew.
Status CheckAsked(const std::string& asked, const SecretsManager& found, const std::string& stack) {
  if (asked.empty()) return Status::Ok();
  const std::string name = NameOf(found);
  if (IsPassphraseProvider(asked) ? name == "passphrase" : name == asked) return Status::Ok();
  return Status(Code::kFailedPrecondition, "the secrets of stack '" + stack + "' are encrypted by " + name +
                                               ", not by " + asked + "; call stack.change_secrets_provider('" + asked +
                                               "') to change that");
}

}  // namespace

Session::Session(StackName name, std::shared_ptr<StateStore> store, const SessionOptions& options)
    : name_(std::move(name)),
      store_(std::move(store)),
      patience_(options.patience ? options.patience : std::make_shared<StorePatience>()),
      passphrase_(ChoosePassphrase(options)),
      late_key_(InMemory(options.backend)),
      secrets_provider_(options.secrets_provider),
      cache_(NewSecretCache()) {}

std::shared_ptr<PassphraseSource> Session::passphrase() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return passphrase_;
}

// The manager that the document names, kept from one operation to the next, or a new one for a new stack. A second
// caller waits while a key is being derived.
Result<std::shared_ptr<SecretsManager>> Session::ChooseSecrets(const StackContext& context, const std::string& document,
                                                               StackConfig* settings) {
  const Result<SecretsProviderRef> provider = SecretsProviderOf(context, document);
  if (!provider.ok()) return Damaged(provider.status());
  const std::lock_guard<std::mutex> lock(mutex_);
  if (provider->type.empty()) return SecretsOfNewStack(settings);
  for (const auto& known : {secrets_, passphrase_ == MadeUpPassphrase() ? MadeUpSecrets() : nullptr}) {
    if (known && known->type() == provider->type && known->state() == provider->state_json) return secrets_ = known;
  }
  Result<std::shared_ptr<SecretsManager>> opened =
      OpenSecretsManager(provider->type, provider->state_json, passphrase_, name_.name);
  if (!opened.ok()) return opened.status();
  if (const Status asked = CheckAsked(secrets_provider_, **opened, name_.name); !asked.ok()) return asked;
  if (const Status right = (*opened)->Verify(); !right.ok()) return right;
  secrets_ = *opened;
  return opened;
}

Result<std::shared_ptr<SecretsManager>> Session::SecretsOfNewStack(StackConfig* settings) {
  if (secrets_) return secrets_;
  Result<std::shared_ptr<SecretsManager>> made{std::shared_ptr<SecretsManager>()};
  if (settings) made = SecretsOfSettings(settings, passphrase_, name_.name);
  if (!made.ok()) return made;
  if (*made) {
    if (const Status asked = CheckAsked(secrets_provider_, **made, name_.name); !asked.ok()) return asked;
  } else if (late_key_ && IsPassphraseProvider(secrets_provider_)) {
    made = passphrase_ == MadeUpPassphrase() ? MadeUpSecrets() : std::make_shared<LateSecrets>(passphrase_);
  } else {
    made = NewSecretsManager(secrets_provider_, passphrase_);
  }
  if (!made.ok()) return made;
  (*made)->StartDerivation();
  secrets_ = *made;
  return made;
}

Status Session::ChangeSecretsProvider(const std::string& provider, std::optional<std::string> passphrase,
                                      const std::string& project_folder) {
  if (const Status known = CheckProviderName(provider); !known.ok()) return known;
  if (const Status known = MustExist(); !known.ok()) return known;
  Listener listener(Unheard());
  StackContext context = ContextFor(listener);
  context.known = true;
  Result<std::unique_ptr<HeldStack>> held = HeldStack::Open(std::move(context));
  if (!held.ok()) return held.status();

  SecretsChange change;
  change.provider = provider;
  change.new_passphrase = passphrase ? FixedPassphrase(*passphrase) : this->passphrase();
  std::optional<StackConfig> settings;
  if (!project_folder.empty()) {
    const Result<Project> project = Project::FindAndLoad(project_folder);
    if (!project.ok()) return project.status();
    Result<StackConfig> found = StackConfig::Load(project->StackConfigFile(name_.name), project->name);
    if (!found.ok()) return found.status();
    settings = std::move(*found);
    auto own = SecretsOfSettings(&*settings, this->passphrase(), name_.name);
    if (!own.ok()) return own.status();
    change.settings = &*settings;
    change.settings_secrets = std::move(*own);
  }
  const auto changed = ChangeSecrets(held->get(), change);
  if (!changed.ok()) return changed.status();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    passphrase_ = change.new_passphrase;
    secrets_provider_ = provider;
    secrets_ = *changed;
    cache_ = NewSecretCache();  // what it knows are ciphertexts of the old key
  }
  return (*held)->Release();
}

}  // namespace kingpost::python
