// SPDX-License-Identifier: Apache-2.0
// Names: URNs, type tokens and provider references (rows 2.1, 1.5 and 2.14).
//
//   urn:pulumi:<stack>::<project>::<parent type$...$type>::<name>
//
// A Urn is text that may be invalid; ask valid() at the edges. The name is everything after the third
// "::" and may itself hold "::".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace kingpost {

inline constexpr std::string_view kRootStackType = "pulumi:pulumi:Stack";
// Stands for a string that is not known yet; also the ID of a provider that a preview would create.
inline constexpr std::string_view kUnknownString = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

class Urn {
 public:
  Urn() = default;
  explicit Urn(std::string text)
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}

  // parent_type is the parent's qualified type; it is left out when empty or the root stack's.
  static Urn Make(std::string_view stack, std::string_view project, std::string_view parent_type, std::string_view type,
                  std::string_view name);
  static Result<Urn> Parse(std::string_view text);  // "invalid URN %q"

  bool empty() const { return !text_; }
  bool valid() const;
  const std::string& str() const { return text_ ? *text_ : kNoText; }

  std::string_view stack() const;
  std::string_view project() const;
  std::string_view qualified_type() const;  // with the parents' types
  std::string_view type() const;            // the last part of the qualified type
  std::string_view name() const;

  // The same URN with one part replaced.
  Urn Rename(std::string_view name) const;
  Urn RenameStack(std::string_view stack) const;
  Urn RenameProject(std::string_view project) const;

  friend bool operator==(const Urn& a, const Urn& b) { return a.text_ == b.text_ || a.str() == b.str(); }
  friend bool operator!=(const Urn& a, const Urn& b) { return !(a == b); }
  friend bool operator<(const Urn& a, const Urn& b) { return a.str() < b.str(); }

 private:
  static inline const std::string kNoText;
  std::shared_ptr<const std::string> text_;  // null: empty. Copies share it: a resource is named in many places
};

// "package:module:name", module may be empty only in "pkg:name" short form handled by the callers.
bool IsValidTypeToken(std::string_view type);
std::string_view PackageOfType(std::string_view type);             // "aws" of "aws:s3/bucket:Bucket"
bool IsProviderType(std::string_view type);                        // "pulumi:providers:<package>"
std::string_view ProviderPackage(std::string_view provider_type);  // "<package>"
std::string MakeProviderType(std::string_view package);
bool IsDefaultProviderUrn(const Urn& urn);  // a provider whose name begins "default"

// "urn::id"; split at the last "::".
struct ProviderReference {
  Urn urn;
  std::string id;

  static Result<ProviderReference> Parse(std::string_view text);
  std::string str() const { return urn.str() + "::" + id; }
  friend bool operator==(const ProviderReference& a, const ProviderReference& b) {
    return a.urn == b.urn && a.id == b.id;
  }
  friend bool operator<(const ProviderReference& a, const ProviderReference& b) {
    return a.urn != b.urn ? a.urn < b.urn : a.id < b.id;
  }
};

}  // namespace kingpost

template <>
struct std::hash<kingpost::Urn> {
  size_t operator()(const kingpost::Urn& urn) const noexcept { return std::hash<std::string>()(urn.str()); }
};
