// SPDX-License-Identifier: Apache-2.0
// What is known of a value before it is there: what a schema says, or what an expression shows. Any thread; values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "languages/pcl/package_schema.h"

namespace kingpost::yaml {

class Type;
struct TypedField {
  std::string name;
  std::shared_ptr<const Type> type;
};

class Type {
 public:
  enum class Kind { kAny, kText, kNumber, kBool, kAsset, kArchive, kList, kMap, kObject, kResource, kUnion };

  Type() = default;                     // kAny
  Type(Kind kind) : kind_(kind) {}      // NOLINT: implicit by design
  Type(const pcl::TypeSchema& schema);  // NOLINT: implicit by design
  static Type ListOf(Type element);
  static Type MapOf(Type element);
  static Type ObjectOf(std::vector<TypedField> fields);
  static Type ObjectOf(const std::vector<pcl::PropertySchema>& properties);
  static Type UnionOf(std::vector<Type> alternatives);  // of one: that one
  static Type ResourceOf(const pcl::ResourceSchema& schema);

  Kind kind() const { return kind_; }
  Type element() const;
  std::vector<TypedField> fields() const;                            // of objects and resources
  bool of_schema() const { return schema_.has_value() || answer_; }  // its fields have the names of a schema
  std::vector<Type> alternatives() const;
  std::vector<Value> choices() const;  // of an enumeration
  // What a schema requires of an object.
  std::vector<pcl::PropertySchema> properties() const;
  // For messages: "List<string>", "{a: number}", the token of a type that has one.
  std::string text() const;

 private:
  Kind kind_ = Kind::kAny;
  std::optional<pcl::TypeSchema> schema_;
  std::vector<Type> parts_;  // an element, or alternatives
  std::vector<TypedField> fields_;
  std::string token_;    // of a resource
  bool answer_ = false;  // of a provider's function
};

}  // namespace kingpost::yaml
