// SPDX-License-Identifier: Apache-2.0
#include "bindings/values.h"

#include <cmath>

namespace kingpost::python {

namespace py = pybind11;

namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53: beyond it a double skips integers
constexpr int kMaxDepth = 900;                         // below Python's own limit, which guards its stack

// The classes of kingpost/values.py, looked up once and kept for the life of the process.
struct Classes {
  py::object secret, sealed, unknown, unknown_type, text_asset, file_asset, remote_asset;
  py::object asset_archive, file_archive, remote_archive, reference;

  static const Classes& Get() {
    static const Classes* classes = [] {
      const py::module_ values = py::module_::import("kingpost.values");
      return new Classes{values.attr("Secret"),        values.attr("Sealed"),           values.attr("UNKNOWN"),
                         values.attr("Unknown"),       values.attr("TextAsset"),        values.attr("FileAsset"),
                         values.attr("RemoteAsset"),   values.attr("AssetArchive"),     values.attr("FileArchive"),
                         values.attr("RemoteArchive"), values.attr("ResourceReference")};
    }();
    return *classes;
  }
};

py::object NumberToPython(double number) {
  if (std::isfinite(number) && number == std::floor(number) && std::fabs(number) < kExactIntegers &&
      !(number == 0 && std::signbit(number))) {
    return py::int_(static_cast<long long>(number));
  }
  return py::float_(number);
}

py::object StringToPython(const std::string& text) {
  PyObject* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr);
  if (decoded) return py::reinterpret_steal<py::object>(decoded);
  PyErr_Clear();
  return py::bytes(text);
}

py::object AssetToPython(const AssetData& asset) {
  const Classes& classes = Classes::Get();
  switch (asset.kind) {
    case AssetData::Kind::kText:
      return classes.text_asset(Text(asset.text), Text(asset.hash));
    case AssetData::Kind::kPath:
      return classes.file_asset(Text(asset.text), Text(asset.hash));
    case AssetData::Kind::kUri:
      return classes.remote_asset(Text(asset.text), Text(asset.hash));
  }
  return py::none();
}

py::object ArchiveToPython(const ArchiveData& archive) {
  const Classes& classes = Classes::Get();
  switch (archive.kind) {
    case ArchiveData::Kind::kAssets:
      return classes.asset_archive(ToPython(archive.assets), Text(archive.hash));
    case ArchiveData::Kind::kPath:
      return classes.file_archive(Text(archive.text), Text(archive.hash));
    case ArchiveData::Kind::kUri:
      return classes.remote_archive(Text(archive.text), Text(archive.hash));
  }
  return py::none();
}

py::object OutputToPython(const OutputData& output) {
  if (!output.known) return Classes::Get().unknown;
  py::object element = ToPython(output.element);
  return output.secret ? Classes::Get().secret(std::move(element)) : element;
}

py::object SecretToPython(const SecretData& secret) {
  const Classes& classes = Classes::Get();
  return classes.secret(secret.sealed ? classes.sealed(Text(secret.ciphertext)) : ToPython(secret.element));
}

// A value that cannot be a property, with the path to it, which grows on the way out. Costs nothing where all is well.
struct Unfit {
  std::string path, message;
  bool wrong_type = false;

  void Below(const std::string& key) {
    const bool joined = path.empty() || path.front() == '[';
    path = key + (joined ? "" : ".") + path;
  }
  [[noreturn]] void Throw() const {
    const std::string text = path.empty() ? message : path + ": " + message;
    if (wrong_type) throw py::type_error(text);
    throw py::value_error(text);
  }
};

// For messages: what is no Unicode becomes an escape.
std::string Shown(py::handle text) {
  PyObject* bytes = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace");
  if (!bytes) {
    PyErr_Clear();
    return "?";
  }
  return py::reinterpret_steal<py::bytes>(bytes);
}

std::string TextIn(py::handle object) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (bytes) return std::string(bytes, static_cast<size_t>(size));
  PyErr_Clear();
  throw Unfit{"", "the text '" + Shown(object) +
                      "' has a lone surrogate, as a file name has that is not UTF-8, and cannot be written; pass "
                      "os.fsencode(...) of it, which is bytes"};
}

// Numbers of properties are doubles: an integer that is none would become another one without a word.
double NumberIn(py::handle object) {
  const double number = PyFloat_AsDouble(object.ptr());
  if (number == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    throw Unfit{"", "the whole number is too large for a property; pass it as a text"};
  }
  if (!PyLong_Check(object.ptr()) || std::fabs(number) < kExactIntegers) return number;
  const py::int_ back = py::reinterpret_steal<py::int_>(PyLong_FromDouble(number));
  if (!back.equal(object)) {
    throw Unfit{"", "the whole number " + Shown(py::str(object)) +
                        " has more digits than numbers of properties keep (2**53); pass it as a text"};
  }
  return number;
}

std::string TextOf(py::handle object, const char* attribute) { return TextIn(py::str(object.attr(attribute))); }

Value AssetOf(py::handle object, AssetData::Kind kind, const char* attribute) {
  AssetData asset;
  asset.kind = kind;
  asset.text = TextOf(object, attribute);
  asset.hash = TextOf(object, "hash");
  return Value::Asset(std::move(asset));
}

Value ArchiveOf(py::handle object, ArchiveData::Kind kind, const char* attribute) {
  ArchiveData archive;
  archive.kind = kind;
  archive.text = TextOf(object, attribute);
  archive.hash = TextOf(object, "hash");
  return Value::Archive(std::move(archive));
}

Value ReferenceOf(py::handle object, int depth);
Value Convert(py::handle object, int depth);
PropertyMap ConvertMap(py::handle object, int depth);

Value SecretOf(py::handle element, int depth) {
  if (!py::isinstance(element, Classes::Get().sealed)) return Value::Secret(Convert(element, depth));
  SecretData sealed;
  sealed.ciphertext = TextOf(element, "ciphertext");
  if (sealed.ciphertext == kLeftOut) {
    throw Unfit{"",
                "the secret was left out when it was pickled; pickle it inside `with kingpost.secrets_in_pickles():`"};
  }
  sealed.sealed = true;
  return Value::Secret(std::move(sealed));
}

Value ConvertSequence(py::handle object, int depth) {
  Array array;
  for (const py::handle& item : py::reinterpret_borrow<py::sequence>(object)) {
    try {
      array.push_back(Convert(item, depth));
    } catch (Unfit& unfit) {
      unfit.Below("[" + std::to_string(array.size()) + "]");
      throw;
    }
  }
  return array;
}

// The parts that only kingpost/values.py has.
Value ConvertSpecial(py::handle object, int depth) {
  const Classes& classes = Classes::Get();
  if (py::isinstance(object, classes.secret)) return SecretOf(object.attr("value"), depth);
  if (py::isinstance(object, classes.unknown_type)) return Computed();
  if (py::isinstance(object, classes.text_asset)) return AssetOf(object, AssetData::Kind::kText, "text");
  if (py::isinstance(object, classes.file_asset)) return AssetOf(object, AssetData::Kind::kPath, "path");
  if (py::isinstance(object, classes.remote_asset)) return AssetOf(object, AssetData::Kind::kUri, "uri");
  if (py::isinstance(object, classes.file_archive)) return ArchiveOf(object, ArchiveData::Kind::kPath, "path");
  if (py::isinstance(object, classes.remote_archive)) return ArchiveOf(object, ArchiveData::Kind::kUri, "uri");
  if (py::isinstance(object, classes.asset_archive)) {
    ArchiveData archive;
    archive.assets = ConvertMap(object.attr("assets"), depth);
    archive.hash = TextOf(object, "hash");
    return Value::Archive(std::move(archive));
  }
  if (py::isinstance(object, classes.reference)) return ReferenceOf(object, depth);
  throw Unfit{"",
              "a value of type " + std::string(Py_TYPE(object.ptr())->tp_name) +
                  " cannot be a resource property; use None, bool, int, float, str, bytes, list, dict, "
                  "kingpost.Secret, kingpost.UNKNOWN, an asset, an archive or a reference",
              true};
}

Value ReferenceOf(py::handle object, int depth) {
  ResourceReference reference;
  reference.urn = Urn(TextOf(object, "urn"));
  if (!object.attr("id").is_none()) reference.id = std::make_shared<const Value>(Convert(object.attr("id"), depth));
  reference.package_version = TextOf(object, "package_version");
  return Value::Reference(std::move(reference));
}

PropertyMap ConvertMap(py::handle object, int depth) {
  PropertyMap::Entries entries;
  const py::dict items(py::reinterpret_borrow<py::object>(object));
  entries.reserve(items.size());
  for (const auto& [key, value] : items) {
    if (!py::isinstance<py::str>(key)) {
      throw Unfit{
          "", "the keys of a resource's properties must be str, not " + std::string(Py_TYPE(key.ptr())->tp_name), true};
    }
    std::string name = TextIn(key);
    try {
      Value converted = Convert(value, depth);
      entries.push_back({std::move(name), std::move(converted)});
    } catch (Unfit& unfit) {
      unfit.Below(name);
      throw;
    }
  }
  return PropertyMap::FromEntries(std::move(entries));
}

Value Convert(py::handle object, int depth) {
  if (depth > kMaxDepth) throw Unfit{"", "the value is nested too deeply for a resource property"};
  if (object.is_none()) return Value();
  if (py::isinstance<py::bool_>(object)) return object.cast<bool>();
  if (py::isinstance<py::int_>(object) || py::isinstance<py::float_>(object)) return NumberIn(object);
  if (py::isinstance<py::str>(object)) return TextIn(object);
  if (py::isinstance<py::bytes>(object)) return object.cast<std::string>();
  if (py::isinstance<py::dict>(object)) return ConvertMap(object, depth + 1);
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) return ConvertSequence(object, depth + 1);
  return ConvertSpecial(object, depth + 1);
}

}  // namespace

py::str Text(const std::string& text) {
  PyObject* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (!decoded) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

py::list Texts(const std::vector<std::string>& texts) {
  py::list list;
  for (const std::string& text : texts) list.append(Text(text));
  return list;
}

py::list Texts(const std::vector<Urn>& urns) {
  py::list list;
  for (const Urn& urn : urns) list.append(Text(urn.str()));
  return list;
}

py::object ToPython(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return py::none();
    case Value::Kind::kBool:
      return py::bool_(value.as_bool());
    case Value::Kind::kNumber:
      return NumberToPython(value.as_number());
    case Value::Kind::kString:
      return StringToPython(value.as_string());
    case Value::Kind::kArray: {
      py::list list;
      for (const Value& item : value.as_array()) list.append(ToPython(item));
      return list;
    }
    case Value::Kind::kObject:
      return ToPython(value.as_object());
    case Value::Kind::kAsset:
      return AssetToPython(value.as_asset());
    case Value::Kind::kArchive:
      return ArchiveToPython(value.as_archive());
    case Value::Kind::kSecret:
      return SecretToPython(value.as_secret());
    case Value::Kind::kOutput:
      return OutputToPython(value.as_output());
    case Value::Kind::kComputed:
      return Classes::Get().unknown;
    case Value::Kind::kReference: {
      const ResourceReference& reference = value.as_reference();
      return Classes::Get().reference(Text(reference.urn.str()), reference.id ? ToPython(*reference.id) : py::none(),
                                      Text(reference.package_version));
    }
  }
  return py::none();
}

py::dict ToPython(const PropertyMap& map) {
  py::dict dict;
  for (const auto& [key, value] : map) dict[Text(key)] = ToPython(value);
  return dict;
}

std::string TextOfError(const py::error_already_set& error) {
  try {
    return py::module_::import("kingpost._callback").attr("told")(error.value()).cast<std::string>();
  } catch (const std::exception&) {  // the interpreter is about to end
    return Py_TYPE(error.value().ptr())->tp_name;
  }
}

std::string Utf8Of(py::handle text) {
  try {
    return TextIn(text);
  } catch (const Unfit& unfit) {
    unfit.Throw();
  }
}

Value ToValue(py::handle object) {
  try {
    return Convert(object, 0);
  } catch (const Unfit& unfit) {
    unfit.Throw();
  }
}

PropertyMap ToProperties(py::handle object) {
  if (object.is_none()) return {};
  if (!py::isinstance<py::dict>(object)) {
    throw py::type_error("the properties of a resource must be a dict, not " +
                         std::string(Py_TYPE(object.ptr())->tp_name));
  }
  try {
    return ConvertMap(object, 0);
  } catch (const Unfit& unfit) {
    unfit.Throw();
  }
}

std::vector<std::string> ToTexts(py::handle sequence) {
  std::vector<std::string> texts;
  if (sequence.is_none()) return texts;
  for (const py::handle& item : py::iter(sequence)) texts.push_back(Utf8Of(py::str(item)));
  return texts;
}

}  // namespace kingpost::python
