// SPDX-License-Identifier: Apache-2.0
// The names of a package and its resources in an SDK: those of the package's schema, else those of the
// conventions. Any thread.
#pragma once

#include <string>
#include <vector>

#include "languages/codegen/program.h"

namespace kingpost::codegen {

using schema::PackageOf;

struct SdkName {
  std::string import;                // "pulumi_aws", "@pulumi/aws"; "" for the core SDK
  std::vector<std::string> modules;  // "s3"; spelled for the language
  std::string type;                  // "Bucket"
};
SdkName PythonSdk(const std::string& token, const Packages& packages);
SdkName NodeSdk(const std::string& token, const Packages& packages);

// Null if it is not known.
const schema::Resource* FindSchema(const std::string& token, const Packages& packages);

// "aws:s3:Bucket" for "aws:s3/bucket:Bucket": YAML programs may say so, where the schema leaves no doubt what is meant.
std::string ShortToken(const std::string& token, const Packages& packages);

}  // namespace kingpost::codegen
