// SPDX-License-Identifier: Apache-2.0
// The content of the generated resources, about 1 KiB each, and how such values compare. Deterministic.
#pragma once

#include <google/protobuf/struct.pb.h>

#include <string>

namespace kingpost::bench {

google::protobuf::Struct MakeInputs(int number, int revision, bool secret);

// Objects are fields of bytes in the messages (proto/), and read here alone.
google::protobuf::Struct ObjectOf(const std::string& bytes);
std::string BytesOf(const google::protobuf::Struct& object);

bool Same(const google::protobuf::Value& left, const google::protobuf::Value& right);

}  // namespace kingpost::bench
