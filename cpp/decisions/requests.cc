// SPDX-License-Identifier: Apache-2.0
#include "decisions/requests.h"

namespace kingpost::decisions {

namespace {

ReadRequest ReadOf(const State& state, const std::string& id) {
  auto request = RequestAbout<ReadRequest>(state);
  request.id = id;
  request.timeout_s = state.custom_timeouts.read_s;
  return request;
}

}  // namespace

CreateRequest CreateRequestOf(const Step& step, bool preview) {
  const State& next = *step.new_state;
  auto request = RequestAbout<CreateRequest>(next);
  request.inputs = next.inputs;
  request.timeout_s = next.custom_timeouts.create_s;
  request.preview = preview;
  return request;
}

UpdateRequest CompletionOf(const State& made, bool preview) {
  auto request = RequestAbout<UpdateRequest>(made);
  request.old_inputs = request.new_inputs = made.inputs;
  request.old_outputs = made.outputs;
  request.timeout_s = made.custom_timeouts.create_s;
  request.preview = preview;
  return request;
}

UpdateRequest UpdateRequestOf(const Step& step, const std::vector<StatePtr>& old_views, bool preview) {
  const State& recorded = *step.old_state;
  const State& next = *step.new_state;
  auto request = RequestAbout<UpdateRequest>(next);
  request.id = recorded.id;
  request.old_inputs = recorded.inputs;
  request.old_outputs = recorded.outputs;
  request.new_inputs = next.inputs;
  request.timeout_s = next.custom_timeouts.update_s;
  request.ignore_changes = step.ignore_changes;
  request.preview = preview;
  request.old_views = old_views;
  return request;
}

DeleteRequest DeleteRequestOf(const State& recorded, const std::vector<StatePtr>& old_views) {
  auto request = RequestAbout<DeleteRequest>(recorded);
  request.inputs = recorded.inputs;
  request.outputs = recorded.outputs;
  request.timeout_s = recorded.custom_timeouts.delete_s;
  request.old_views = old_views;
  return request;
}

ReadRequest ReadRequestOf(const State& wanted) {
  ReadRequest request = ReadOf(wanted, wanted.id);
  request.inputs = wanted.inputs;
  request.outputs = wanted.inputs;
  return request;
}

ReadRequest RefreshRequestOf(const Step& step, const std::vector<StatePtr>& old_views) {
  const State& recorded = *step.old_state;
  ReadRequest request = ReadOf(*step.new_state, recorded.id);
  request.inputs = recorded.inputs;
  request.outputs = recorded.outputs;
  request.old_views = old_views;
  return request;
}

ReadRequest ImportRequestOf(const State& wanted) {
  ReadRequest request = ReadOf(wanted, wanted.import_id);
  request.bare = true;
  return request;
}

Status DoesNotExist(const std::string& id) { return Status(Code::kNotFound, "resource '" + id + "' does not exist"); }

}  // namespace kingpost::decisions
