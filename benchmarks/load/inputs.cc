// SPDX-License-Identifier: Apache-2.0
#include "load/inputs.h"

#include <string>

namespace kingpost::bench {
namespace {

using google::protobuf::ListValue;
using google::protobuf::Struct;
using google::protobuf::Value;

void SetText(Struct* object, const std::string& key, const std::string& text) {
  (*object->mutable_fields())[key].set_string_value(text);
}

void SetNumber(Struct* object, const std::string& key, double number) {
  (*object->mutable_fields())[key].set_number_value(number);
}

void SetSecret(Struct* object, const std::string& key, const std::string& text) {
  Struct* secret = (*object->mutable_fields())[key].mutable_struct_value();
  SetText(secret, "4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270");  // the signature of secrets
  SetText(secret, "value", text);
}

bool SameLists(const ListValue& left, const ListValue& right) {
  if (left.values_size() != right.values_size()) return false;
  for (int i = 0; i < left.values_size(); ++i) {
    if (!Same(left.values(i), right.values(i))) return false;
  }
  return true;
}

bool SameObjects(const Struct& left, const Struct& right) {
  if (left.fields_size() != right.fields_size()) return false;
  for (const auto& [key, value] : left.fields()) {
    const auto other = right.fields().find(key);
    if (other == right.fields().end() || !Same(value, other->second)) return false;
  }
  return true;
}

}  // namespace

Struct MakeInputs(int number, int revision, bool secret) {
  const std::string suffix = std::to_string(number);
  Struct inputs;
  SetNumber(&inputs, "number", number);
  SetNumber(&inputs, "revision", revision);
  SetText(&inputs, "region", number % 2 ? "north" : "south");
  SetText(&inputs, "note", "thing " + suffix + " of a generated program: " + std::string(240, 'a' + number % 26));
  Struct* labels = (*inputs.mutable_fields())["labels"].mutable_struct_value();
  for (const char* key : {"team", "service", "stage", "owner", "cost", "tier"}) {
    SetText(labels, key, std::string(key) + "-" + suffix);
  }
  ListValue* rules = (*inputs.mutable_fields())["rules"].mutable_list_value();
  for (int i = 0; i < 5; ++i) {
    Struct* rule = rules->add_values()->mutable_struct_value();
    SetNumber(rule, "port", 8000 + number % 100 + i);
    SetText(rule, "protocol", i % 2 ? "udp" : "tcp");
    SetText(rule, "source", "10." + std::to_string(number % 256) + "." + std::to_string(i) + ".0/24");
    (*rule->mutable_fields())["open"].set_bool_value(i == 0);
  }
  if (secret) SetSecret(&inputs, "password", "correct horse " + suffix);
  return inputs;
}

Struct ObjectOf(const std::string& bytes) {
  Struct object;
  object.ParseFromString(bytes);
  return object;
}

std::string BytesOf(const Struct& object) { return object.SerializeAsString(); }

bool Same(const Value& left, const Value& right) {
  if (left.kind_case() != right.kind_case()) return false;
  switch (left.kind_case()) {
    case Value::kNumberValue:
      return left.number_value() == right.number_value();
    case Value::kStringValue:
      return left.string_value() == right.string_value();
    case Value::kBoolValue:
      return left.bool_value() == right.bool_value();
    case Value::kStructValue:
      return SameObjects(left.struct_value(), right.struct_value());
    case Value::kListValue:
      return SameLists(left.list_value(), right.list_value());
    case Value::kNullValue:
    case Value::KIND_NOT_SET:
      return true;
  }
  return false;
}

}  // namespace kingpost::bench
