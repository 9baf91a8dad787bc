// SPDX-License-Identifier: Apache-2.0
// The fields of goals and states in Python's form: by the names of the table of options (model/resource_fields.h).
// URNs are texts, timeouts a dict of seconds, hooks a dict of lists of names. Every function needs the GIL.
#pragma once

#include <pybind11/pybind11.h>

#include "bindings/values.h"
#include "model/resource.h"

namespace kingpost::python {

inline bool FieldToPython(bool flag) { return flag; }
inline pybind11::object FieldToPython(const std::string& text) { return Text(text); }
inline pybind11::object FieldToPython(const Urn& urn) { return Text(urn.str()); }
inline pybind11::object FieldToPython(const Value& value) { return ToPython(value); }
inline pybind11::object FieldToPython(const PropertyMap& map) { return ToPython(map); }
inline pybind11::object FieldToPython(const std::vector<std::string>& texts) { return Texts(texts); }
inline pybind11::object FieldToPython(const std::vector<Urn>& urns) { return Texts(urns); }
pybind11::object FieldToPython(const PropertyDependencies& dependencies);
pybind11::object FieldToPython(const CustomTimeouts& timeouts);  // those that are set
pybind11::object FieldToPython(const ResourceHooks& hooks);      // the kinds that have some

// Throw what pybind11 throws for objects of another type. None leaves a flag open.
void FieldFromPython(pybind11::handle object, std::optional<bool>* out);
void FieldFromPython(pybind11::handle object, std::string* out);
void FieldFromPython(pybind11::handle object, Urn* out);
void FieldFromPython(pybind11::handle object, Value* out);
void FieldFromPython(pybind11::handle object, std::vector<std::string>* out);
void FieldFromPython(pybind11::handle object, std::vector<Urn>* out);
void FieldFromPython(pybind11::handle object, std::vector<Alias>* out);  // former URNs
void FieldFromPython(pybind11::handle object, CustomTimeouts* out);

}  // namespace kingpost::python
