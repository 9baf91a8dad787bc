// SPDX-License-Identifier: Apache-2.0
// From recorded values to expressions: shaped by the schema where there is one, texts that name other resources turned
// into references, secrets into settings. Any thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "languages/codegen/program.h"
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

class ValueBuilder {
 public:
  ValueBuilder(const State& state, References* references, Settings* settings, const std::map<Urn, std::string>& names,
               Notes* notes)
      : state_(state), references_(*references), settings_(*settings), names_(names), notes_(*notes) {}

  // The inputs as far as the schema has them; all of them, as they are, without one.
  std::vector<NamedExpression> Inputs(const schema::Resource* schema);

 private:
  using Path = std::vector<std::string>;

  void AddInput(const schema::Property& property, const Value* value, std::vector<NamedExpression>* fields);
  ExpressionPtr Property(const schema::Property& property, const Value& value, const Path& path);
  ExpressionPtr Build(const Value& value, const schema::Type& type, const Path& path);
  ExpressionPtr BuildText(const std::string& text, const Path& path);
  ExpressionPtr BuildList(const Array& list, const schema::Type& type, const Path& path);
  ExpressionPtr BuildObject(const PropertyMap& object, const schema::Type& type, const Path& path);
  ExpressionPtr BuildMap(const PropertyMap& object, const schema::Type& element, const Path& path);
  ExpressionPtr BuildSecret(const Value& element, const schema::Type& type, const Path& path);
  ExpressionPtr BuildAsset(const AssetData& asset, const Path& path, bool secret);
  ExpressionPtr BuildArchive(const ArchiveData& archive, const Path& path);
  ExpressionPtr BuildReference(const ResourceReference& reference, const Path& path);
  ExpressionPtr Absent(const schema::Property& property, const Path& path);
  std::string SettingName(const Path& path) const;
  void Note(const Path& path, const std::string& text);

  const State& state_;
  References& references_;
  Settings& settings_;
  const std::map<Urn, std::string>& names_;
  Notes& notes_;
};

// The alternative of a union that the value belongs to; other types as they are.
const schema::Type& Narrow(const schema::Type& type, const Value& value);

// A provider's inputs travel as texts: "true" of a boolean, "[1]" of a list.
PropertyMap ProviderInputs(const PropertyMap& inputs, const schema::Resource* schema);

}  // namespace kingpost::codegen
