// SPDX-License-Identifier: Apache-2.0
// Looks for plaintexts of secrets in shown text. Messages of programs, providers and tools spell out a secret without
// knowing it: as it is, line by line, or encoded as JSON, Python, a URL or Base64.
//
// Adding costs a look-up; how a secret may be spelled is worked out when the next text is looked at. Looking is one
// pass over the text, however many secrets there are. Any thread.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/value.h"

namespace kingpost {

inline constexpr char kSecretMask[] = "[secret]";

class SecretTexts {
 public:
  // Shorter ones occur in words that have nothing to do with them. Who sets a secret by hand means it, though.
  static constexpr size_t kShortestSet = 3, kShortestSeen = 6;

  void Add(std::string_view plaintext, size_t shortest = kShortestSeen);
  // Each text and number in the value of a secret.
  void AddAll(const Value& secret, size_t shortest = kShortestSeen);

  // The text with every secret in it replaced by kSecretMask.
  std::string Mask(std::string_view text) const;

 private:
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  // At a place in a text: does a known text begin with these two bytes? Then visits each length of the texts that
  // begin with these three, the longest first, and looks it up. Keys begin alike by the thousand; their lengths are
  // few.
  struct Index {
    std::bitset<1 << 16> begins;
    std::unordered_map<uint32_t, std::set<size_t, std::greater<>>> lengths;
    std::unordered_set<std::string, TextHash, std::equal_to<>> spellings;

    void Add(std::string spelling);
    size_t MatchAt(std::string_view text, size_t at) const;  // how long; 0 for none
  };
  void IndexFresh() const;

  // `Add` never waits for a search, which may take long while it builds its index.
  mutable std::mutex known_mutex_, index_mutex_;
  std::unordered_map<std::string, size_t> known_;              // with the shortest part that is looked for
  mutable std::vector<std::pair<std::string, size_t>> fresh_;  // not indexed yet
  mutable Index index_;
};

// The secrets that have come by in this process: sent by programs and plugins, and decrypted from states. One for all,
// because what one operation knows to be secret may turn up in the messages of any other.
SecretTexts& SecretsSeen();

// All ways in which `plaintext` may be written within a text, itself the first.
std::vector<std::string> SpellingsOf(std::string_view plaintext);

}  // namespace kingpost
