// SPDX-License-Identifier: Apache-2.0
// A stack as the Python module keeps it between operations: its store, who encrypts for it, what is recorded. One
// operation at a time; the store's lock sees to that. Previews and exports take no lock and may come at any time, on
// any thread. Blocking; never called with the GIL held.
#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "journal/journal.h"
#include "kingpost/secrets_manager.h"
#include "kingpost/state_store.h"
#include "model/deployment_json.h"

namespace kingpost::python {

struct SessionOptions {
  std::string project, stack, organization = kDiyOrganization;
  std::string backend = "memory";
  std::optional<std::string> passphrase;  // none: the environment's; in memory one made up for this process
};

class Session {
 public:
  static Result<std::shared_ptr<Session>> Open(SessionOptions options);

  // What an operation starts from.
  struct Base {
    std::unique_ptr<StackLock> lock;  // null for previews
    std::string document;
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<SecretsManager> secrets;
  };
  Result<Base> Begin(bool preview);
  // Saves what the operation left, or if nothing has changed only removes the journal (journal/finish.h).
  Status Finish(const Base& base, const std::string& word, std::optional<Snapshot> snapshot, Journal& journal);
  void Remember(const std::string& history_record);
  // That of the last record; empty if there is none.
  nlohmann::json LastConfig();

  Result<std::unique_ptr<Journal>> OpenJournal(const Base& base, const std::string& word);
  // Another stack of the same store, for stack references. Its passphrase must be this one's.
  Result<std::shared_ptr<const Snapshot>> LoadOther(const std::string& name);
  // The state as `kingpost stack export` prints it, secrets encrypted.
  Result<std::string> Export();

  const StackName& name() const { return name_; }

 private:
  Session(StackName name, std::shared_ptr<StateStore> store, std::shared_ptr<PassphraseSource> passphrase);
  Status Recover(StackLock& lock);
  Result<StackDocument> Read();
  Result<Snapshot> Decode(const std::string& document, SecretsManager& secrets);
  Result<std::shared_ptr<SecretsManager>> ChooseSecrets(const std::string& document);
  EncodeOptions EncodingWith(SecretsManager& secrets) const;

  const StackName name_;
  const std::shared_ptr<StateStore> store_;
  const std::shared_ptr<PassphraseSource> passphrase_;
  const std::shared_ptr<SecretCache> cache_;
  std::mutex mutex_;
  std::shared_ptr<SecretsManager> secrets_;  // of the last to begin; guarded by mutex_
};

}  // namespace kingpost::python
