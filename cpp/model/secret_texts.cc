// SPDX-License-Identifier: Apache-2.0
#include "model/secret_texts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/trim.h"
#include "model/deployment_json.h"

namespace kingpost {

namespace {

uint32_t Key(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
  return byte(0) | byte(1) << 8 | byte(2) << 16;
}

// The lines of a text that has several. Programs' output is passed on line by line.
void AddLines(std::string_view text, std::vector<std::string_view>* parts) {
  if (text.find('\n') == text.npos) return;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    parts->push_back(TrimmedView(text.substr(begin, end - begin)));
    begin = end + 1;
  }
}

void CollectTexts(const Value& value, std::vector<std::string>* texts);

void CollectTexts(const PropertyMap& properties, std::vector<std::string>* texts) {
  for (const auto& [key, value] : properties) CollectTexts(value, texts);
}

void CollectTexts(const Value& value, std::vector<std::string>* texts) {
  switch (value.kind()) {
    case Value::Kind::kString:
      texts->push_back(value.as_string());
      return;
    case Value::Kind::kNumber: {
      std::string digits;
      if (std::isfinite(value.as_number())) AppendJsonNumber(value.as_number(), &digits);
      texts->push_back(std::move(digits));
      return;
    }
    case Value::Kind::kArray:
      for (const Value& element : value.as_array()) CollectTexts(element, texts);
      return;
    case Value::Kind::kObject:
      return CollectTexts(value.as_object(), texts);
    case Value::Kind::kSecret:
      return CollectTexts(value.as_secret().element, texts);
    case Value::Kind::kOutput:
      return CollectTexts(value.as_output().element, texts);
    case Value::Kind::kAsset:
      if (value.as_asset().kind == AssetData::Kind::kText) texts->push_back(value.as_asset().text);
      return;
    case Value::Kind::kArchive:
      return CollectTexts(value.as_archive().assets, texts);
    default:
      return;
  }
}

// The texts of a JSON document: programs take it apart and print the parts.
std::vector<std::string> TextsOfDocument(std::string_view text) {
  std::vector<std::string> texts;
  const std::string_view document = TrimmedView(text);
  if (document.empty() || (document[0] != '{' && document[0] != '[')) return texts;
  const Result<Value> value = DecodeValue(document, Urn(), DecodeOptions());
  if (value.ok()) CollectTexts(*value, &texts);
  return texts;
}

}  // namespace

void SecretTexts::Index::Add(std::string spelling) {
  if (spelling.size() < kShortestSet) return;
  begins.set(Key(spelling) & 0xffff);
  lengths[Key(spelling)].insert(spelling.size());
  spellings.insert(std::move(spelling));
}

size_t SecretTexts::Index::MatchAt(std::string_view text, size_t at) const {
  text.remove_prefix(at);
  if (text.size() < kShortestSet || !begins.test(Key(text) & 0xffff)) return 0;
  const auto found = lengths.find(Key(text));
  if (found == lengths.end()) return 0;
  for (const size_t length : found->second) {
    if (length <= text.size() && spellings.contains(text.substr(0, length))) return length;
  }
  return 0;
}

void SecretTexts::Add(std::string_view plaintext, size_t shortest) {
  if (plaintext.size() < shortest) return;
  std::lock_guard lock(known_mutex_);
  const auto [known, added] = known_.emplace(plaintext, shortest);
  if (!added && known->second <= shortest) return;
  known->second = shortest;
  fresh_.emplace_back(plaintext, shortest);
}

void SecretTexts::AddAll(const Value& secret, size_t shortest) {
  if (secret.is_string()) return Add(secret.as_string(), shortest);
  std::vector<std::string> texts;
  CollectTexts(secret, &texts);
  for (const std::string& text : texts) Add(text, shortest);
}

void SecretTexts::IndexFresh() const {
  // A line of a key file is worth hiding, a line "}" of a document is not.
  constexpr size_t kShortestPart = 10;
  std::vector<std::pair<std::string, size_t>> fresh;
  {
    std::lock_guard lock(known_mutex_);
    fresh.swap(fresh_);
  }
  for (const auto& [plaintext, shortest] : fresh) {
    for (std::string& spelling : SpellingsOf(plaintext)) index_.Add(std::move(spelling));
    std::vector<std::string_view> parts;
    AddLines(plaintext, &parts);
    const std::vector<std::string> texts = TextsOfDocument(plaintext);
    for (const std::string& text : texts) {
      // A value that was set by hand was meant as a whole: its parts count like secrets that appeared in the run.
      if (text.size() >= (shortest == kShortestSet ? kShortestSeen : kShortestPart)) parts.push_back(text);
      AddLines(text, &parts);
    }
    for (const std::string_view part : parts) {
      if (part.size() < kShortestSeen || (part.size() < kShortestPart && texts.empty())) continue;
      for (std::string& spelling : SpellingsOf(part)) index_.Add(std::move(spelling));
    }
  }
}

std::string SecretTexts::Mask(std::string_view text) const {
  std::lock_guard lock(index_mutex_);
  IndexFresh();
  if (index_.spellings.empty()) return std::string(text);
  constexpr std::string_view kMask = kSecretMask;
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    size_t length = text[at] == kMask[0] && text.substr(at).starts_with(kMask) ? kMask.size() : 0;
    if (length == 0) length = index_.MatchAt(text, at);
    if (length == 0) {
      out += text[at++];
      continue;
    }
    out += kMask;
    at += length;
  }
  return out;
}

SecretTexts& SecretsSeen() {
  static auto* const kSeen = new SecretTexts();  // never freed: threads may look to the last moment
  return *kSeen;
}

}  // namespace kingpost
