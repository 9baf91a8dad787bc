// SPDX-License-Identifier: Apache-2.0
#include "languages/sdkgen/docs.h"

#include <optional>

#include "base/trim.h"
#include "languages/schema/json_path.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

constexpr char kProviderToken[] = "pulumi:providers:Provider";

// "examples" of "{{% examples %}}"; "" if the line is no mark.
std::string MarkOf(const std::string& line) {
  const std::string text = Trimmed(line);
  if (!text.starts_with("{{%") || !text.ends_with("%}}") || text.size() < 6) return "";
  return Trimmed(text.substr(3, text.size() - 6));
}

class ExampleFilter {
 public:
  explicit ExampleFilter(std::string language) : language_(std::move(language)) {}

  std::string Run(const std::string& description) {
    for (const std::string& line : Split(description, '\n')) Take(line);
    Flush();
    return out_;
  }

 private:
  void Take(const std::string& line) {
    const std::string text = Trimmed(line);
    if (!fence_.empty()) {
      if (keeps_) Keep(line);
      if (text.starts_with(fence_) && text.find_first_not_of(fence_[0]) == std::string::npos) fence_.clear();
      return;
    }
    const std::string mark = MarkOf(line);
    if (mark == "examples" || mark == "/examples") return;
    if (mark == "example") {
      in_example_ = true;
      return;
    }
    if (mark == "/example") return Flush();
    if (text.starts_with("```") || text.starts_with("~~~")) {
      fence_ = text.substr(0, text.find_first_not_of(text[0]));
      const std::string language = Trimmed(text.substr(fence_.size()));
      keeps_ = language == language_ || language == "sh";
      has_code_ = has_code_ || keeps_;
      if (keeps_) Keep(line);
      return;
    }
    Keep(line);
  }

  void Keep(const std::string& line) { (in_example_ ? example_ : out_) += line + "\n"; }

  void Flush() {
    if (has_code_) out_ += example_;
    example_.clear();
    in_example_ = has_code_ = false;
  }

  const std::string language_;
  std::string out_, example_, fence_;
  bool in_example_ = false, has_code_ = false, keeps_ = false;
};

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
  target.token = schema::Unescaped(parts[2]);
  if (parts.size() < 5) return target;
  target.input = parts[3] == "inputProperties" || parts[3] == "inputs";
  target.property = schema::Unescaped(parts.back());
  return target;
}

}  // namespace

std::string WithExamplesOf(const std::string& description, const std::string& language) {
  return ExampleFilter(language).Run(description);
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
