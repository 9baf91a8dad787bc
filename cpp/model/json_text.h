// SPDX-License-Identifier: Apache-2.0
// JSON text in the spelling of Go's encoding/json, which wrote the states that exist (ecosystem.md, part e).
// AppendJsonNumber and AppendJsonString, of the same kind, are in deployment_json.h.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace kingpost {

// As AppendJsonString, and also <, > and & as \u003c, \u003e and \u0026: the spelling inside of secrets.
void AppendJsonStringForHtml(std::string_view text, std::string* out);

// `json`, which is well formed, without the blanks between its tokens.
std::string CompactJson(std::string_view json);
// `compact` JSON on many lines, `width` spaces for each level. Empty objects and arrays stay on one line.
std::string IndentJson(std::string_view compact, size_t width = 4);

// The same in parts, which are handed on as they become ready. Each part begins and ends between two tokens, and not
// inside of {} or [].
class JsonIndenter {
 public:
  using Write = std::function<void(std::string_view)>;
  explicit JsonIndenter(Write write, size_t width = 4) : write_(std::move(write)), width_(width) {}
  ~JsonIndenter() { Flush(); }
  JsonIndenter(const JsonIndenter&) = delete;

  void Append(std::string_view compact);
  void Flush();

 private:
  void AppendLine();

  const Write write_;
  const size_t width_;  // of a level
  std::string ready_;
  size_t depth_ = 0;
};

}  // namespace kingpost
