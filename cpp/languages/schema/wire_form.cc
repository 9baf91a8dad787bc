// SPDX-License-Identifier: Apache-2.0
// The form of values of types on the wire, where no value has its type: a number is a number, an object is its names.
#include <algorithm>
#include <set>

#include "languages/schema/package.h"

namespace kingpost::schema {

namespace {

using Kind = Type::Kind;

// Numbers are one kind on the wire, and so are objects.
Kind WireKind(const Type& type) {
  const Kind kind = type.plain_kind();
  if (kind == Kind::kInteger) return Kind::kNumber;
  return kind == Kind::kMap ? Kind::kObject : kind;
}

// A type, or the only value that it may have.
struct Bounded {
  const Type* type;
  const Constant* constant = nullptr;
};

Bounded BoundOf(const Property& property) { return {property.type, property.constant ? &*property.constant : nullptr}; }

// All values that there are; empty for any.
std::vector<Value> ValuesOf(const Bounded& bounded) {
  std::vector<Value> values;
  if (bounded.constant) {
    values.push_back(ValueOf(*bounded.constant));
  } else if (bounded.type->enumeration) {
    for (const EnumValue& value : bounded.type->enumeration->values) values.push_back(ValueOf(value.value));
  }
  return values;
}

// Resolves a name, and each type of a union.
void Flatten(const Type& type, std::vector<const Type*>* flat) {
  if (type.kind == Kind::kUnion) {
    for (const Type* element : type.elements) Flatten(*element, flat);
  } else if (type.kind == Kind::kToken && type.default_type) {
    Flatten(*type.default_type, flat);
  } else {
    flat->push_back(&type);
  }
}

// Whether a value may be of both of two types. A value is finite: two that share one only if they share one are apart.
class Comparison {
 public:
  bool MayMeet(const Bounded& a, const Bounded& b) {
    std::vector<const Type*> of_a, of_b;
    Flatten(*a.type, &of_a);
    Flatten(*b.type, &of_b);
    return std::ranges::any_of(of_a, [&](const Type* one) {
      return std::ranges::any_of(of_b, [&](const Type* other) { return Meet({one, a.constant}, {other, b.constant}); });
    });
  }

 private:
  bool Meet(const Bounded& a, const Bounded& b) {
    const Kind kind = WireKind(*a.type), other = WireKind(*b.type);
    if (kind == Kind::kAny || other == Kind::kAny) return true;
    if (kind != other) return false;
    if (kind == Kind::kResource) return a.type->token == b.type->token;  // which stands in their URNs
    return kind == Kind::kObject ? ObjectsMeet(*a.type, *b.type) : ShareAValue(ValuesOf(a), ValuesOf(b));
  }

  static bool ShareAValue(const std::vector<Value>& a, const std::vector<Value>& b) {
    const auto equal = [](const Value& one, const Value& other) { return DeepEqual(one, other); };
    return a.empty() || b.empty() || std::ranges::find_first_of(a, b, equal) != a.end();
  }

  bool ObjectsMeet(const Type& a, const Type& b) {
    if (!a.object && !b.object) return true;  // empty maps
    if (!under_way_.insert({&a, &b}).second) return false;
    const bool meet = !a.object   ? MapMeets(a, *b.object)
                      : !b.object ? MapMeets(b, *a.object)
                                  : ObjectsMeet(*a.object, *b.object);
    under_way_.erase({&a, &b});
    return meet;
  }

  bool MapMeets(const Type& map, const ObjectType& object) {
    const Type& element = map.element ? *map.element : AnyType();
    return std::ranges::all_of(object.properties, [&](const Property& property) {
      return !property.required || MayMeet(BoundOf(property), {&element});
    });
  }

  // A value has no other names than its type.
  bool ObjectsMeet(const ObjectType& a, const ObjectType& b) {
    return HasAllThat(a, b) && HasAllThat(b, a) && std::ranges::all_of(a.properties, [&](const Property& property) {
             const Property* other = FindProperty(b.properties, property.name);
             const bool always = other && (property.required || other->required);
             return !always || MayMeet(BoundOf(property), BoundOf(*other));
           });
  }

  // Whether the other type has every name that this one needs.
  static bool HasAllThat(const ObjectType& needing, const ObjectType& other) {
    return std::ranges::all_of(needing.properties, [&](const Property& property) {
      return !property.required || FindProperty(other.properties, property.name);
    });
  }

  std::set<std::pair<const Type*, const Type*>> under_way_;
};

}  // namespace

bool IsDistinguishableOnWire(const Type& type) {
  std::vector<const Type*> members;
  Flatten(type, &members);
  for (size_t i = 0; i < members.size(); ++i) {
    if (WireKind(*members[i]) == Kind::kAny) return false;
    for (size_t j = i + 1; j < members.size(); ++j) {
      if (Comparison().MayMeet({members[i]}, {members[j]})) return false;
    }
  }
  return true;
}

}  // namespace kingpost::schema
