// SPDX-License-Identifier: Apache-2.0
// Appends JSON to a string in the order the members are given, compact or indented, with Go's escapes.
//
//   JsonWriter json;                       // or JsonWriter json("    ") for four spaces
//   json.BeginObject();  json.Key("urn");  json.Text(urn);  json.EndObject();
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kingpost {

class JsonWriter {
 public:
  explicit JsonWriter(std::string indent = "") : indent_(std::move(indent)) {}

  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }
  void Key(std::string_view key);

  void Text(std::string_view text);
  void Int(int64_t number);
  void Bool(bool value) { Raw(value ? "true" : "false"); }
  void Null() { Raw("null"); }
  // A finished JSON value; it is indented anew if this writer indents.
  void Json(std::string_view json);

  void Texts(const std::vector<std::string>& texts);
  void TextMap(const std::map<std::string, std::string>& texts);
  void IntMap(const std::map<std::string, int>& numbers);

  // Members that are left out when empty, zero or false.
  void TextUnlessEmpty(std::string_view key, std::string_view text);
  void TextsUnlessEmpty(std::string_view key, const std::vector<std::string>& texts);
  void BoolIfTrue(std::string_view key, bool value);
  void IntUnlessZero(std::string_view key, int64_t value);

  const std::string& str() const { return out_; }
  std::string Take() { return std::move(out_); }

 private:
  void Open(char bracket);
  void Close(char bracket);
  void Raw(std::string_view text);
  void BeforeValue();
  void NewLine();

  const std::string indent_;
  std::string out_;
  int depth_ = 0;
  bool first_ = true;  // nothing has been written in this object or array yet
  bool after_key_ = false;
};

}  // namespace kingpost
