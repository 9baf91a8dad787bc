// SPDX-License-Identifier: Apache-2.0
#include "languages/sdkgen/docs.h"

#include <optional>

#include "base/percent.h"
#include "base/trim.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

constexpr char kProviderToken[] = "pulumi:providers:Provider";

// "examples" of "{{% examples %}}"; "" if the line is no mark.
std::string MarkOf(const std::string& text) {
  if (!text.starts_with("{{%") || !text.ends_with("%}}") || text.size() < 6) return "";
  return Trimmed(text.substr(3, text.size() - 6));
}

std::optional<DocTarget> TargetOf(const std::string& reference) {
  std::vector<std::string> parts = Split(reference, '/');
  if (parts.size() < 2 || parts[0] != "#") return std::nullopt;
  DocTarget target;
  if (parts[1] == "provider") {  // there is one, which has no name: the other parts are where they are of a resource
    target.kind = DocTarget::Kind::kProvider;
    parts.insert(parts.begin() + 2, kProviderToken);
  }
  if (parts.size() < 3) return std::nullopt;
  if (parts[1] == "functions") target.kind = DocTarget::Kind::kFunction;
  if (parts[1] == "types") target.kind = DocTarget::Kind::kType;
  target.token = PercentDecode(parts[2]);
  if (parts.size() < 5) return target;
  target.input = parts[3] == "inputProperties" || parts[3] == "inputs";
  target.property = PercentDecode(parts.back());
  return target;
}

}  // namespace

std::string WithExamplesOf(const std::string& description, const std::string& language) {
  std::string kept, example;
  std::string fence;  // of the code that is being read
  bool in_example = false, has_code = false, keeps = true;
  const auto end_example = [&] {
    if (has_code) kept += example;
    example.clear();
    in_example = has_code = false;
  };
  for (const std::string& line : Split(description, '\n')) {
    const std::string text = Trimmed(line), mark = fence.empty() ? MarkOf(text) : "";
    const bool ends_code = !fence.empty() && text.starts_with(fence) && text.find_first_not_of(fence[0]) == text.npos;
    if (mark == "/example") end_example();
    if (mark == "example") in_example = true;
    if (mark == "example" || mark == "/example" || mark == "examples" || mark == "/examples") continue;
    if (fence.empty() && (text.starts_with("```") || text.starts_with("~~~"))) {
      fence = text.substr(0, text.find_first_not_of(text[0]));
      const std::string written_in = Trimmed(text.substr(fence.size()));
      keeps = written_in == language || written_in == "sh";
      has_code = has_code || keeps;
    }
    if (keeps) (in_example ? example : kept) += line + "\n";
    if (ends_code) fence.clear();
    if (fence.empty()) keeps = true;
  }
  end_example();
  return kept;
}

std::string WithReferences(const std::string& description,
                           const std::function<std::string(const DocTarget& target)>& spelled) {
  constexpr std::string_view kOpen = "{{% ref ", kClose = " %}}";
  std::string text;
  size_t begin = 0;
  while (true) {
    const size_t open = description.find(kOpen, begin);
    const size_t close = open == std::string::npos ? open : description.find(kClose, open);
    if (close == std::string::npos) return text + description.substr(begin);
    text += description.substr(begin, open - begin);
    const std::string reference = description.substr(open + kOpen.size(), close - open - kOpen.size());
    const auto target = TargetOf(Trimmed(reference));
    text += target ? "`" + spelled(*target) + "`" : reference;
    begin = close + kClose.size();
  }
}

}  // namespace kingpost::sdkgen
