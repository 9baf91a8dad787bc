// SPDX-License-Identifier: Apache-2.0
// What the generated resources are made of, about 1 KiB each, and how such values compare. Deterministic.
#pragma once

#include <google/protobuf/struct.pb.h>

namespace kingpost::bench {

google::protobuf::Struct MakeInputs(int number, int revision, bool secret);

bool Same(const google::protobuf::Value& left, const google::protobuf::Value& right);

}  // namespace kingpost::bench
