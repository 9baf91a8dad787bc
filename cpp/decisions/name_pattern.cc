// SPDX-License-Identifier: Apache-2.0
#include "decisions/name_pattern.h"

#include <algorithm>
#include <optional>

#include "base/chacha8.h"
#include "base/digest.h"
#include "base/encoding.h"
#include "base/text.h"
#include "model/deployment_json.h"
#include "model/property_path.h"

namespace kingpost::decisions {

namespace {

constexpr size_t kCountMax = 4096;  // characters of one expression; no provider takes longer names
constexpr std::string_view kConfigStart = "${config.";

// "key", or a path into an object: "key.part[0]".
Result<std::string> ConfigText(const std::string& key, const PatternContext& context) {
  const Status missing(Code::kInvalidArgument, "no value found for key " + Quote(key) + "; set it with 'config set'");
  Result<PropertyPath> path = PropertyPath::Parse(key);
  if (!path.ok()) return path.status().Wrap("invalid config key " + Quote(key));
  std::vector<PropertyPath::Element> inner = path->elements();
  if (inner.empty() || !std::holds_alternative<std::string>(inner[0])) return missing;
  auto found = context.config.find(context.project + ":" + std::get<std::string>(inner[0]));
  if (found == context.config.end()) return missing;
  if (inner.size() == 1) return found->second;

  Result<Value> document = DecodeValue(found->second, Urn(), DecodeOptions());
  if (!document.ok()) return missing;
  inner.erase(inner.begin());
  const Value* value = PropertyPath(std::move(inner)).Get(*document);
  if (!value) return missing;
  if (value->is_string()) return value->as_string();
  return EncodeValue(*value, Urn(), EncodeOptions());
}

// ${kind(n)}: what makes n characters of that kind.
struct Expression {
  std::string_view start;
  std::string (*generate)(ChaCha8* random, size_t count);
};

std::string PickFrom(ChaCha8* random, std::string_view characters, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += characters[random->Below(characters.size())];
  return text;
}

std::string GenerateHex(ChaCha8* random, size_t count) {
  return HexEncode(random->Bytes(count / 2 + 1)).substr(0, count);
}
std::string GenerateAlphanum(ChaCha8* random, size_t count) {
  return PickFrom(random, "abcdefghijklmnopqrstuvwxyz0123456789", count);
}
std::string GenerateString(ChaCha8* random, size_t count) {
  return PickFrom(random, "abcdefghijklmnopqrstuvwxyz", count);
}
std::string GenerateNum(ChaCha8* random, size_t count) { return PickFrom(random, "0123456789", count); }

// In this order the stream of random words is used up.
constexpr Expression kExpressions[] = {
    {"${hex(", GenerateHex}, {"${alphanum(", GenerateAlphanum}, {"${string(", GenerateString}, {"${num(", GenerateNum}};
constexpr std::string_view kUuid = "${uuid}";

struct Match {
  size_t begin, end;
  size_t count;
};

// The next "<start>digits)}" from `from` on.
std::optional<Match> FindExpression(std::string_view text, std::string_view start, size_t from) {
  for (size_t begin = text.find(start, from); begin != text.npos; begin = text.find(start, begin + 1)) {
    size_t i = begin + start.size(), count = 0;
    const size_t digits = i;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
      count = std::min(count * 10 + (text[i] - '0'), kCountMax + 1);
    }
    if (i > digits && text.substr(i, 2) == ")}") return Match{begin, i + 2, count};
  }
  return std::nullopt;
}

std::string Generate(const Expression& expression, const std::string& text, ChaCha8* random) {
  std::string out;
  size_t at = 0;
  while (std::optional<Match> match = FindExpression(text, expression.start, at)) {
    out.append(text, at, match->begin - at);
    out += expression.generate(random, std::min(match->count, kCountMax));
    at = match->end;
  }
  return out.append(text, at);
}

// 16 random bytes as they are: Pulumi does not mark the version either.
std::string UuidText(const std::string& bytes) {
  std::string text = HexEncode(bytes);
  for (size_t dash : {20, 16, 12, 8}) text.insert(dash, "-");
  return text;
}

Status CheckCounts(std::string_view pattern) {
  for (const Expression& expression : kExpressions) {
    size_t at = 0;
    while (std::optional<Match> match = FindExpression(pattern, expression.start, at)) {
      at = match->end;
      if (match->count <= kCountMax) continue;
      return Status(Code::kInvalidArgument,
                    "pattern " + Quote(pattern) + " asks for more than " + std::to_string(kCountMax) + " characters");
    }
  }
  return Status();
}

}  // namespace

Result<std::string> ResolvePattern(std::string pattern, const PatternContext& context) {
  pattern = Replaced(std::move(pattern), "${organization}", context.organization);
  pattern = Replaced(std::move(pattern), "${project}", context.project);
  pattern = Replaced(std::move(pattern), "${stack}", context.stack);
  size_t at = 0;
  while ((at = pattern.find(kConfigStart, at)) != pattern.npos) {
    const size_t key = at + kConfigStart.size();
    const size_t end = pattern.find('}', key);
    if (end == pattern.npos) break;
    if (end == key) {  // "${config.}" names no key and stays
      at = end;
      continue;
    }
    Result<std::string> text = ConfigText(pattern.substr(key, end - key), context);
    if (!text.ok()) return text.status();
    pattern.replace(at, end + 1 - at, *text);
    at += text->size();
  }
  Status counts = CheckCounts(pattern);
  if (!counts.ok()) return counts;
  return pattern;
}

GeneratedName GenerateName(const std::string& pattern, std::string_view logical_name, const std::string& seed) {
  Sha256 digest;
  digest.Update(seed);
  ChaCha8 random(digest.Digest());
  const std::string named = Replaced(pattern, "${name}", logical_name);
  std::string text = named;
  for (const Expression& expression : kExpressions) text = Generate(expression, text, &random);
  if (text.find(kUuid) != text.npos) text = Replaced(std::move(text), kUuid, UuidText(random.Bytes(16)));
  return {text, text != named};
}

}  // namespace kingpost::decisions
