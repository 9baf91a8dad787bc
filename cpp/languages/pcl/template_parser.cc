// SPDX-License-Identifier: Apache-2.0
// Templates: text with ${values} and %{if}, %{for} around parts of it.
#include <cctype>

#include "languages/pcl/expression_parser.h"

namespace kingpost::pcl {

// A piece between two sequences, or a sequence.
struct ExpressionParser::TemplatePart {
  enum Kind { kText, kValue, kIf, kElse, kEndIf, kFor, kEndFor } kind = kText;
  Position at;
  std::string text;
  ExpressionPtr value;  // of kValue; of kIf: the condition
  For loop;             // of kFor: its names and its collection
};

namespace {

constexpr char kSpaces[] = " \t\r\n";

void StripEnd(std::string* text) { text->erase(text->find_last_not_of(kSpaces) + 1); }
void StripBegin(std::string* text) { text->erase(0, std::min(text->find_first_not_of(kSpaces), text->size())); }

// How far the lines of a heredoc are indented together. `at_line_begin`: whether the text begins a line.
size_t CommonIndent(const std::string& text, bool at_line_begin, size_t least) {
  for (size_t at = 0; at < text.size();) {
    size_t spaces = 0;
    while (at + spaces < text.size() && (text[at + spaces] == ' ' || text[at + spaces] == '\t')) ++spaces;
    const bool blank = at + spaces < text.size() && text[at + spaces] == '\n';
    if (at_line_begin && !blank) least = std::min(least, spaces);
    const size_t end = text.find('\n', at);
    if (end == std::string::npos) break;
    at = end + 1;
    at_line_begin = true;
  }
  return least;
}

std::string Unindent(const std::string& text, bool at_line_begin, size_t indent) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    for (size_t i = 0; at_line_begin && i < indent && (text[at] == ' ' || text[at] == '\t'); ++i) ++at;
    const size_t end = std::min(text.find('\n', at), text.size() - 1);
    result.append(text, at, end + 1 - at);
    at = end + 1;
    at_line_begin = true;
  }
  return result;
}

}  // namespace

std::vector<ExpressionParser::TemplatePart> ExpressionParser::ReadParts() {
  std::vector<TemplatePart> parts;
  bool strip = false;  // the sequence before this piece ended with ~
  while (!in_.failed() && !in_.Is(TokenKind::kCloseTemplate)) {
    const Token token = in_.Take();
    TemplatePart part;
    part.at = token.at;
    if (token.kind == TokenKind::kText) {
      part.text = token.text;
      if (strip) StripBegin(&part.text);
      strip = false;
      parts.push_back(std::move(part));
      continue;
    }
    if (token.strip && !parts.empty() && parts.back().kind == TemplatePart::kText) StripEnd(&parts.back().text);
    const TokenReader::Newlines ignored(&in_, true);
    if (token.kind == TokenKind::kInterpolation) {
      part.kind = TemplatePart::kValue;
      part.value = Parse();
    } else if (in_.IsKeyword("for")) {
      part.kind = TemplatePart::kFor;
      ParseForIntroduction(&part.loop);
    } else {
      const Token keyword = in_.Take();
      if (keyword.text == "if") {
        part.kind = TemplatePart::kIf;
        part.value = Parse();
      } else if (keyword.text == "else") {
        part.kind = TemplatePart::kElse;
      } else if (keyword.text == "endif") {
        part.kind = TemplatePart::kEndIf;
      } else if (keyword.text == "endfor") {
        part.kind = TemplatePart::kEndFor;
      } else {
        in_.Fail(keyword.at, "expected if, else, endif, for or endfor after %{");
      }
    }
    if (!in_.Is(TokenKind::kEndSequence)) in_.Fail(in_.Peek().at, "expected '}'" + in_.Found());
    strip = in_.Take().strip;
    parts.push_back(std::move(part));
  }
  return parts;
}

ExpressionPtr ExpressionParser::ParseTemplate() {
  const TokenReader::Level level(&in_);
  const Token open = in_.Take();
  std::vector<TemplatePart> parts = ReadParts();
  in_.Take();
  if (open.flush) {
    size_t indent = std::string::npos;
    bool line_begin = true;
    for (const TemplatePart& part : parts) {
      // A sequence at the very begin of a line leaves it no indentation.
      if (part.kind == TemplatePart::kText) {
        indent = CommonIndent(part.text, line_begin, indent);
      } else if (line_begin) {
        indent = 0;
      }
      line_begin = part.kind == TemplatePart::kText && !part.text.empty() && part.text.back() == '\n';
    }
    line_begin = true;
    for (TemplatePart& part : parts) {
      const bool next = part.kind == TemplatePart::kText && !part.text.empty() && part.text.back() == '\n';
      if (part.kind == TemplatePart::kText) part.text = Unindent(part.text, line_begin, indent);
      line_begin = next;
    }
  }
  return BuildTemplate(&parts, open.at, !open.heredoc);
}

// "${x}" alone is x, whatever its type; text alone is a text.
ExpressionPtr ExpressionParser::BuildTemplate(std::vector<TemplatePart>* parts, Position at, bool unwrap) {
  const bool wraps = unwrap && parts->size() == 1 && parts->front().kind == TemplatePart::kValue;
  if (wraps) return in_.Make(at, Parentheses{parts->front().value});
  size_t next = 0;
  std::vector<ExpressionPtr> built = BuildSequence(parts, &next);
  if (next < parts->size()) in_.Fail((*parts)[next].at, "no %{if} or %{for} is open here");
  if (built.empty()) return in_.Make(at, Literal{Value("")});
  const Literal* text = built.size() == 1 ? built.front()->as<Literal>() : nullptr;
  if (text) return in_.Make(at, *text);
  return in_.Make(at, Template{std::move(built)});
}

// Up to the directive that ends what surrounds it.
std::vector<ExpressionPtr> ExpressionParser::BuildSequence(std::vector<TemplatePart>* parts, size_t* next) {
  const TokenReader::Level level(&in_);
  std::vector<ExpressionPtr> built;
  while (*next < parts->size() && !in_.failed()) {
    TemplatePart& part = (*parts)[*next];
    switch (part.kind) {
      case TemplatePart::kText:
        ++*next;
        if (!part.text.empty()) built.push_back(in_.Make(part.at, Literal{Value(part.text)}));
        break;
      case TemplatePart::kValue:
        ++*next;
        built.push_back(part.value);
        break;
      case TemplatePart::kIf:
        built.push_back(BuildIf(parts, next));
        break;
      case TemplatePart::kFor:
        built.push_back(BuildFor(parts, next));
        break;
      case TemplatePart::kElse:
      case TemplatePart::kEndIf:
      case TemplatePart::kEndFor:
        return built;
    }
  }
  return built;
}

bool ExpressionParser::EndDirective(const std::vector<TemplatePart>& parts, size_t* next, const char* keyword,
                                    Position begun) {
  const auto wanted = std::string(keyword) == "endif" ? TemplatePart::kEndIf : TemplatePart::kEndFor;
  if (*next < parts.size() && parts[*next].kind == wanted) {
    ++*next;
    return true;
  }
  in_.Fail(begun, std::string("this is never ended: %{ ") + keyword + " } is missing");
  return false;
}

ExpressionPtr ExpressionParser::BuildIf(std::vector<TemplatePart>* parts, size_t* next) {
  const TemplatePart begin = (*parts)[(*next)++];
  ExpressionPtr then = in_.Make(begin.at, Template{BuildSequence(parts, next)});
  ExpressionPtr otherwise = in_.Make(begin.at, Literal{Value("")});
  if (*next < parts->size() && (*parts)[*next].kind == TemplatePart::kElse) {
    ++*next;
    otherwise = in_.Make(begin.at, Template{BuildSequence(parts, next)});
  }
  EndDirective(*parts, next, "endif", begin.at);
  return in_.Make(begin.at, Conditional{begin.value, then, otherwise});
}

ExpressionPtr ExpressionParser::BuildFor(std::vector<TemplatePart>* parts, size_t* next) {
  TemplatePart begin = (*parts)[(*next)++];
  begin.loop.value = in_.Make(begin.at, Template{BuildSequence(parts, next)});
  begin.loop.join = true;
  EndDirective(*parts, next, "endfor", begin.at);
  return in_.Make(begin.at, std::move(begin.loop));
}

}  // namespace kingpost::pcl
