// SPDX-License-Identifier: Apache-2.0
// The document of a stack from the command line: what operation/ does, for the store and the person of a session.
#pragma once

#include <memory>
#include <string>

#include "cli/session/session.h"
#include "operation/held_stack.h"
#include "operation/stack_document.h"

namespace kingpost {

Result<StackContext> ContextOf(Session& session, const StackName& name);

Result<std::unique_ptr<HeldStack>> HoldStack(Session& session, const StackName& name,
                                             const HoldOptions& options = HoldOptions());

// If the stack has gone meanwhile, the exit status says so, too.
Status WithExitCode(const Status& status);

// As in operation/stack_document.h.
Result<std::string> ReadCheckpoint(Session& session, const StackName& name);
Result<CheckpointDocument> DecodeStack(Session& session, const StackName& name, const std::string& document,
                                       const DecodeOptions& options);
Result<std::shared_ptr<SecretsManager>> SecretsOfDocument(Session& session, const StackName& name,
                                                          const std::string& document);

// The result of ReadCheckpoint, decoded; no resources if the stack has never been deployed. Secrets stay sealed
// unless they are to be shown, for which the passphrase is needed.
Result<Snapshot> ReadSnapshot(Session& session, const StackName& name, bool show_secrets = false);

// The secrets manager of this stack: that of its settings, else that of its checkpoint, else a new passphrase
// manager, whose salt is then written to the settings.
Result<std::shared_ptr<SecretsManager>> SecretsOfStack(Session& session, const StackName& name,
                                                       const std::string& document,
                                                       const std::string& config_file = "");

// The recorded outputs of the root stack.
PropertyMap OutputsOfStack(const Snapshot& snapshot);

// "2026-11-21T01:39:29.000Z" of Unix milliseconds, as the Automation API parses times.
std::string ApiTime(int64_t unix_ms);

}  // namespace kingpost
