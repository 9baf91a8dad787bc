// SPDX-License-Identifier: Apache-2.0
// Parts of the dicts that kingpost/_bridge.py makes requests of, and makes of responses. Needs the GIL.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <vector>

#include "bindings/values.h"
#include "kingpost/provider_values.h"

namespace kingpost::python {

template <class Request>
pybind11::dict Identity(const Request& request) {
  pybind11::dict dict;
  dict["urn"] = Text(request.urn.str());
  dict["type"] = Text(request.type);
  dict["name"] = Text(request.name);
  return dict;
}

// Where it may tell of views, and those that are recorded.
void AddViews(const StatusTarget& target, const std::vector<StatePtr>& old_views, pybind11::dict* dict);
void AddTimeout(double seconds, pybind11::dict* dict);  // if there is one

std::vector<CheckFailure> FailuresOf(pybind11::handle list);
Status ReadDiff(const pybind11::dict& answer, DiffResponse* response);
bool RefreshFirst(const pybind11::dict& answer);
std::optional<PropertyMap> OptionalProperties(pybind11::handle object);

}  // namespace kingpost::python
