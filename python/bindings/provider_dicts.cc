// SPDX-License-Identifier: Apache-2.0
#include "bindings/provider_dicts.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

Status ReadDetailed(py::handle object, DiffResponse* response) {
  if (object.is_none()) return Status::Ok();
  response->has_detailed = true;
  for (const auto& [path, entry] : py::reinterpret_borrow<py::dict>(object)) {
    const py::tuple pair = py::reinterpret_borrow<py::tuple>(entry);
    const std::string name = pair[0].cast<std::string>();
    const auto kind = ParseDiffKind(name);
    if (!kind)
      return Status(Code::kUnknown, "diff: \"" + name +
                                        "\" is not a kind of change; use add, update, "
                                        "delete, add-replace, update-replace or delete-replace");
    response->detailed[path.cast<std::string>()] = PropertyDiff{*kind, pair[1].cast<bool>()};
  }
  return Status::Ok();
}

py::dict DescribeView(const State& view) {
  py::dict dict;
  dict["type"] = Text(view.type);
  dict["name"] = Text(std::string(view.urn.name()));
  dict["parent_type"] = Text(view.parent.empty() ? "" : std::string(view.parent.type()));
  dict["parent_name"] = Text(view.parent.empty() ? "" : std::string(view.parent.name()));
  dict["inputs"] = ToPython(view.inputs);
  dict["outputs"] = ToPython(view.outputs);
  return dict;
}

}  // namespace

void AddViews(const StatusTarget& target, const std::vector<StatePtr>& old_views, py::dict* dict) {
  if (target.address.empty()) return;
  (*dict)["status"] = py::make_tuple(Text(target.address), Text(target.token));
  py::list views;
  for (const StatePtr& view : old_views) views.append(DescribeView(*view));
  (*dict)["old_views"] = views;
}

void AddTimeout(double seconds, py::dict* dict) {
  if (seconds > 0) (*dict)["timeout"] = seconds;
}

std::vector<CheckFailure> FailuresOf(py::handle list) {
  std::vector<CheckFailure> failures;
  for (const py::handle& item : py::iter(list)) {
    const py::tuple pair = py::reinterpret_borrow<py::tuple>(item);
    failures.push_back({pair[0].cast<std::string>(), pair[1].cast<std::string>()});
  }
  return failures;
}

Status ReadDiff(const py::dict& answer, DiffResponse* response) {
  const py::object changes = answer["changes"];
  if (!changes.is_none()) response->changes = changes.cast<bool>() ? DiffChanges::kSome : DiffChanges::kNone;
  response->replaces = ToTexts(answer["replaces"]);
  response->stables = ToTexts(answer["stables"]);
  response->changed_keys = ToTexts(answer["diffs"]);
  response->delete_before_replace = answer["delete_before_replace"].cast<bool>();
  return ReadDetailed(answer["detailed"], response);
}

bool RefreshFirst(const py::dict& answer) {
  return answer.contains("refresh_before_update") && answer["refresh_before_update"].cast<bool>();
}

std::optional<PropertyMap> OptionalProperties(py::handle object) {
  if (object.is_none()) return std::nullopt;
  return ToProperties(object);
}

}  // namespace kingpost::python
