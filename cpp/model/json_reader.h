// SPDX-License-Identifier: Apache-2.0
// A pull reader of JSON text: the caller asks for what it expects, in document order, and nothing is built in between.
//
//   for (reader.BeginObject(); reader.NextKey(&key);) {
//     if (key == "urn") reader.ReadString(&urn); else reader.Skip();
//   }
//   reader.Finish();
//   if (!reader.ok()) return reader.status();
//
// The first failure sticks: from then on every read returns an empty value and loops end, so that one test at the end
// is enough. A failure is one line with the byte where it was seen. Nothing recurses; nesting is bounded by
// kJsonDepthMax. As in Go, invalid UTF-8 and lone surrogates read as U+FFFD. Not thread-safe; borrows the text.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost {

inline constexpr int kJsonDepthMax = 10000;

class JsonReader {
 public:
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject, kNone };

  // `offset` is where the text stands in its document, for the positions in messages.
  explicit JsonReader(std::string_view text, size_t offset = 0) : text_(text), offset_(offset) {}
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;

  Kind Peek();  // of the value that comes next; kNone after a failure

  void ReadNull();
  bool ReadBool();
  double ReadNumber();
  std::string_view ReadString();  // valid until the next read
  // As Go decodes into a field: null leaves it as it is.
  void ReadBool(bool* out);
  void ReadNumber(double* out);
  void ReadString(std::string* out);

  // A null counts as an empty array or object.
  void BeginArray();
  bool NextElement();
  void BeginObject();
  bool NextKey(std::string_view* key);  // the key is valid until the next read

  void Skip() { SkipRaw(); }
  std::string_view SkipRaw();  // the text of the skipped value
  void Finish();               // nothing but blanks may follow
  // For those who read a value themselves: what is left, and how much of it the value took.
  std::string_view rest() const { return text_.substr(at_); }
  void Pass(size_t bytes) { at_ += bytes; }

  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }
  size_t position() const { return at_; }
  // Fails with "<what> at byte <n>".
  void Fail(const std::string& what);
  void Fail(Status status);
  // Puts "context: " before the failure.
  void Explain(const std::string& context) { status_ = status_.Wrap(context); }

 private:
  void SkipBlanks();
  void Expect(Kind kind, const char* name);
  bool NextItem(char end);
  std::string_view ReadStringBody();
  std::string_view ReadEscapedString(size_t start);
  bool AppendEscaped();
  int ReadHex4();
  void ReadWord(std::string_view word);

  const std::string_view text_;
  const size_t offset_;
  size_t at_ = 0;
  int depth_ = 0;
  bool fresh_ = false;  // just after the beginning of an array or object
  bool empty_ = false;  // BeginX met a null
  std::string scratch_;
  Status status_;
};

}  // namespace kingpost
