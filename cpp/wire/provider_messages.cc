// SPDX-License-Identifier: Apache-2.0
#include "wire/provider_messages.h"

#include <map>

#include "model/deployment_json.h"

namespace kingpost {

namespace {

void AppendJson(const google::protobuf::Value& value, std::string* out);

void AppendJson(const google::protobuf::Struct& object, std::string* out) {
  std::map<std::string_view, const google::protobuf::Value*> sorted;
  for (const auto& [key, value] : object.fields()) sorted.emplace(key, &value);
  *out += '{';
  const char* separator = "";
  for (const auto& [key, value] : sorted) {
    *out += separator;
    separator = ",";
    AppendJsonString(key, out);
    *out += ':';
    AppendJson(*value, out);
  }
  *out += '}';
}

void AppendJson(const google::protobuf::ListValue& list, std::string* out) {
  *out += '[';
  const char* separator = "";
  for (const auto& value : list.values()) {
    *out += separator;
    separator = ",";
    AppendJson(value, out);
  }
  *out += ']';
}

void AppendJson(const google::protobuf::Value& value, std::string* out) {
  using Kind = google::protobuf::Value;
  switch (value.kind_case()) {
    case Kind::kNullValue:
    case Kind::KIND_NOT_SET:
      *out += "null";
      return;
    case Kind::kBoolValue:
      *out += value.bool_value() ? "true" : "false";
      return;
    case Kind::kNumberValue:
      *out += NumberText(value.number_value());
      return;
    case Kind::kStringValue:
      return AppendJsonString(value.string_value(), out);
    case Kind::kListValue:
      return AppendJson(value.list_value(), out);
    case Kind::kStructValue:
      return AppendJson(value.struct_value(), out);
  }
}

DiffKind ReadDiffKind(pulumirpc::PropertyDiff::Kind kind) {
  // Kinds from the future count as plain updates.
  return pulumirpc::PropertyDiff::Kind_IsValid(kind) ? static_cast<DiffKind>(kind) : DiffKind::kUpdate;
}

}  // namespace

DiffResponse ReadDiff(const pulumirpc::DiffResponse& wire) {
  DiffResponse diff;
  diff.changes = static_cast<DiffChanges>(wire.changes());
  diff.replaces.assign(wire.replaces().begin(), wire.replaces().end());
  diff.stables.assign(wire.stables().begin(), wire.stables().end());
  diff.changed_keys.assign(wire.diffs().begin(), wire.diffs().end());
  diff.delete_before_replace = wire.deletebeforereplace();
  diff.has_detailed = wire.hasdetaileddiff();
  if (!diff.has_detailed) return diff;
  for (const auto& [path, detail] : wire.detaileddiff()) {
    diff.detailed[path] = {ReadDiffKind(detail.kind()), detail.inputdiff()};
  }
  return diff;
}

Status AddViews(const std::vector<StatePtr>& views, const WireOptions& options,
                google::protobuf::RepeatedPtrField<pulumirpc::View>* out) {
  for (const StatePtr& state : views) {
    pulumirpc::View* view = out->Add();
    view->set_type(std::string(state->urn.type()));
    view->set_name(std::string(state->urn.name()));
    if (!state->parent.empty() && state->parent != state->view_of) {
      view->set_parent_type(std::string(state->parent.type()));
      view->set_parent_name(std::string(state->parent.name()));
    }
    Status status = ToStruct(state->inputs, options, view->mutable_inputs());
    if (status.ok()) status = ToStruct(state->outputs, options, view->mutable_outputs());
    if (!status.ok()) return status;
  }
  return Status::Ok();
}

std::string ToJson(const google::protobuf::Value& value) {
  std::string text;
  AppendJson(value, &text);
  return text;
}

}  // namespace kingpost
