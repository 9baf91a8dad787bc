// SPDX-License-Identifier: Apache-2.0
// The requests to providers to make, change, delete and read a resource (rows 3.44, 5.5): the recorded state, the
// wanted inputs, and the timeout of the call. Who takes the request adds where views are told. Pure.
#pragma once

#include <string>
#include <vector>

#include "decisions/step.h"
#include "kingpost/provider.h"

namespace kingpost::decisions {

// A request about a resource as it is named in `state`: every kind has a URN, a name and a type, most an ID.
template <class Request>
Request RequestAbout(const State& state) {
  Request request;
  request.urn = state.urn;
  request.name = state.urn.name();
  request.type = state.urn.type();
  if constexpr (requires { request.id; }) request.id = state.id;
  return request;
}

CreateRequest CreateRequestOf(const Step& step, bool preview);
// For a create that an earlier try has done in part: an update of the rest, with the timeout of a create.
UpdateRequest CompletionOf(const State& made, bool preview);
UpdateRequest UpdateRequestOf(const Step& step, const std::vector<StatePtr>& old_views, bool preview);
DeleteRequest DeleteRequestOf(const State& recorded, const std::vector<StatePtr>& old_views);

// A read for the program has nothing recorded to send: its inputs stand for what is there.
ReadRequest ReadRequestOf(const State& wanted);
ReadRequest RefreshRequestOf(const Step& step, const std::vector<StatePtr>& old_views);
ReadRequest ImportRequestOf(const State& wanted);

// A read or an import of what is not there is an error.
Status DoesNotExist(const std::string& id);

}  // namespace kingpost::decisions
