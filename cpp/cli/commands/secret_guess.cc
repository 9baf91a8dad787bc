// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/secret_guess.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/text.h"

namespace kingpost {

namespace {

constexpr size_t kJudgedBytesMax = 16;  // of a value: what follows makes it no easier to tell
constexpr double kHardBits = 80;        // what is as hard to guess as this is a secret
constexpr double kDenseBits = 40;       // and so is half of that, if it says more in each letter than a language does
constexpr double kDenseBitsPerByte = 3;
constexpr size_t kShortestWord = 4;
constexpr double kWordBits = 9;             // to guess one of the usual words
constexpr double kWordBitsPerLetter = 1;    // and more for each letter after the first ones
constexpr double kDigitOfNumberBits = 2.9;  // a number alone is a size, a port, an account, and no secret

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsNamedLikeSecret(const std::string& name) {
  const std::string lowered = Lowered(name);
  for (const char* word : {"pass", "pwd", "secret", "token"}) {
    if (lowered.find(word) != std::string::npos) return true;
  }
  return false;
}

// Letters that do not follow one another in words.
bool HasRarePair(const std::string& word) {
  constexpr std::string_view kRare =
      " bk bq cj dq dx fb fk fq gk gx hk hx jb jc kd kf kg kj kq kx kz lx mj mq mx pj px pz qz sx tq tx vb vf vk vm vp "
      "wq wv "
      "wx xb xd xg xj xk xl xm xn xr xv xz yj yq zb zf zj zn zp zq zs zx ";
  for (size_t i = 0; i + 1 < word.size(); ++i) {
    if (kRare.find(" " + word.substr(i, 2) + " ") != std::string_view::npos) return true;
  }
  return false;
}

// It can be spoken: vowels now and then, and no letters beside each other that no language has there.
bool IsLikeWord(const std::string& word) {
  size_t vowels = 0, run = 0, longest_run = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    constexpr std::string_view kVowels = "aeiouy";
    const bool is_vowel = kVowels.find(word[i]) != std::string_view::npos;
    const bool goes_on = i > 0 && is_vowel == (kVowels.find(word[i - 1]) != std::string_view::npos);
    vowels += is_vowel;
    run = goes_on ? run + 1 : 1;
    longest_run = std::max(longest_run, run);
  }
  return vowels * 5 >= word.size() && vowels * 3 <= word.size() * 2 && longest_run < 5 && !HasRarePair(word);
}

// Letters from here on that may be one word: all of one case, or with a capital at the beginning.
size_t LettersAt(const std::string& text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsUpper(text[end])) ++end;
  if (end - at > 1) return end - at;
  while (end < text.size() && IsLower(text[end])) ++end;
  return end - at;
}

// For one letter: of the kinds that the text has.
double BitsPerLetter(const std::string& text) {
  const auto has = [&](bool (*is)(char)) { return std::any_of(text.begin(), text.end(), is); };
  const bool digits = has(IsDigit), lower = has(IsLower), upper = has(IsUpper);
  const bool others = has([](char c) { return !IsLower(c) && !IsUpper(c) && !IsDigit(c); });
  if (digits && !lower && !upper && !others) return kDigitOfNumberBits;
  return std::log2(10 * digits + 26 * lower + 26 * upper + 33 * others);
}

// "aaaa" and "1234" go on as anybody would guess.
bool GoesOn(const std::string& text, size_t at) {
  if (at >= 1 && text[at] == text[at - 1]) return true;
  const int step = at >= 2 ? text[at] - text[at - 1] : 0;
  return (step == 1 || step == -1) && step == text[at - 1] - text[at - 2];
}

double BitsToGuess(const std::string& text) {
  const double per_letter = BitsPerLetter(text);
  double bits = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t letters = LettersAt(text, at);
    if (letters >= kShortestWord && IsLikeWord(Lowered(text.substr(at, letters)))) {
      bits += kWordBits + kWordBitsPerLetter * static_cast<double>(letters - kShortestWord);
      at += letters;
      continue;
    }
    bits += GoesOn(text, at) ? 1 : per_letter;
    ++at;
  }
  return bits;
}

}  // namespace

bool LooksLikeSecret(const std::string& key, const std::string& value) {
  if (value.empty() || !IsNamedLikeSecret(key)) return false;
  const std::string judged = value.substr(0, kJudgedBytesMax);
  const double bits = BitsToGuess(judged);
  return bits >= kHardBits || (bits >= kDenseBits && bits >= kDenseBitsPerByte * static_cast<double>(judged.size()));
}

}  // namespace kingpost
