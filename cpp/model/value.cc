// SPDX-License-Identifier: Apache-2.0
// Property maps, and what is asked of values: equality, unknowns, secrets, and views without them.
// Pure functions over shared immutable data; any thread.
#include "model/value.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>

#include "model/property_text.h"

namespace kingpost {

namespace {

bool KeyBefore(const Property& a, const Property& b) { return a.first < b.first; }

// Keeps the last of each run of equal keys.
void DropOverwritten(PropertyMap::Entries* sorted) {
  size_t kept = 0;
  for (size_t i = 0; i < sorted->size(); ++i) {
    if (i + 1 < sorted->size() && (*sorted)[i].first == (*sorted)[i + 1].first) continue;
    if (kept != i) (*sorted)[kept] = std::move((*sorted)[i]);
    ++kept;
  }
  sorted->resize(kept);
}

// (Outside of Locate: Clang 14 compares texts in no template's lambda.)
bool PrecedesKey(const Property& entry, std::string_view key) { return entry.first < key; }

template <class Entries>
auto Locate(Entries& entries, std::string_view key) {
  return std::lower_bound(entries.begin(), entries.end(), key, PrecedesKey);
}

bool EqualNumbers(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool EqualAssets(const AssetData& a, const AssetData& b) {
  if (!a.hash.empty() && !b.hash.empty()) return a.hash == b.hash;
  return a.kind == b.kind && a.text == b.text && a.has_contents == b.has_contents;
}

bool EqualArchives(const ArchiveData& a, const ArchiveData& b) {
  if (!a.hash.empty() && !b.hash.empty()) return a.hash == b.hash;
  return a.kind == b.kind && a.text == b.text && a.has_contents == b.has_contents && DeepEqual(a.assets, b.assets);
}

// The package version says how to reach the resource, not which one it is.
bool EqualReferences(const ResourceReference& a, const ResourceReference& b) {
  if (a.urn != b.urn || !a.id != !b.id) return false;
  return !a.id || DeepEqual(*a.id, *b.id);
}

bool EqualSecrets(const SecretData& a, const SecretData& b) {
  if (a.sealed || b.sealed) return a.sealed == b.sealed && a.ciphertext == b.ciphertext;
  return DeepEqual(a.element, b.element);
}

bool EqualOutputs(const OutputData& a, const OutputData& b) {
  if (a.known != b.known || a.secret != b.secret || a.dependencies != b.dependencies) return false;
  return !a.known || DeepEqual(a.element, b.element);
}

bool EqualArrays(const Array& a, const Array& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const Value& x, const Value& y) { return DeepEqual(x, y); });
}

Value ElementOrUnknown(const OutputData& output) { return output.known ? output.element : Value(Computed()); }

Value FlattenOne(const Value& v) {
  if (!v.is_output()) return v;
  Value element = ElementOrUnknown(v.as_output());
  return v.as_output().secret ? Value::Secret(std::move(element)) : element;
}

Value StripSecret(const Value& v) { return v.is_secret() ? v.as_secret().element : v; }

Value StripOne(const Value& v) {
  if (v.is_secret()) return v.as_secret().element;
  return v.is_output() ? ElementOrUnknown(v.as_output()) : v;
}

}  // namespace

PropertyMap::PropertyMap(std::initializer_list<Entry> entries) : PropertyMap(FromEntries(Entries(entries))) {}

PropertyMap PropertyMap::FromEntries(Entries entries) {
  PropertyMap map;
  if (entries.empty()) return map;
  // Files are written with sorted keys, so there is seldom anything to do.
  const auto out_of_order = [](const Property& a, const Property& b) { return a.first >= b.first; };
  if (std::adjacent_find(entries.begin(), entries.end(), out_of_order) != entries.end()) {
    std::stable_sort(entries.begin(), entries.end(), KeyBefore);
    DropOverwritten(&entries);
  }
  map.node_ = std::make_shared<Node>(Node{std::move(entries)});
  return map;
}

const Value* PropertyMap::Find(std::string_view key) const {
  const Entries* all = entries();
  if (!all) return nullptr;
  const auto it = Locate(*all, key);
  return it != all->end() && it->first == key ? &it->second : nullptr;
}

PropertyMap::Entries& PropertyMap::Own() {
  if (!node_) {
    node_ = std::make_shared<Node>();
  } else if (node_->is_text || node_.use_count() > 1) {
    node_ = std::make_shared<Node>(Node{*entries()});
  }
  return node_->entries;
}

void PropertyMap::Set(std::string key, Value value) {
  Entries& own = Own();
  const auto it = Locate(own, key);
  if (it != own.end() && it->first == key) {
    it->second = std::move(value);
  } else {
    own.insert(it, Property{std::move(key), std::move(value)});
  }
}

void PropertyMap::Erase(std::string_view key) {
  if (!Has(key)) return;
  if (size() == 1) {
    node_.reset();
    return;
  }
  Entries& own = Own();
  own.erase(Locate(own, key));
}

// Several threads may come first at once: each reads, and what the first of them has read is what all see.
struct PropertyMap::TextNode : Node {
  TextNode(std::string_view text, std::shared_ptr<const void> text_owner)
      : Node{{}, true}, text(text), text_owner(std::move(text_owner)) {}
  ~TextNode() { delete read.load(); }

  const std::string_view text;
  const std::shared_ptr<const void> text_owner;
  std::atomic<const PropertyMap*> read = nullptr;
};

PropertyMap PropertyMap::FromText(std::string_view text, std::shared_ptr<const void> text_owner) {
  PropertyMap map;
  map.node_ = std::make_shared<TextNode>(text, std::move(text_owner));
  return map;
}

std::string_view PropertyMap::text() const {
  return node_ && node_->is_text ? static_cast<const TextNode&>(*node_).text : std::string_view();
}

PropertyMap PropertyMap::Read() const {
  if (!node_ || !node_->is_text) return *this;
  const PropertyMap* read = static_cast<const TextNode&>(*node_).read.load(std::memory_order_acquire);
  return read ? *read : ReadPropertyText(text());
}

const PropertyMap::Entries& PropertyMap::ReadOnce() const {
  auto& node = static_cast<TextNode&>(*node_);
  const PropertyMap* read = node.read.load(std::memory_order_acquire);
  if (!read) {
    auto mine = std::make_unique<const PropertyMap>(ReadPropertyText(node.text));
    if (node.read.compare_exchange_strong(read, mine.get(), std::memory_order_acq_rel)) read = mine.release();
  }
  return read->node_->entries;
}

Value Value::Secret(Value element) {
  if (element.is_secret()) return element;
  SecretData data;
  data.element = std::move(element);
  return Secret(std::move(data));
}

Value Value::Secret(SecretData data) {
  // A secret of a secret is one secret. The ciphertext of the outer one still decrypts to an equal value.
  if (data.element.is_secret() && !data.sealed) {
    Value inner = data.element.as_secret().element;
    data.element = std::move(inner);
  }
  return Value(Data(std::make_shared<const SecretData>(std::move(data))));
}

Value Value::Output(OutputData data) { return Value(Data(std::make_shared<const OutputData>(std::move(data)))); }

bool Value::SameAs(const Value& other) const {
  if (kind() != other.kind()) return false;
  switch (kind()) {
    case Kind::kNull:
    case Kind::kComputed:
      return true;
    case Kind::kBool:
      return as_bool() == other.as_bool();
    case Kind::kNumber: {
      // By bits: 0 and -0 differ here, and a NaN is itself.
      const double a = as_number(), b = other.as_number();
      return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
    }
    case Kind::kObject:
      return as_object().SameAs(other.as_object());
    case Kind::kString:
      return std::get<3>(data_) == std::get<3>(other.data_);
    case Kind::kArray:
      return std::get<4>(data_) == std::get<4>(other.data_);
    case Kind::kAsset:
      return std::get<6>(data_) == std::get<6>(other.data_);
    case Kind::kArchive:
      return std::get<7>(data_) == std::get<7>(other.data_);
    case Kind::kSecret:
      return std::get<8>(data_) == std::get<8>(other.data_);
    case Kind::kOutput:
      return std::get<9>(data_) == std::get<9>(other.data_);
    case Kind::kReference:
      return std::get<11>(data_) == std::get<11>(other.data_);
  }
  return false;
}

bool DeepEqual(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  if (a.SameAs(b)) return true;
  switch (a.kind()) {
    case Value::Kind::kNull:
    case Value::Kind::kBool:
    case Value::Kind::kComputed:
      return false;  // SameAs has told already
    case Value::Kind::kNumber:
      return EqualNumbers(a.as_number(), b.as_number());
    case Value::Kind::kString:
      return a.as_string() == b.as_string();
    case Value::Kind::kArray:
      return EqualArrays(a.as_array(), b.as_array());
    case Value::Kind::kObject:
      return DeepEqual(a.as_object(), b.as_object());
    case Value::Kind::kAsset:
      return EqualAssets(a.as_asset(), b.as_asset());
    case Value::Kind::kArchive:
      return EqualArchives(a.as_archive(), b.as_archive());
    case Value::Kind::kSecret:
      return EqualSecrets(a.as_secret(), b.as_secret());
    case Value::Kind::kOutput:
      return EqualOutputs(a.as_output(), b.as_output());
    case Value::Kind::kReference:
      return EqualReferences(a.as_reference(), b.as_reference());
  }
  return false;
}

bool DeepEqual(const PropertyMap& a, const PropertyMap& b) {
  if (a.SameAs(b)) return true;
  if (!a.text().empty() && !b.text().empty()) return a.text() == b.text();
  if (!a.text().empty()) return EqualsPropertyText(b, a.text());
  if (!b.text().empty()) return EqualsPropertyText(a, b.text());
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Property& x, const Property& y) {
           return x.first == y.first && DeepEqual(x.second, y.second);
         });
}

bool ContainsUnknowns(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::kComputed:
      return true;
    case Value::Kind::kOutput:
      return !v.as_output().known || ContainsUnknowns(v.as_output().element);
    case Value::Kind::kSecret:
      return ContainsUnknowns(v.as_secret().element);
    case Value::Kind::kObject:
      return ContainsUnknowns(v.as_object());
    case Value::Kind::kArray:
      return std::any_of(v.as_array().begin(), v.as_array().end(), [](const Value& e) { return ContainsUnknowns(e); });
    default:
      return false;
  }
}

bool ContainsUnknowns(const PropertyMap& m) {
  if (!m.text().empty()) return false;  // model/property_text.h says what texts hold
  return std::any_of(m.begin(), m.end(), [](const Property& entry) { return ContainsUnknowns(entry.second); });
}

bool ContainsSecrets(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::kSecret:
      return true;
    case Value::Kind::kOutput:
      return v.as_output().secret || ContainsSecrets(v.as_output().element);
    case Value::Kind::kObject:
      return ContainsSecrets(v.as_object());
    case Value::Kind::kArray:
      return std::any_of(v.as_array().begin(), v.as_array().end(), [](const Value& e) { return ContainsSecrets(e); });
    default:
      return false;
  }
}

bool ContainsSecrets(const PropertyMap& m) {
  if (!m.text().empty()) return HoldsSealedSecrets(m.text());
  return std::any_of(m.begin(), m.end(), [](const Property& entry) { return ContainsSecrets(entry.second); });
}

// No outputs are in a text.
template <class F>
PropertyMap RewriteUnlessText(const PropertyMap& m, const F& f) {
  return m.text().empty() || ContainsSecrets(m) ? Rewrite(m, f) : m;
}

Value StripSecrets(const Value& v) { return Rewrite(v, StripSecret); }
PropertyMap StripSecrets(const PropertyMap& m) { return RewriteUnlessText(m, StripSecret); }

Value FlattenOutputs(const Value& v) { return Rewrite(v, FlattenOne); }
PropertyMap FlattenOutputs(const PropertyMap& m) { return RewriteUnlessText(m, FlattenOne); }

Value StripSecretsAndOutputs(const Value& v) { return Rewrite(v, StripOne); }
PropertyMap StripSecretsAndOutputs(const PropertyMap& m) { return RewriteUnlessText(m, StripOne); }

namespace {
Value MaskOne(const Value& v) {
  const bool secret = v.is_secret() || (v.is_output() && v.as_output().secret);
  return secret ? Value("[secret]") : v;
}
}  // namespace

Value MaskSecrets(const Value& v) { return Rewrite(v, MaskOne); }
PropertyMap MaskSecrets(const PropertyMap& m) { return RewriteUnlessText(m, MaskOne); }

void CollectOutputDependencies(const Value& v, std::vector<Urn>* urns) {
  switch (v.kind()) {
    case Value::Kind::kArray:
      for (const Value& element : v.as_array()) CollectOutputDependencies(element, urns);
      return;
    case Value::Kind::kObject:
      for (const auto& [key, value] : v.as_object()) CollectOutputDependencies(value, urns);
      return;
    case Value::Kind::kSecret:
      return CollectOutputDependencies(v.as_secret().element, urns);
    case Value::Kind::kOutput: {
      const OutputData& output = v.as_output();
      urns->insert(urns->end(), output.dependencies.begin(), output.dependencies.end());
      return CollectOutputDependencies(output.element, urns);
    }
    default:
      return;
  }
}

}  // namespace kingpost
