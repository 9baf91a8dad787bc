// SPDX-License-Identifier: Apache-2.0
#include "operation/empty_document.h"

#include "model/deployment_json.h"
#include "operation/stack_context.h"

namespace kingpost {

Result<std::string> EmptyDocument(const std::string& qualified_name, SecretsManager* secrets) {
  CheckpointDocument empty;
  empty.stack = qualified_name;
  EncodeOptions encode;
  if (secrets) {
    empty.has_latest = true;
    encode.secrets = secrets;
    if (const Status sealed = SealSnapshot(CurrentSealOptions("stack init"), &empty.snapshot); !sealed.ok())
      return sealed;
  }
  return EncodeCheckpoint(empty, encode);
}

}  // namespace kingpost
