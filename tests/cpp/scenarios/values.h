// SPDX-License-Identifier: Apache-2.0
// Names of resources and values as scenario files write them.
//
//   a string "$unknown"                     a value that is not known yet
//   "${a.id}" "${a.urn}" "${a.KEY}"         what the program got for the resource a
//   {$secret: V} {$output: V, deps: [a], secret: true, known: false} {$asset: TEXT} {$archive: {..}} {$ref: a}
//   {$bytes: HEX}                           a string that need not be UTF-8
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/value.h"
#include "scenarios/scenario.h"

namespace kingpost::scenarios {

inline constexpr char kStack[] = "dev";
inline constexpr char kProject[] = "shop";
inline constexpr char kDefaultType[] = "pkg:m:R";

// The program's knowledge of a resource that it registered.
struct Handle {
  Urn urn;
  std::string id;
  PropertyMap outputs;
  bool unknown = false;  // nothing is known
  bool custom = true;
};

// Finds the resource that a word means. One per run of a scenario; survives its acts.
class Names {
 public:
  bool dry_run = false;

  void Learn(const std::string& label, const Handle& handle);
  // Forgets the answers of the program before this one; the names stay.
  void NewProgram();
  const Handle* Find(const std::string& label) const;

  // The URN of a label; for a name that is not registered yet, one of kDefaultType without a parent; or the URN itself.
  std::string UrnOf(const std::string& word) const;
  // The reference of the package that the program registered under this label, or the word itself.
  std::string PackageOf(const std::string& word) const;
  void LearnPackage(const std::string& label, const std::string& reference) { packages_[label] = reference; }
  std::string ReferenceOf(const std::string& provider) const;  // "urn::id"
  std::string Label(const Urn& urn) const;
  // Every URN of a text replaced by its label, and provider references by the provider's.
  std::string Shorten(const std::string& text) const;

  Value ToValue(const Json& json) const;  // throws Mistake
  PropertyMap ToProperties(const Json& json) const;
  Json ToJson(const Value& value) const;
  Json ToJson(const PropertyMap& properties) const;
  // The labels whose handles a value mentions.
  void Mentions(const Json& json, std::set<std::string>* labels) const;

 private:
  Value Resolve(const std::string& expression) const;
  Value FromText(const std::string& text) const;

  std::map<std::string, Handle> handles_;
  std::map<std::string, std::string> packages_;
  std::map<std::string, std::string> urn_of_;    // label -> URN
  std::map<std::string, std::string> label_of_;  // URN -> label
};

}  // namespace kingpost::scenarios
