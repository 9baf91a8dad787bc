// SPDX-License-Identifier: Apache-2.0
// Property values: immutable, cheap to copy, sharing subtrees (rows 8.3, 7.5 to 7.8).
//
// A Value is null, bool, number (double), string (any bytes), array, object, asset, archive, secret,
// output, computed (unknown) or resource reference. Copying one costs at most a reference count.
// PropertyMap is a map sorted by key with copy-on-write: copies share until one of them is changed. What is recorded
// of a large stack is mostly never looked at, so a map may also be the text it was read from.
// Values may be read from any thread; a PropertyMap being changed belongs to one thread.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/urn.h"

namespace kingpost {

class Value;
struct Property;  // {first: key, second: value}
using Array = std::vector<Value>;

class PropertyMap {
 public:
  using Entry = Property;
  using Entries = std::vector<Entry>;

  PropertyMap() = default;
  PropertyMap(std::initializer_list<Entry> entries);
  // Entries in any order; of two with one key the later wins.
  static PropertyMap FromEntries(Entries entries);

  bool empty() const;
  size_t size() const;
  const Value* Find(std::string_view key) const;  // null if absent
  bool Has(std::string_view key) const { return Find(key) != nullptr; }

  void Set(std::string key, Value value);
  void Erase(std::string_view key);

  const Property* begin() const;
  const Property* end() const;
  // True if both share one allocation (a cheap proof of equality).
  bool SameAs(const PropertyMap& other) const { return node_ == other.node_; }

  // A map that is still the text it was recorded as (model/property_text.h), which `text_owner` keeps where it is. The
  // first access to a property decodes it. All copies share the result, and the last copy frees it.
  static PropertyMap FromText(std::string_view text, std::shared_ptr<const void> text_owner);
  std::string_view text() const;  // "" if there is none
  // The same properties without a text. For those who look at all of them and are done: nothing is kept for others.
  PropertyMap Read() const;

 private:
  struct Node;
  struct TextNode;

  const Entries* entries() const;  // null if there are none
  Entries& Own();                  // to be changed
  const Entries& ReadOnce() const;

  std::shared_ptr<Node> node_;  // null: empty
};

// A file, text or address; or a collection of them. Equality is by hash when both have one.
struct AssetData {
  enum class Kind { kText, kPath, kUri };
  Kind kind = Kind::kText;
  std::string text;          // the text, the path or the URI
  std::string hash;          // lower-case hex SHA-256 of the content, or ""
  bool has_contents = true;  // false: only the hash is known (contents left out on the wire)
};

struct ArchiveData {
  enum class Kind { kAssets, kPath, kUri };
  Kind kind = Kind::kAssets;
  std::string text;    // the path or the URI
  PropertyMap assets;  // of kAssets: each an asset or an archive
  std::string hash;
  bool has_contents = true;
};

struct ResourceReference {
  Urn urn;
  // No value: a component, which has no ID. Computed: not known yet. Else a string.
  std::shared_ptr<const Value> id;
  std::string package_version;
  std::string name;  // only on the wire
  std::string type;  // only on the wire
};

struct SecretData;
struct OutputData;
struct Computed {
  friend bool operator==(Computed, Computed) { return true; }
};

class Value {
 public:
  enum class Kind {
    kNull,
    kBool,
    kNumber,
    kString,
    kArray,
    kObject,
    kAsset,
    kArchive,
    kSecret,
    kOutput,
    kComputed,
    kReference
  };

  Value() = default;                                                                  // null
  Value(bool b) : data_(b) {}                                                         // NOLINT
  Value(double n) : data_(n) {}                                                       // NOLINT
  Value(int n) : data_(static_cast<double>(n)) {}                                     // NOLINT
  Value(const char* s) : Value(std::string(s)) {}                                     // NOLINT
  Value(std::string_view s) : Value(std::string(s)) {}                                // NOLINT
  Value(std::string s) : data_(std::make_shared<const std::string>(std::move(s))) {}  // NOLINT
  Value(Array a) : data_(std::make_shared<const Array>(std::move(a))) {}              // NOLINT
  Value(PropertyMap m) : data_(std::move(m)) {}                                       // NOLINT
  Value(Computed) : data_(Computed()) {}                                              // NOLINT
  static Value Asset(AssetData a) { return Value(Data(std::make_shared<const AssetData>(std::move(a)))); }
  static Value Archive(ArchiveData a) { return Value(Data(std::make_shared<const ArchiveData>(std::move(a)))); }
  static Value Reference(ResourceReference r) {
    return Value(Data(std::make_shared<const ResourceReference>(std::move(r))));
  }
  static Value Secret(Value element);  // a secret of a secret is that secret
  static Value Secret(SecretData data);
  static Value Output(OutputData data);

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is_null() const { return kind() == Kind::kNull; }
  bool is_bool() const { return kind() == Kind::kBool; }
  bool is_number() const { return kind() == Kind::kNumber; }
  bool is_string() const { return kind() == Kind::kString; }
  bool is_array() const { return kind() == Kind::kArray; }
  bool is_object() const { return kind() == Kind::kObject; }
  bool is_asset() const { return kind() == Kind::kAsset; }
  bool is_archive() const { return kind() == Kind::kArchive; }
  bool is_secret() const { return kind() == Kind::kSecret; }
  bool is_output() const { return kind() == Kind::kOutput; }
  bool is_computed() const { return kind() == Kind::kComputed; }
  bool is_reference() const { return kind() == Kind::kReference; }

  bool as_bool() const { return std::get<1>(data_); }
  double as_number() const { return std::get<2>(data_); }
  const std::string& as_string() const { return *std::get<3>(data_); }
  const Array& as_array() const { return *std::get<4>(data_); }
  const PropertyMap& as_object() const { return std::get<5>(data_); }
  const AssetData& as_asset() const { return *std::get<6>(data_); }
  const ArchiveData& as_archive() const { return *std::get<7>(data_); }
  const SecretData& as_secret() const { return *std::get<8>(data_); }
  const OutputData& as_output() const { return *std::get<9>(data_); }
  const ResourceReference& as_reference() const { return *std::get<11>(data_); }

  // True if both share one allocation, or are equal scalars held in place.
  bool SameAs(const Value& other) const;

 private:
  using Data = std::variant<std::monostate, bool, double, std::shared_ptr<const std::string>,
                            std::shared_ptr<const Array>, PropertyMap, std::shared_ptr<const AssetData>,
                            std::shared_ptr<const ArchiveData>, std::shared_ptr<const SecretData>,
                            std::shared_ptr<const OutputData>, Computed, std::shared_ptr<const ResourceReference>>;
  explicit Value(Data data) : data_(std::move(data)) {}
  Data data_;
};

struct Property {
  std::string first;
  Value second;
};

struct PropertyMap::Node {
  Entries entries;  // sorted by key; of a text they are elsewhere
  bool is_text = false;
};

inline const PropertyMap::Entries* PropertyMap::entries() const {
  if (!node_) return nullptr;
  return node_->is_text ? &ReadOnce() : &node_->entries;
}

inline size_t PropertyMap::size() const {
  const Entries* all = entries();
  return all ? all->size() : 0;
}

inline const Property* PropertyMap::begin() const {
  const Entries* all = entries();
  return all ? all->data() : nullptr;
}

inline const Property* PropertyMap::end() const {
  const Entries* all = entries();
  return all ? all->data() + all->size() : nullptr;
}

// A text holds properties: empty maps have none.
inline bool PropertyMap::empty() const { return !node_ || (!node_->is_text && node_->entries.empty()); }

struct SecretData {
  Value element;
  // The recorded ciphertext, so that an unchanged secret keeps it. "" if never saved.
  std::string ciphertext;
  // True while only the ciphertext is known (a state read without its secrets manager).
  bool sealed = false;
};

struct OutputData {
  Value element;  // meaningless unless known
  bool known = true;
  bool secret = false;
  std::vector<Urn> dependencies;
};

// Deep equality. Assets and archives are equal by hash; secrets, outputs and references by their parts;
// NaN equals NaN; null entries of an object count as present. Fast on shared subtrees.
bool DeepEqual(const Value& a, const Value& b);
bool DeepEqual(const PropertyMap& a, const PropertyMap& b);

bool ContainsUnknowns(const Value& v);  // computed values and unknown outputs, at any depth
bool ContainsUnknowns(const PropertyMap& m);
bool ContainsSecrets(const Value& v);
bool ContainsSecrets(const PropertyMap& m);

// Rewrites bottom-up; f gets each value after its parts were rewritten. Untouched subtrees stay shared.
template <class F>
Value Rewrite(const Value& v, const F& f);
template <class F>
PropertyMap Rewrite(const PropertyMap& m, const F& f);

// Secrets replaced by what they hold, at every depth.
Value StripSecrets(const Value& v);
PropertyMap StripSecrets(const PropertyMap& m);
// Outputs replaced by their element, a secret of it, or computed.
Value FlattenOutputs(const Value& v);
PropertyMap FlattenOutputs(const PropertyMap& m);
// Outputs replaced by their element (computed if unknown) and secrets by what they hold.
Value StripSecretsAndOutputs(const Value& v);
PropertyMap StripSecretsAndOutputs(const PropertyMap& m);
// Every secret replaced by the string "[secret]", for events and displays.
Value MaskSecrets(const Value& v);
PropertyMap MaskSecrets(const PropertyMap& m);

// Every URN that an output value inside depends on, and every URN of a resource reference is NOT included.
void CollectOutputDependencies(const Value& v, std::vector<Urn>* urns);

}  // namespace kingpost

#include "model/value_rewrite.h"
