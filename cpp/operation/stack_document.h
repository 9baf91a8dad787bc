// SPDX-License-Identifier: Apache-2.0
// The document of a stack: read without holding it, decoded, and who encrypted what is in it. Blocking; any thread.
#pragma once

#include <memory>
#include <string>

#include "model/deployment_json.h"
#include "operation/stack_context.h"

namespace kingpost {

// The checkpoint without holding the stack, for those who only read. If a crash left a journal, what it comes to is
// worked out in memory and the user is told; nothing is written. "" if the stack has never been deployed.
// `*interrupted` says whether there was one.
Result<std::string> ReadCheckpoint(const StackContext& context, bool* interrupted = nullptr);

// The contents of a document. A file that is there and empty lost what was in it; it is no new stack.
Result<std::string> ContentsOf(StackDocument document);

// Errors name the file, and the repair where it helps.
Result<CheckpointDocument> DecodeStack(const StackContext& context, const std::string& document,
                                       const DecodeOptions& options);

// Whom a document names as who encrypted it. The type is empty if it names nobody.
Result<SecretsProviderRef> SecretsProviderOf(const StackContext& context, const std::string& document);

// The secrets manager of a document; null if there is none.
Result<std::shared_ptr<SecretsManager>> SecretsOfDocument(const StackContext& context, const std::string& document);

}  // namespace kingpost
