// SPDX-License-Identifier: Apache-2.0
// Checks the requests that providers get for a resource.
#include "decisions/requests.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::requests_test {

using namespace plan_test;
using namespace decisions;

State Full(const std::string& name, int size) {
  State state = StateOf(name);
  state.inputs = {{"size", size}};
  state.outputs = {{"size", size}, {"made", true}};
  state.custom_timeouts = {1, 2, 3, 4};
  state.import_id = "import-" + name;
  return state;
}

TEST_CASE("each request has its own timeout, and the recorded or wanted values") {
  const StatePtr recorded = Share(Full("old", 1));
  const auto draft = std::make_shared<State>(Full("new", 2));
  const std::vector<StatePtr> views = {Share(StateOf("view"))};
  const StepPtr step = Update(recorded, draft);
  step->ignore_changes = {"x"};

  const CreateRequest create = CreateRequestOf(*step, /*preview=*/true);
  CHECK(create.urn == UrnOf("new"));
  CHECK(create.name == "new");
  CHECK(create.type == "pkg:m:Typ");
  CHECK(create.timeout_s == 1);
  CHECK(create.preview);
  CHECK(DeepEqual(create.inputs, draft->inputs));

  const UpdateRequest update = UpdateRequestOf(*step, views, /*preview=*/false);
  CHECK(update.urn == UrnOf("new"));
  CHECK(update.id == "old-id");
  CHECK(update.timeout_s == 2);
  CHECK_FALSE(update.preview);
  CHECK(DeepEqual(update.old_inputs, recorded->inputs));
  CHECK(DeepEqual(update.old_outputs, recorded->outputs));
  CHECK(DeepEqual(update.new_inputs, draft->inputs));
  CHECK(update.ignore_changes == step->ignore_changes);
  CHECK(update.old_views == views);

  const DeleteRequest del = DeleteRequestOf(*recorded, views);
  CHECK(del.id == "old-id");
  CHECK(del.timeout_s == 3);
  CHECK(DeepEqual(del.inputs, recorded->inputs));
  CHECK(DeepEqual(del.outputs, recorded->outputs));
  CHECK(del.old_views == views);
}

TEST_CASE("a partial create is completed by an update of its result, with the create's timeout") {
  const State made = Full("made", 2);
  const UpdateRequest request = CompletionOf(made, /*preview=*/false);
  CHECK(request.urn == UrnOf("made"));
  CHECK(request.id == "made-id");
  CHECK(request.timeout_s == 1);
  CHECK(DeepEqual(request.old_inputs, made.inputs));
  CHECK(DeepEqual(request.new_inputs, made.inputs));
  CHECK(DeepEqual(request.old_outputs, made.outputs));
}

TEST_CASE("a read sends its inputs as outputs, a refresh sends the record, and an import sends neither") {
  const StatePtr recorded = Share(Full("old", 1));
  const State wanted = Full("new", 2);
  const ReadRequest read = ReadRequestOf(wanted);
  CHECK(read.id == "new-id");
  CHECK(read.timeout_s == 4);
  CHECK(DeepEqual(read.inputs, wanted.inputs));
  CHECK(DeepEqual(read.outputs, wanted.inputs));
  CHECK_FALSE(read.bare);

  const std::vector<StatePtr> views = {Share(StateOf("view"))};
  const StepPtr step = Refresh(recorded);
  step->new_state->urn = UrnOf("renamed");
  const ReadRequest refresh = RefreshRequestOf(*step, views);
  CHECK(refresh.urn == UrnOf("renamed"));
  CHECK(refresh.id == "old-id");
  CHECK(DeepEqual(refresh.inputs, recorded->inputs));
  CHECK(DeepEqual(refresh.outputs, recorded->outputs));
  CHECK(refresh.old_views == views);

  const ReadRequest import = ImportRequestOf(wanted);
  CHECK(import.id == "import-new");
  CHECK(import.bare);
  CHECK(import.inputs.empty());
  CHECK(DoesNotExist("x").message() == "resource 'x' does not exist");
}

}  // namespace kingpost::requests_test
