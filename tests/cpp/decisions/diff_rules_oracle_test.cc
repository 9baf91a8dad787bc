// SPDX-License-Identifier: Apache-2.0
// Checks the engine's rules around Diff on all small property trees, each against a simpler rule:
//     ignoreChanges                   a walker that looks up one path at a time
//     replaceOnChanges                paths compared piece by piece
//     the engine's own comparison     the values at every path
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "decisions/diff_rules.h"
#include "decisions/ignore_changes.h"
#include "model/property_path.h"
#include "model/value_text.h"

namespace kingpost::diff_rules_oracle_test {

using namespace decisions;

// A path piece by piece: keys, indices as "0" and "1", "*" for any.
using Pieces = std::vector<std::string>;

bool IsIndex(const std::string& piece) { return piece == "0" || piece == "1"; }

PropertyPath PathOf(const Pieces& pieces) {
  std::vector<PropertyPath::Element> elements;
  for (const std::string& piece : pieces) {
    if (IsIndex(piece)) {
      elements.emplace_back(piece[0] - '0');
    } else if (piece == "*") {
      elements.emplace_back(PropertyPath::Wildcard());
    } else {
      elements.emplace_back(piece);
    }
  }
  return PropertyPath(std::move(elements));
}

// Null if there is nothing at the first `length` pieces.
const Value* At(const Value& root, const Pieces& path, size_t length) {
  const Value* at = &root;
  for (size_t i = 0; i < length; ++i) {
    while (at->is_secret()) at = &at->as_secret().element;
    if (IsIndex(path[i])) {
      const size_t index = path[i][0] - '0';
      if (!at->is_array() || index >= at->as_array().size()) return nullptr;
      at = &at->as_array()[index];
    } else {
      const Value* child = at->is_object() ? at->as_object().Find(path[i]) : nullptr;
      if (!child) return nullptr;
      at = child;
    }
  }
  return at;
}
const Value* At(const Value& root, const Pieces& path) { return At(root, path, path.size()); }

bool Same(const Value* a, const Value* b) { return a && b ? DeepEqual(*a, *b) : a == b; }

std::vector<Pieces> PathsOf(size_t length, const std::vector<std::string>& pieces) {
  std::vector<Pieces> paths = {{}};
  for (size_t i = 0; i < length; ++i) {
    std::vector<Pieces> longer;
    for (const Pieces& path : paths) {
      for (const std::string& piece : pieces) {
        longer.push_back(path);
        longer.back().push_back(piece);
      }
    }
    paths = std::move(longer);
  }
  return paths;
}

std::vector<Pieces> Expand(const Pieces& pattern) {
  std::vector<Pieces> all;
  for (Pieces& path : PathsOf(pattern.size(), {"a", "b", "0", "1"})) {
    bool fits = true;
    for (size_t i = 0; i < path.size(); ++i) fits = fits && (pattern[i] == "*" || pattern[i] == path[i]);
    if (fits) all.push_back(std::move(path));
  }
  return all;
}

// ---- all trees: numbers, objects of a and b, arrays of up to two, three levels deep

Value Object(const Value* a, const Value* b) {
  PropertyMap map;
  if (a) map.Set("a", *a);
  if (b) map.Set("b", *b);
  return Value(std::move(map));
}

std::vector<Value> SmallTrees() {
  const Value one(1), two(2);
  std::vector<Value> low = {one,
                            two,
                            Object(nullptr, nullptr),
                            Object(&one, nullptr),
                            Object(&two, nullptr),
                            Object(&one, &one),
                            Value(Array()),
                            Value(Array{one}),
                            Value(Array{two}),
                            Value(Array{one, two})};
  std::vector<Value> middle = {one};
  for (const Value& value : low) {
    middle.push_back(Object(&value, nullptr));
    middle.push_back(Value(Array{value}));
    middle.push_back(Value(Array{one, value}));
  }
  std::vector<Value> roots = {Object(nullptr, nullptr), Object(nullptr, &one)};
  for (const Value& value : middle) roots.push_back(Object(&value, nullptr));
  for (const Value& value : low) roots.push_back(Object(&value, &two));
  return roots;
}

// ---- ignoreChanges

struct Ignoring {
  const Value &old, &goal, &result;
  bool refused;
  Pieces pattern;
  std::vector<Pieces> paths;  // that the pattern means

  // A wildcard visits what both have: elements of both arrays, keys of both objects; the last one resets whole objects.
  bool IsVisited(const Pieces& path) const {
    for (size_t i = 0; i < path.size(); ++i) {
      if (pattern[i] != "*") continue;
      const Value *before = At(old, path, i), *after = At(goal, path, i);
      if (!before || !after) return false;
      if (!(before->is_array() && after->is_array()) && !(before->is_object() && after->is_object())) return false;
      if (i + 1 < path.size() && !At(old, path, i + 1)) return false;
    }
    return true;
  }
  // All the way; a step through an element that neither has is refused, as in Pulumi.
  bool IsAlike(const Pieces& path) const {
    for (size_t i = 0; i <= path.size(); ++i) {
      const Value *before = At(old, path, i), *after = At(goal, path, i);
      if (!before != !after || (before && before->kind() != after->kind())) return false;
      if (!before && i < path.size() && IsIndex(path[i - 1])) return false;
    }
    return true;
  }
  bool ChangesLength(const Pieces& path) const {
    for (size_t i = 0; i < path.size(); ++i) {
      if (!IsIndex(path[i])) continue;
      const Value *before = At(old, path, i), *after = At(goal, path, i);
      if (!before || !after || !before->is_array() || !after->is_array()) continue;
      const bool leaf = i + 1 == path.size();
      const bool had = At(old, path, i + 1), has = At(goal, path, i + 1);
      if (leaf ? had != has : !had || !has) return true;
    }
    return false;
  }
  static bool Touches(const Pieces& a, const Pieces& b) {  // one lies in the other
    return std::equal(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin());
  }

  std::string Failure() const {
    const bool plain = std::find(pattern.begin(), pattern.end(), "*") == pattern.end();
    if (plain && refused && IsAlike(pattern)) return "refused for nothing";
    if (plain && !refused && ChangesLength(pattern)) return "not refused";
    for (const Pieces& path : paths) {
      const Value* is = At(result, path);
      const bool reset = Same(is, At(old, path)), kept = Same(is, At(goal, path));
      if (refused ? !reset && !kept : IsVisited(path) ? !reset : !kept) return "wrong at " + PathOf(path).str();
    }
    for (size_t length = 1; length <= 3; ++length) {
      for (const Pieces& other : AllPaths()[length]) {
        const bool touched =
            std::any_of(paths.begin(), paths.end(), [&](const Pieces& path) { return Touches(path, other); });
        if (!touched && !Same(At(result, other), At(goal, other))) return "changed " + PathOf(other).str();
        const bool above = std::any_of(paths.begin(), paths.end(), [&](const Pieces& path) {
          return other.size() < path.size() && Touches(path, other);
        });
        const Value *before = At(goal, other), *after = At(result, other);
        const bool array = above && before && before->is_array();
        if (array && (!after || !after->is_array() || before->as_array().size() != after->as_array().size())) {
          const bool whole = std::any_of(paths.begin(), paths.end(), [&](const Pieces& path) {
            return path.size() <= other.size() && Touches(path, other);
          });
          if (!whole) return "another length at " + PathOf(other).str();
        }
      }
    }
    return "";
  }

  static const std::vector<std::vector<Pieces>>& AllPaths() {
    static const std::vector<std::string> kPieces = {"a", "b", "0", "1"};
    static const std::vector<std::vector<Pieces>> kPaths = {PathsOf(0, kPieces), PathsOf(1, kPieces),
                                                            PathsOf(2, kPieces), PathsOf(3, kPieces)};
    return kPaths;
  }
};

std::vector<Pieces> Patterns() {
  std::vector<Pieces> patterns;
  for (size_t length = 1; length <= 3; ++length) {
    for (Pieces& path : PathsOf(length, {"a", "b", "0", "1", "*"})) {
      const bool reaches = path[0] == "a" || path[0] == "*" || (path[0] == "b" && length == 1);
      if (reaches) patterns.push_back(std::move(path));
    }
  }
  return patterns;
}

// Every leaf secret where it stands.
Value Secretly(const Value& value) {
  return Rewrite(value, [](const Value& v) { return v.is_number() ? Value::Secret(v) : v; });
}

// ---- replaceOnChanges

bool Covers(const Pieces& pattern, const Pieces& path) {
  if (pattern.size() > path.size()) return false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != "*" && pattern[i] != path[i]) return false;
  }
  return true;
}

bool AnyCovers(const std::vector<Pieces>& patterns, const Pieces& path) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const Pieces& p) { return Covers(p, path); });
}

std::string ReplaceName(std::string name) {
  const bool already = name.find("replace") != name.npos;
  return already ? name : name + "-replace";
}

TEST_CASE("an ignored path is reset and nothing else is, in all small trees") {
  const std::vector<Value> trees = SmallTrees();
  int cases = 0;
  for (const Pieces& pattern : Patterns()) {
    const std::vector<Pieces> paths = Expand(pattern);
    const std::string text = PathOf(pattern).str();
    for (const Value& old : trees) {
      for (const Value& goal : trees) {
        std::vector<std::string> refused;
        const Value result(ApplyIgnoreChanges(goal.as_object(), old.as_object(), {text}, &refused));
        const Ignoring ignoring{old, goal, result, !refused.empty(), pattern, paths};
        const std::string failure = ignoring.Failure();
        ++cases;
        if (!failure.empty()) {
          FAIL(text << " of " << ValueText(old) << " on " << ValueText(goal) << " makes " << ValueText(result) << ": "
                    << failure);
        }
      }
    }
  }
  CHECK(cases > 100000);
}

TEST_CASE("ignoring changes sees through secrets, and what was secret stays so, in all small trees") {
  const std::vector<Value> trees = SmallTrees();
  for (const Pieces& pattern : Patterns()) {
    if (pattern.size() > 2) continue;
    const std::vector<std::string> text = {PathOf(pattern).str()};
    for (const Value& old : trees) {
      for (const Value& goal : trees) {
        const PropertyMap plain = ApplyIgnoreChanges(goal.as_object(), old.as_object(), text, nullptr);
        const PropertyMap sealed =
            ApplyIgnoreChanges(Secretly(goal).as_object(), Secretly(old).as_object(), text, nullptr);
        const bool agrees = DeepEqual(StripSecrets(sealed), plain) && DeepEqual(Secretly(Value(plain)), Value(sealed));
        if (!agrees) FAIL(text[0] << " of " << ValueText(old) << " on " << ValueText(goal));
      }
    }
  }
}

TEST_CASE("the engine's comparison names the paths that differ, in all small trees") {
  const std::vector<Value> trees = SmallTrees();
  for (const Value& old : trees) {
    for (const Value& goal : trees) {
      const DiffResponse diff = CompareInputs(old.as_object(), goal.as_object());
      const DiffResponse sealed = CompareInputs(Secretly(old).as_object(), goal.as_object());
      std::set<std::string> changed, told, below;
      for (const std::string key : {"a", "b"}) {
        if (!Same(At(old, {key}), At(goal, {key}))) changed.insert(key);
      }
      told.insert(diff.changed_keys.begin(), diff.changed_keys.end());
      bool agrees = told == changed && (diff.changes == DiffChanges::kSome) == !changed.empty() &&
                    sealed.changed_keys == diff.changed_keys;
      for (const auto& [text, property] : diff.detailed) {
        const PropertyPath path = *PropertyPath::Parse(text);
        const Value *before = path.Get(old), *after = path.Get(goal);
        below.insert(std::get<std::string>(path.elements()[0]));
        const DiffKind kind = !before ? DiffKind::kAdd : !after ? DiffKind::kDelete : DiffKind::kUpdate;
        agrees = agrees && property.kind == kind && !Same(before, after);
      }
      if (!agrees || below != changed) FAIL(ValueText(old) << " to " << ValueText(goal));
    }
  }
}

TEST_CASE("replaceOnChanges turns the changes below its paths into replacements, for all small diffs") {
  const std::vector<Pieces> patterns = {{"a"}, {"a", "x"}, {"a", "*"}, {"b", "0"}, {"*"}, {"#initerror"}};
  const std::vector<Pieces> details = {{"a", "x"}, {"b", "0"}, {"b"}};
  const std::vector<std::string> kinds = {"", "add", "delete", "update", "update-replace"};
  int cases = 0;
  for (int number = 0; number < 64 * 4 * 125 * 2 * 2; ++number, ++cases) {
    int rest = number;
    const auto take = [&rest](int choices) { return std::exchange(rest, rest / choices) % choices; };
    std::vector<Pieces> chosen;
    std::vector<std::string> texts;
    for (const Pieces& pattern : patterns) {
      if (take(2) == 0) continue;
      chosen.push_back(pattern);
      texts.push_back(pattern[0] == "#initerror" ? "#initerror" : PathOf(pattern).str());
    }
    DiffResponse diff;
    std::set<std::string> replaces;
    const bool has_init_errors = take(2);
    diff.changes = take(2) ? DiffChanges::kSome : DiffChanges::kNone;
    for (const std::string key : {"a", "b"}) {
      if (take(2) == 0) continue;
      diff.changed_keys.push_back(key);
      if (AnyCovers(chosen, {key})) replaces.insert(key);
    }
    std::map<std::string, std::string> expected;
    for (const Pieces& path : details) {
      const std::string& kind = kinds[take(5)];
      if (kind.empty()) continue;
      const std::string text = PathOf(path).str();
      diff.detailed[text] = {*ParseDiffKind(kind), true};
      expected[text] = AnyCovers(chosen, path) ? ReplaceName(kind) : kind;
    }
    diff.has_detailed = !diff.detailed.empty();
    const bool for_errors = has_init_errors && AnyCovers(chosen, {"#initerror"});
    if (for_errors) replaces.insert("#initerror");
    if (for_errors && diff.has_detailed) expected["#initerror"] = "update-replace";
    const bool nothing = diff.changes == DiffChanges::kNone && !has_init_errors;

    const Result<DiffResponse> answer = ApplyReplaceOnChanges(diff, texts, has_init_errors);
    if (!answer.ok()) FAIL(answer.status().message());
    if (nothing) {  // a diff that says no is not looked into
      if (!answer->replaces.empty() || answer->changes != DiffChanges::kNone) FAIL("case " << number);
      continue;
    }
    std::map<std::string, std::string> told;
    for (const auto& [path, property] : answer->detailed) told[path] = DiffKindName(property.kind);
    const bool some = diff.changes == DiffChanges::kSome || for_errors;
    const bool agrees = told == expected && answer->changed_keys == diff.changed_keys &&
                        (answer->changes == DiffChanges::kSome) == some &&
                        std::set<std::string>(answer->replaces.begin(), answer->replaces.end()) == replaces;
    if (!agrees) FAIL("case " << number);
  }
  CHECK(cases == 128000);
}

}  // namespace kingpost::diff_rules_oracle_test
