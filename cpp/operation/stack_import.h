// SPDX-License-Identifier: Apache-2.0
// A deployment taken over from a document in place of what is recorded (row 6.15). Blocking.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "operation/held_stack.h"

namespace kingpost {

struct StackImport {
  std::string text;    // as `stack export` writes it
  std::string source;  // where it was read, for messages
  bool force = false;  // in spite of errors
  // The secrets manager if the text names none; called with the former checkpoint.
  std::function<Result<std::shared_ptr<SecretsManager>>(const std::string& document)> own_secrets;
  // The hint of errors that can be forced: "rerun with --force".
  std::string force_remedy;
};

Status ImportStack(const StackContext& context, StackImport import);

}  // namespace kingpost
