// SPDX-License-Identifier: Apache-2.0
// The package "pulumi", served in process (rows 2.22 to 2.25): StackReference, Stash, and the invokes
// readStackOutputs, readStackResourceOutputs and getResource. Engine thread.
#pragma once

#include "decisions/rows.h"
#include "engine/providers/notices.h"
#include "kingpost/engine.h"

namespace kingpost::providers {

ProviderPtr MakeBuiltins(const Operation& operation, const decisions::Rows& rows, Notices& notices);

}  // namespace kingpost::providers
