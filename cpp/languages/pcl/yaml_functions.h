// SPDX-License-Identifier: Apache-2.0
// Functions as programs in YAML have them, which convert nothing by themselves and tell mistakes in the reference's
// words. The table of builtins.h names them. Any thread.
#pragma once

#include <vector>

#include "model/value.h"

namespace kingpost::pcl {
struct EvaluationContext;  // evaluator.h
}

namespace kingpost::pcl::yaml_functions {

using Values = std::vector<Value>;

Result<Value> Join(const EvaluationContext& around, const Values& v);
Result<Value> Split(const EvaluationContext& around, const Values& v);
Result<Value> Select(const EvaluationContext& around, const Values& v);
Result<Value> ToBase64(const EvaluationContext& around, const Values& v);
Result<Value> FromBase64(const EvaluationContext& around, const Values& v);
Result<Value> Sha1(const EvaluationContext& around, const Values& v);
Result<Value> Length(const EvaluationContext& around, const Values& v);
Result<Value> SingleOrNone(const EvaluationContext& around, const Values& v);
Result<Value> FileBase64(const EvaluationContext& around, const Values& v);
Result<Value> FileBase64Sha256(const EvaluationContext& around, const Values& v);
Result<Value> StringAsset(const EvaluationContext& around, const Values& v);
Result<Value> FileAsset(const EvaluationContext& around, const Values& v);
Result<Value> RemoteAsset(const EvaluationContext& around, const Values& v);
Result<Value> FileArchive(const EvaluationContext& around, const Values& v);
Result<Value> RemoteArchive(const EvaluationContext& around, const Values& v);
Result<Value> AssetArchive(const EvaluationContext& around, const Values& v);

}  // namespace kingpost::pcl::yaml_functions
