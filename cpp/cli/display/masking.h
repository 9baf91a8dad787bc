// What may be shown of values and messages: secrets never, contents of text assets not.
//
// Secrets are known in two ways: as secret values, which carry the fact with them, and as the plaintexts of secret
// configuration, which a program may have printed or put into a plain string. Immutable once shared; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace kingpost {

inline constexpr char kSecretMask[] = "[secret]";

class Masking {
 public:
  Masking() = default;
  // Plaintexts shorter than three characters are not looked for in texts: they would occur everywhere.
  Masking(std::vector<std::string> plaintexts, bool show_secrets);

  bool show_secrets() const { return show_secrets_; }
  std::string Text(std::string_view text) const;
  // Secrets become secrets of "[secret]" (or what they hold, if shown), outputs become their element or unknown.
  PropertyMap Properties(const PropertyMap& properties) const;

 private:
  Value Mask(const Value& value) const;

  std::vector<std::string> plaintexts_;  // longest first
  bool show_secrets_ = false;
};

}  // namespace kingpost
