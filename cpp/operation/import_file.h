// SPDX-License-Identifier: Apache-2.0
// The resources to import, from the command line or from a file (row 6.10): names resolved to URNs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "kingpost/engine.h"
#include "kingpost/secrets_manager.h"
#include "kingpost/state_store.h"

namespace kingpost {

// All problems of the file in one message. `secrets` decrypts what is encrypted in inputs and outputs. `names` gets
// what the variables of the resources, their parents and providers are to be called.
Result<std::vector<ImportResource>> ParseImportFile(const std::string& json, const StackName& stack, bool protect,
                                                    SecretsManager* secrets,
                                                    std::map<Urn, std::string>* names = nullptr);

// One resource: TYPE NAME ID with --parent, --provider and --properties.
struct ImportArguments {
  std::string type, name, id, parent, provider;
  std::vector<std::string> properties;
};
Result<std::vector<ImportResource>> MakeImport(const ImportArguments& arguments, const StackName& stack, bool protect,
                                               std::map<Urn, std::string>* names = nullptr);

}  // namespace kingpost
