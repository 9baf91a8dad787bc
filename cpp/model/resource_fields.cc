// SPDX-License-Identifier: Apache-2.0
// Holds the table to the structs: a member without a row does not compile.
#include "model/resource_fields.h"

#include <utility>

namespace kingpost {

namespace {

// Converts to whatever a member is; never called.
struct Anything {
  Anything(size_t);
  template <class T>
  operator T() const {
    __builtin_unreachable();
  }
};

template <class T, size_t... i>
constexpr bool TakesValues(std::index_sequence<i...>) {
  return requires { T{Anything(i)...}; };
}

// How many values an aggregate takes; each of its bases is one of them.
template <class T, size_t most = 32>
constexpr size_t ValuesOf() {
  if constexpr (TakesValues<T>(std::make_index_sequence<most>())) {
    return most;
  } else {
    return ValuesOf<T, most - 1>();
  }
}

template <class Owner, class T, class Class>
constexpr bool Belongs(T Class::*) {
  return std::is_same_v<Owner, Class>;
}
template <class Owner>
constexpr bool Belongs(std::nullptr_t) {
  return false;
}

// The rows of members that `Owner` itself declares.
template <class Owner>
constexpr size_t RowsOf() {
  size_t rows = 0;
  ForEachResourceField([&rows](const auto& field) {
    if (Belongs<Owner>(field.goal) || Belongs<Owner>(field.state)) ++rows;
  });
  return rows;
}

template <class T, size_t bases = 0>
constexpr bool HasRowForEachMember() {
  return RowsOf<T>() == ValuesOf<T>() - bases;
}

static_assert(HasRowForEachMember<SteadyOptions>(), "a member of SteadyOptions has no row in model/resource_fields.h");
static_assert(HasRowForEachMember<OpenOptions>(), "a member of OpenOptions has no row in model/resource_fields.h");
static_assert(HasRowForEachMember<PackageOptions>(),
              "a member of PackageOptions has no row in model/resource_fields.h");
static_assert(HasRowForEachMember<DeclaredFields, 1>(),
              "a member of DeclaredFields has no row in model/resource_fields.h");
static_assert(HasRowForEachMember<State, 1>(), "a member of State has no row in model/resource_fields.h");
static_assert(HasRowForEachMember<Goal, 2>(), "a member of Goal has no row in model/resource_fields.h");

}  // namespace

}  // namespace kingpost
