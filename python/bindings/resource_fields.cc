// SPDX-License-Identifier: Apache-2.0
#include "bindings/resource_fields.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

struct TimeoutField {
  const char* name;
  double CustomTimeouts::*seconds;
};
constexpr TimeoutField kTimeouts[] = {{"create", &CustomTimeouts::create_s},
                                      {"update", &CustomTimeouts::update_s},
                                      {"delete", &CustomTimeouts::delete_s},
                                      {"read", &CustomTimeouts::read_s}};

// "before_create", as kingpost.Stack has them.
std::string HookName(HookKind kind) {
  std::string name;
  for (const char* at = HookKindName(kind); *at; ++at) {
    const bool capital = *at >= 'A' && *at <= 'Z';
    if (capital && !name.empty()) name += '_';
    name += capital ? static_cast<char>(*at - 'A' + 'a') : *at;
  }
  return name;
}

}  // namespace

py::object FieldToPython(const PropertyDependencies& dependencies) {
  py::dict dict;
  for (const auto& [key, urns] : dependencies) dict[Text(key)] = Texts(urns);
  return dict;
}

py::object FieldToPython(const CustomTimeouts& timeouts) {
  py::dict dict;
  for (const auto& [name, seconds] : kTimeouts) {
    if (timeouts.*seconds != 0) dict[name] = timeouts.*seconds;
  }
  return dict;
}

py::object FieldToPython(const ResourceHooks& hooks) {
  py::dict dict;
  for (int i = 0; i < kHookKinds; ++i) {
    const HookKind kind = static_cast<HookKind>(i);
    if (!hooks.of(kind).empty()) dict[Text(HookName(kind))] = Texts(hooks.of(kind));
  }
  return dict;
}

void FieldFromPython(py::handle object, std::optional<bool>* out) {
  *out = object.is_none() ? std::nullopt : std::optional<bool>(object.cast<bool>());
}
void FieldFromPython(py::handle object, std::string* out) { *out = py::str(object).cast<std::string>(); }
void FieldFromPython(py::handle object, Urn* out) { *out = Urn(py::str(object).cast<std::string>()); }
void FieldFromPython(py::handle object, Value* out) { *out = ToValue(object); }
void FieldFromPython(py::handle object, std::vector<std::string>* out) { *out = ToTexts(object); }

void FieldFromPython(py::handle object, std::vector<Urn>* out) {
  out->clear();
  for (std::string& text : ToTexts(object)) out->emplace_back(std::move(text));
}

void FieldFromPython(py::handle object, std::vector<Alias>* out) {
  out->clear();
  for (std::string& text : ToTexts(object)) out->emplace_back().urn = Urn(std::move(text));
}

void FieldFromPython(py::handle object, CustomTimeouts* out) {
  *out = CustomTimeouts();
  for (const auto& [key, seconds] : object.cast<py::dict>()) {
    const std::string name = py::str(key).cast<std::string>();
    double CustomTimeouts::*member = nullptr;
    for (const TimeoutField& timeout : kTimeouts) {
      if (name == timeout.name) member = timeout.seconds;
    }
    if (!member) throw py::value_error("custom_timeouts has create, update, delete and read, and not '" + name + "'");
    out->*member = seconds.cast<double>();
  }
}

}  // namespace kingpost::python
