// SPDX-License-Identifier: Apache-2.0
#include "plugins/core_package.h"

namespace kingpost {

namespace {

constexpr char kCoreSchema[] = R"({
  "name": "pulumi",
  "displayName": "Pulumi",
  "version": "3.0.0",
  "resources": {
    "pulumi:index:Stash": {
      "description": "A value that is kept in the state.",
      "properties": {
        "input": {"$ref": "pulumi.json#/Any", "description": "The value that was given last."},
        "output": {"$ref": "pulumi.json#/Any", "description": "The value that is kept."}
      },
      "required": ["input", "output"],
      "inputProperties": {"input": {"$ref": "pulumi.json#/Any", "description": "The value to keep."}},
      "requiredInputs": ["input"]
    },
    "pulumi:pulumi:StackReference": {
      "description": "The outputs of another stack.",
      "properties": {
        "name": {"type": "string"},
        "outputs": {"type": "object", "additionalProperties": {"$ref": "pulumi.json#/Any"}},
        "secretOutputNames": {"type": "object", "additionalProperties": {"type": "string"}}
      },
      "required": ["outputs"],
      "inputProperties": {"name": {"type": "string", "description": "ORGANIZATION/PROJECT/STACK"}}
    }
  },
  "provider": {},
  "language": {"go": {"importBasePath": "github.com/pulumi/pulumi/sdk/v3/go/pulumi"}}
})";

}  // namespace

std::string CorePackageSchema() { return kCoreSchema; }

}  // namespace kingpost
