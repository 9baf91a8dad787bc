// SPDX-License-Identifier: Apache-2.0
// Decides which values and messages may be shown: secrets never, contents of text assets not.
//
// Secrets are known in three ways. A secret value carries the fact with it. Plaintexts of secret configuration may
// appear in plain strings, because a program printed them. Messages are also searched for the plaintexts of all secret
// values of the run (model/secret_texts.h). Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/secret_texts.h"
#include "model/value.h"

namespace kingpost {

class Masking {
 public:
  Masking() = default;
  // `configured` are those of the configuration, looked for in values too; `seen` may be null, and else outlives this.
  Masking(const std::vector<std::string>& configured, bool show_secrets, const SecretTexts* seen = nullptr);

  bool show_secrets() const { return show_secrets_; }
  std::string Text(std::string_view text) const;
  // A text within a value: only what is configured is looked for, because a value that is secret says so itself.
  std::string Inner(const std::string& text) const;
  std::vector<std::string> Texts(const std::vector<std::string>& texts) const;
  // Secrets become secrets of "[secret]" (or what they hold, if shown), outputs become their element or unknown.
  PropertyMap Properties(const PropertyMap& properties) const;

 private:
  Value Mask(const Value& value) const;

  SecretTexts configured_;
  bool has_configured_ = false;
  const SecretTexts* seen_ = nullptr;
  bool show_secrets_ = false;
};

}  // namespace kingpost
