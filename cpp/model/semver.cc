// SPDX-License-Identifier: Apache-2.0
// Semantic versions, as far as providers need them: reading, comparing, printing.
#include "model/semver.h"

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace kingpost {

namespace {

bool IsNumber(std::string_view text) {
  if (text.empty()) return false;
  for (char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return true;
}

int CompareNumbers(std::string_view a, std::string_view b) {
  while (a.size() > 1 && a[0] == '0') a.remove_prefix(1);
  while (b.size() > 1 && b[0] == '0') b.remove_prefix(1);
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

int ComparePre(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return static_cast<int>(a.empty()) - static_cast<int>(b.empty());
  const auto left = Split(a, '.'), right = Split(b, '.');
  for (size_t i = 0; i < left.size() && i < right.size(); ++i) {
    const bool left_number = IsNumber(left[i]), right_number = IsNumber(right[i]);
    int order = 0;
    if (left_number != right_number) {
      order = left_number ? -1 : 1;
    } else {
      order = left_number ? CompareNumbers(left[i], right[i]) : left[i].compare(right[i]);
    }
    if (order != 0) return order;
  }
  return static_cast<int>(left.size()) - static_cast<int>(right.size());
}

// Cuts "+build" and "-pre" off a version; they stay without data if there are none.
void Cut(std::string_view version, std::string_view* core, std::string_view* pre, std::string_view* build) {
  const size_t plus = version.find('+');
  if (plus != std::string_view::npos) {
    *build = version.substr(plus + 1);
    version = version.substr(0, plus);
  }
  const size_t dash = version.find('-');
  if (dash != std::string_view::npos) {
    *pre = version.substr(dash + 1);
    version = version.substr(0, dash);
  }
  *core = version;
}

bool IsIdentifier(std::string_view text) {
  if (text.empty()) return false;
  for (char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '-') return false;
  }
  return true;
}

// The part after "-" or "+": identifiers with dots between. A number of a pre-release does not begin with 0.
bool IsSuffix(std::string_view text, bool pre) {
  if (text.data() == nullptr) return true;  // there is none
  for (const std::string& part : Split(text, '.')) {
    if (!IsIdentifier(part) || (pre && part.size() > 1 && part[0] == '0' && IsNumber(part))) return false;
  }
  return true;
}

}  // namespace

bool IsSemver(std::string_view text) {
  std::string_view core, pre, build;
  Cut(text, &core, &pre, &build);
  const auto parts = Split(core, '.');
  if (parts.size() != 3) return false;
  for (const std::string& part : parts) {
    if (!IsNumber(part) || (part.size() > 1 && part[0] == '0')) return false;
  }
  return IsSuffix(pre, true) && IsSuffix(build, false);
}

std::string TolerantSemver(std::string_view text) {
  if (!text.empty() && text[0] == 'v') text.remove_prefix(1);
  std::string_view core, pre, build;
  Cut(text, &core, &pre, &build);
  auto parts = Split(core, '.');
  if (parts.size() > 3 || !IsSuffix(pre, true) || !IsSuffix(build, false)) return "";
  while (parts.size() < 3) parts.push_back("0");
  std::string version;
  for (std::string& part : parts) {
    if (!IsNumber(part)) return "";
    while (part.size() > 1 && part[0] == '0') part.erase(0, 1);
    version += (version.empty() ? "" : ".") + part;
  }
  if (!pre.empty()) version += "-" + std::string(pre);
  if (!build.empty()) version += "+" + std::string(build);
  return version;
}

int CompareSemver(std::string_view a, std::string_view b) {
  std::string_view core_a, core_b, pre_a, pre_b, build;
  Cut(a, &core_a, &pre_a, &build);
  Cut(b, &core_b, &pre_b, &build);
  const auto left = Split(core_a, '.'), right = Split(core_b, '.');
  for (size_t i = 0; i < 3; ++i) {
    const int order = CompareNumbers(i < left.size() ? left[i] : "0", i < right.size() ? right[i] : "0");
    if (order != 0) return order;
  }
  return ComparePre(pre_a, pre_b);
}

}  // namespace kingpost
