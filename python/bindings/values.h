// SPDX-License-Identifier: Apache-2.0
// Property values as Python objects and back. Every function needs the GIL. What Python has no type for are the
// classes of kingpost/values.py: Secret, UNKNOWN, assets, archives and references.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "model/value.h"

namespace kingpost::python {

// The placeholder of a secret's ciphertext in a pickle, as kingpost.values.LEFT_OUT.
inline constexpr char kLeftOut[] = "[left out]";

// The text of an exception by kingpost/_callback.py, whatever its __str__ does. With the GIL.
std::string TextOfError(const pybind11::error_already_set& error);

// The text of a Python str as UTF-8. Throws a ValueError for one that has none, because of a lone surrogate.
std::string Utf8Of(pybind11::handle text);

// Whole numbers become int, text that is not UTF-8 bytes, outputs what they hold.
pybind11::object ToPython(const Value& value);
pybind11::dict ToPython(const PropertyMap& map);
pybind11::str Text(const std::string& text);
pybind11::list Texts(const std::vector<std::string>& texts);
pybind11::list Texts(const std::vector<Urn>& urns);

// Throws TypeError, which names the type, for what is no property value.
Value ToValue(pybind11::handle object);
// None is an empty map.
PropertyMap ToProperties(pybind11::handle object);
std::vector<std::string> ToTexts(pybind11::handle sequence);

}  // namespace kingpost::python
