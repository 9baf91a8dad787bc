// SPDX-License-Identifier: Apache-2.0
// Edits of a snapshot, by the rules of the `state` commands: each answers another snapshot.
#include <pybind11/stl.h>

#include "bindings/library.h"
#include "bindings/library_snapshot.h"
#include "bindings/values.h"
#include "decisions/move_resources.h"
#include "decisions/state_edits.h"
#include "model/broken_fields.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

using Urns = std::vector<std::string>;

LibrarySnapshotPtr ForgetIn(const LibrarySnapshot& self, const Urns& urns, bool protected_too, bool dependents_too) {
  (void)self.graph();  // in order, or told
  std::vector<StatePtr> resources;
  for (const std::string& urn : urns) resources.push_back(ValueOrThrow(decisions::FindOnlyState(self.get(), urn)));
  decisions::ForgetOptions options;
  options.protected_too = protected_too;
  options.dependents_too = dependents_too;
  Snapshot next = self.get();
  ThrowUnless(decisions::Forget(resources, options, &next));
  return self.With(std::move(next));
}

LibrarySnapshotPtr RenameIn(const LibrarySnapshot& self, const std::string& urn, const std::string& name) {
  Snapshot next = self.get();
  ThrowUnless(decisions::Rename(ValueOrThrow(decisions::FindOnlyState(next, urn)), name, &next));
  return self.With(std::move(next));
}

LibrarySnapshotPtr RepairIn(const LibrarySnapshot& self) {
  Snapshot next = self.get();
  std::vector<std::string> changes;
  RepairBrokenFields(&next, &changes);
  if (!VerifyIntegrity(next).ok()) ThrowUnless(decisions::Repair(&next));
  next.integrity_error_json.clear();
  return self.With(std::move(next));
}

LibrarySnapshotPtr MarkIn(const LibrarySnapshot& self, const Urns& urns, std::optional<bool> protect,
                          std::optional<bool> taint) {
  Snapshot next = self.get();
  for (const std::string& urn : urns) {
    const StatePtr state = ValueOrThrow(decisions::FindLiveState(next, urn));
    State marked = *state;
    marked.protect = protect.value_or(state->protect);
    marked.taint = taint.value_or(state->taint);
    decisions::Replace(state, std::move(marked), &next);
  }
  return self.With(std::move(next));
}

bool IsSealed(const Value& value) {
  bool sealed = false;
  (void)Rewrite(value, [&](const Value& part) {
    sealed = sealed || (part.is_secret() && part.as_secret().sealed);
    return part;
  });
  return sealed;
}

// Secrets that move are encrypted anew, so they have to be open.
Reveal OpenedBy(const LibrarySnapshot& side, const std::string& which) {
  return [&side, which](const StatePtr& state) -> Result<StatePtr> {
    if (side.origin().secrets) {
      DecodeOptions decode;
      decode.secrets = side.origin().secrets.get();
      const Result<std::string> json = EncodeState(*state, side.encoding());
      return json.ok() ? DecodeState(*json, decode) : json.status();
    }
    if (!IsSealed(state->inputs) && !IsSealed(state->outputs)) return state;
    return Status(Code::kFailedPrecondition,
                  state->urn.str() + " has secrets: load the " + which + " snapshot with its passphrase to move it");
  };
}

py::list Broken(const std::vector<BrokenReference>& references) {
  py::list list;
  for (const BrokenReference& reference : references) {
    list.append(py::make_tuple(Text(reference.from.str()), Text(reference.to.str()), Text(reference.key)));
  }
  return list;
}

py::dict MoveBetween(const LibrarySnapshot& source, const LibrarySnapshot& dest, const MoveRequest& request) {
  MoveResult move;
  {
    const py::gil_scoped_release released;
    ThrowUnless(AsDamage(VerifyIntegrity(source.get()).Wrap("the source is not in order (repair() mends it)")));
    ThrowUnless(AsDamage(VerifyIntegrity(dest.get()).Wrap("the destination is not in order (repair() mends it)")));
    move = ValueOrThrow(
        MoveResources(source.get(), dest.get(), request, OpenedBy(source, "source"), OpenedBy(dest, "destination")));
    ThrowUnless(VerifyIntegrity(move.dest).Wrap("the destination would not be in order"));
    ThrowUnless(VerifyIntegrity(move.source).Wrap("the source would not be in order"));
  }
  py::dict dict;
  dict["source"] = source.With(std::move(move.source));
  dict["dest"] = dest.With(std::move(move.dest));
  dict["moved"] = Texts(move.moved);
  dict["unknown"] = Texts(move.unknown);
  dict["broken_in_source"] = Broken(move.broken_in_source);
  dict["broken_in_dest"] = Broken(move.broken_in_dest);
  return dict;
}

}  // namespace

void AddSnapshotEdits(py::module_& module) {
  const auto released = py::call_guard<py::gil_scoped_release>();
  module.def("forget_resources", &ForgetIn, released);
  module.def("rename_resource", &RenameIn, released);
  module.def("repair_snapshot", &RepairIn, released);
  module.def("mark_resources", &MarkIn, released);
  module.def("move_resources", [](const LibrarySnapshot& source, const LibrarySnapshot& dest, const Urns& urns,
                                  bool include_parents, const std::string& stack, const std::string& project) {
    return MoveBetween(source, dest, {urns, include_parents, stack, project});
  });
}

}  // namespace kingpost::python
