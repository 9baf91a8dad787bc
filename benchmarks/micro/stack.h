// SPDX-License-Identifier: Apache-2.0
// A stack in memory like those of the generated program: resources of about 1 KiB, every fourth with a secret, in
// layers.
#pragma once

#include "wire/wire.h"

#include <memory>
#include <vector>

#include "kingpost/secrets_manager.h"
#include "model/snapshot.h"

namespace kingpost::bench {

inline constexpr int kResources = 1000;

PropertyMap InputsOf(int number, int revision = 0);
std::shared_ptr<SecretsManager> Secrets();
Snapshot MakeStack(int count = kResources);

}  // namespace kingpost::bench
