// SPDX-License-Identifier: Apache-2.0
// From recorded values to expressions: shaped by the schema where there is one, texts that name other resources turned
// into references, secrets into settings. Any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "languages/codegen/references.h"

namespace kingpost::codegen {

// The settings that stand for secrets. Equal values of one resource's copies share nothing: each place has its own.
class Settings {
 public:
  // `known`: what the stack's configuration holds in clear, by name; a setting that has the value already is used.
  explicit Settings(std::map<std::string, std::string> known) : known_(std::move(known)) {}

  // A setting of this name, or with a number if another value has it.
  ExpressionPtr Add(const std::string& wish, const Value& plain);

  const std::vector<Setting>& declared() const { return declared_; }
  const std::map<std::string, std::string>& added() const { return added_; }  // that the configuration lacks

 private:
  std::map<std::string, std::string> known_, added_;
  std::vector<Setting> declared_;
};

// A note for the user about a resource: "password is required and not known: fill it in".
using Notes = std::vector<std::string>;

// What the values of a program's resources refer to, and what they need.
struct Surroundings {
  References references;
  Settings settings;
  std::map<Urn, std::string> names;  // of the variables of resources, also of some that are not declared
  Notes notes;
};

// The inputs as far as the schema has them; all of them, as they are, without one.
std::vector<NamedExpression> InputsOf(const State& state, const schema::Resource* schema, Surroundings* around);

}  // namespace kingpost::codegen
