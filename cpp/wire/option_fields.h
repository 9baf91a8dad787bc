// SPDX-License-Identifier: Apache-2.0
// Options <-> the fields of messages that carry them, by the names of model/resource_fields.h. Any thread.
#pragma once

#include "wire/wire.h"

#include <array>
#include <string_view>

#include "kingpost/provider_values.h"
#include "kingpost/registration.h"
#include "model/resource_fields.h"
#include "wire/convert.h"

namespace kingpost {

// For each row of the table the field of one message; null where the message has none.
using OptionFields = std::array<const google::protobuf::FieldDescriptor*, kResourceFields>;

// Which of a row's names are those of the message.
enum class OptionNames { kRequest, kConstruct, kOptions };

// A name that the message does not know is a mistake in the table, or in proto/.
OptionFields FindOptionFields(const google::protobuf::Descriptor* message, OptionNames names);

// Looked for once.
template <class Message, OptionNames names>
const OptionFields& OptionFieldsOf() {
  static const OptionFields fields = FindOptionFields(Message::descriptor(), names);
  return fields;
}

// A field that the message does not carry becomes unset. `values` are for the trigger.
Status ReadOptionFields(const google::protobuf::Message& message, const OptionFields& fields, const WireOptions& values,
                        RegisterResourceRequest* request);

Status WriteOptionFields(const RegisterResourceRequest& request, const OptionFields& fields, const WireOptions& values,
                         google::protobuf::Message* message);
Status WriteOptionFields(const ConstructRequest& request, const OptionFields& fields, const WireOptions& values,
                         google::protobuf::Message* message);
// The recorded options in the form for hooks: all but the trigger.
void WriteOptionFields(const State& state, const OptionFields& fields, google::protobuf::Message* message);

}  // namespace kingpost
