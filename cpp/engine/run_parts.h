// SPDX-License-Identifier: Apache-2.0
// Whom the phases of a run work with. All of it belongs to the deployment and lives as long as that.
#pragma once

#include "base/loop.h"
#include "engine/run.h"

namespace kingpost::providers {
class ProviderRegistry;
}

namespace kingpost::engine {

class Hooks;
class Recording;
class Reporter;
class Views;

struct RunParts {
  Loop& loop;
  const Operation& operation;
  Run& run;
  Reporter& report;
  Recording& recording;
  providers::ProviderRegistry& providers;
  Hooks& hooks;
  Views& views;
};

}  // namespace kingpost::engine
