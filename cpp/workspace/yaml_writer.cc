// SPDX-License-Identifier: Apache-2.0
// See yaml_writer.h.
#include "workspace/yaml_writer.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <regex>

#include "base/json_access.h"
#include "workspace/yaml_number.h"

namespace kingpost {
namespace {

using OrderedJson = nlohmann::ordered_json;

bool HasControl(const std::string& text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7f) return true;
    // U+0080 to U+009F, U+2028 and U+2029 end or disturb lines; U+FEFF is a byte order mark.
    if (c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) return true;
    if (text.compare(i, 3, "\xe2\x80\xa8") == 0 || text.compare(i, 3, "\xe2\x80\xa9") == 0) return true;
    if (text.compare(i, 3, "\xef\xbb\xbf") == 0) return true;
  }
  return false;
}

// Scalars that YAML 1.1 readers take for a boolean, a base-60 number or a date.
bool ReadsOtherwiseElsewhere(const std::string& text) {
  static const std::regex* const kOld = new std::regex(
      R"((y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)|<<|=|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*))");
  return text.size() < 64 && std::regex_match(text, *kOld);
}

bool CanBePlain(const std::string& text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (std::strchr("&*!|>'\"%@`#,[]{}", text[0])) return false;
  if (std::strchr("-?:", text[0]) && (text.size() == 1 || text[1] == ' ')) return false;
  if (text == "---" || text == "..." || text.compare(0, 4, "--- ") == 0 || text.compare(0, 4, "... ") == 0)
    return false;
  return text.find(": ") == std::string::npos && text.find(" #") == std::string::npos;
}

std::string DoubleQuoted(const std::string& text) {
  std::string quoted = OrderedJson(text).dump(-1, ' ', /*ensure_ascii=*/false, OrderedJson::error_handler_t::replace);
  // JSON leaves these as they are; in YAML they would be control characters.
  std::string escaped;
  for (size_t i = 0; i < quoted.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(quoted[i]);
    const unsigned char next = i + 1 < quoted.size() ? static_cast<unsigned char>(quoted[i + 1]) : 0;
    if (c == 0x7f) {
      escaped += "\\x7f";
    } else if (c == 0xc2 && next < 0xa0) {
      escaped += std::string("\\x") + "0123456789abcdef"[next >> 4] + "0123456789abcdef"[next & 15];
      ++i;
    } else if (quoted.compare(i, 3, "\xe2\x80\xa8") == 0 || quoted.compare(i, 3, "\xe2\x80\xa9") == 0) {
      escaped += quoted[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (quoted.compare(i, 3, "\xef\xbb\xbf") == 0) {
      escaped += "\\ufeff";
      i += 2;
    } else {
      escaped += quoted[i];
    }
  }
  return escaped;
}

std::string StringText(const std::string& text, bool in_flow) {
  if (text.empty()) return "\"\"";
  if (HasControl(text)) return DoubleQuoted(text);
  if (!ResolvePlainScalar(text).is_string() || ReadsOtherwiseElsewhere(text)) return DoubleQuoted(text);
  if (CanBePlain(text) && !(in_flow && text.find_first_of(",[]{}") != std::string::npos)) return text;
  std::string quoted = "'";
  for (char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

// A text of several lines as a literal block, if it has the simple shape that any reader gets right.
bool CanBeLiteral(const std::string& text) {
  if (text.size() < 2 || text.find('\n') == std::string::npos || text[0] == ' ' || text[0] == '\n') return false;
  if (text.size() > 1 && text[text.size() - 1] == '\n' && text[text.size() - 2] == '\n') return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t')) return false;
  }
  std::string rest = text;
  rest.erase(std::remove(rest.begin(), rest.end(), '\n'), rest.end());
  return !HasControl(rest) && rest.back() != ' ';
}

std::string LiteralBlock(const std::string& text, int indent) {
  const bool ends_line = text.back() == '\n';
  std::string block = ends_line ? "|\n" : "|-\n";
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) block += std::string(static_cast<size_t>(indent), ' ') + text.substr(begin, end - begin);
    block += '\n';
    begin = end + 1;
  }
  return block;
}

// Readers of YAML 1.1 take 1e+21 for a text: 1.0e+21 is a number for all.
std::string WithPoint(std::string number) {
  const size_t exponent = number.find('e');
  if (exponent != std::string::npos && number.find('.') == std::string::npos) number.insert(exponent, ".0");
  return number;
}

std::string Flow(const OrderedJson& value, bool nested) {
  if (value.is_string()) return StringText(TextIn(value), nested);
  if (value.is_number()) return WithPoint(NumberText(value));
  if (value.is_array()) {
    std::string text;
    for (const OrderedJson& item : value) text += (text.empty() ? "" : ", ") + Flow(item, true);
    return "[" + text + "]";
  }
  if (value.is_object()) {
    std::string text;
    for (const auto& [key, item] : value.items()) {
      text += (text.empty() ? "" : ", ") + StringText(key, true) + ": " + Flow(item, true);
    }
    return "{" + text + "}";
  }
  return value.dump();  // null, true, false
}

// After "key:" or "-": the rest of the line and what is nested below it.
std::string AfterMarker(const OrderedJson& value, int indent, bool is_item) {
  if (value.is_string() && CanBeLiteral(TextIn(value))) {
    return " " + LiteralBlock(TextIn(value), indent + 2);
  }
  if (!value.is_structured() || value.empty()) return " " + YamlFlow(value) + "\n";
  if (!is_item) return "\n" + YamlBlock(value, indent + 2);
  // The first entry shares the line of the dash.
  return " " + YamlBlock(value, indent + 2).substr(static_cast<size_t>(indent) + 2);
}

}  // namespace

std::string NumberText(const OrderedJson& number) {
  if (!number.is_number_float()) return number.dump();
  const double value = NumberIn(number);
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value > 0 ? ".inf" : "-.inf";
  char text[64];
  const bool integral = value == std::trunc(value) && std::abs(value) < 1e21;
  const auto result = integral ? std::to_chars(text, text + sizeof text, value, std::chars_format::fixed)
                               : std::to_chars(text, text + sizeof text, value);
  return std::string(text, result.ptr);
}

std::string YamlFlow(const OrderedJson& value) { return Flow(value, false); }

std::string YamlEntry(const std::string& key, const OrderedJson& value, int indent) {
  return std::string(static_cast<size_t>(indent), ' ') + StringText(key, false) + ":" +
         AfterMarker(value, indent, false);
}

std::string YamlItem(const OrderedJson& value, int indent) {
  return std::string(static_cast<size_t>(indent), ' ') + "-" + AfterMarker(value, indent, true);
}

std::string YamlBlock(const OrderedJson& value, int indent) {
  std::string block;
  if (value.is_array()) {
    for (const OrderedJson& item : value) block += YamlItem(item, indent);
    return block;
  }
  for (const auto& [key, item] : value.items()) block += YamlEntry(key, item, indent);
  return block;
}

}  // namespace kingpost
