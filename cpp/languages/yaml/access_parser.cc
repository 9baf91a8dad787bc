// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/access_parser.h"

#include <charconv>

#include "languages/yaml/expression_reader.h"

namespace kingpost::yaml {

namespace {

constexpr int kStepsMax = 100;  // evaluating is recursive

class AccessParser {
 public:
  AccessParser(const std::string& text, size_t next, pcl::Position at) : text_(text), next_(next), at_(at) {}

  Result<pcl::ExpressionPtr> Parse() {
    for (; next_ < text_.size(); ++steps_) {
      if (steps_ > kStepsMax) return pcl::ErrorAt(at_, "the path has more than 100 steps");
      const char c = text_[next_];
      if (c == '}') {
        ++next_;
        if (!path_) return pcl::ErrorAt(at_, "an interpolation names nothing: write ${name}, or $${} for the text ${}");
        return path_;
      }
      Status step;
      if (c == '.') {
        ++next_;
      } else if (c == '[') {
        step = next_ + 1 < text_.size() && text_[next_ + 1] == '"' ? Key() : Index();
      } else {
        Name();
      }
      if (!step.ok()) return step;
    }
    return pcl::ErrorAt(at_, "unterminated interpolation");
  }
  size_t next() const { return next_; }

 private:
  void Add(std::string name, bool subscript) {
    if (!path_) {
      path_ = pcl::Make(pcl::Variable{std::move(name)}, at_);
    } else if (subscript) {
      path_ = pcl::Make(pcl::GetIndex{path_, pcl::Make(pcl::Literal{Value(std::move(name))}, at_)}, at_);
    } else {
      path_ = pcl::Make(pcl::GetAttribute{path_, std::move(name)}, at_);
    }
  }

  void Name() {
    const size_t end = std::min(text_.find_first_of(".[}", next_), text_.size());
    Add(text_.substr(next_, end - next_), false);
    next_ = end;
  }

  // ["key"], where \" is a quote.
  Status Key() {
    std::string key;
    for (next_ += 2;; ++next_) {
      if (next_ >= text_.size()) return pcl::ErrorAt(at_, "missing closing quote in property name");
      if (text_[next_] == '"') break;
      if (text_.compare(next_, 2, "\\\"") == 0) ++next_;
      key += text_[next_];
    }
    ++next_;
    if (next_ >= text_.size() || text_[next_] != ']') {
      return pcl::ErrorAt(at_, "missing closing bracket in property access");
    }
    ++next_;
    Add(std::move(key), true);
    return Status();
  }

  Status Index() {
    const size_t close = text_.find(']', next_);
    if (close == std::string::npos) return pcl::ErrorAt(at_, "missing closing bracket in list index");
    int64_t index = 0;
    const char* end = text_.data() + close;
    const auto read = std::from_chars(text_.data() + next_ + 1, end, index);
    if (read.ec != std::errc() || read.ptr != end) return pcl::ErrorAt(at_, "invalid list index");
    if (!path_) return pcl::ErrorAt(at_, "the root property must be a string subscript or a name");
    next_ = close + 1;
    path_ = pcl::Make(pcl::GetIndex{path_, pcl::Make(pcl::Literal{Value(static_cast<double>(index))}, at_)}, at_);
    return Status();
  }

  const std::string& text_;
  size_t next_;
  const pcl::Position at_;
  int steps_ = 0;
  pcl::ExpressionPtr path_;
};

}  // namespace

Result<pcl::ExpressionPtr> ParseAccess(const std::string& text, size_t* next, pcl::Position at) {
  AccessParser parser(text, *next, at);
  auto path = parser.Parse();
  *next = parser.next();
  return path;
}

}  // namespace kingpost::yaml
