// SPDX-License-Identifier: Apache-2.0
// The bytes of google.protobuf.Struct, Value and ListValue, of which no message is made: that would be several
// allocations for each value. For wire/convert.h.
//
// Reading: IsPlain() says once whether bytes are as all SDKs write them. Those are read where they lie by FieldReader,
// which checks nothing more. All others (a field twice, out of order or unknown, damage, nesting without end) are
// protobuf's to judge: ToPlainBytes() writes them plainly, or says what is wrong with them.
//
// Writing: BackwardWriter grows towards the front, so that the length of a part is known when it is to be written.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost::wire {

// Numbers of fields, with the type of what follows, as they stand before it.
namespace tag {
inline constexpr char kField = 0x0a;  // of Struct: {key, value}
inline constexpr char kKey = 0x0a;
inline constexpr char kValue = 0x12;
inline constexpr char kElement = 0x0a;  // of ListValue
inline constexpr char kNull = 0x08;     // these and the next are of Value
inline constexpr char kNumber = 0x11;
inline constexpr char kString = 0x1a;
inline constexpr char kBool = 0x20;
inline constexpr char kStruct = 0x2a;
inline constexpr char kList = 0x32;
}  // namespace tag

enum class Shape { kStruct, kValue };
bool IsPlain(Shape shape, std::string_view bytes);
// The same value in plain bytes.
Result<std::string> ToPlainBytes(Shape shape, const std::string& bytes);

// Reads the fields of one message in plain bytes, from its first to its last.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool done() const { return at_ == end_; }
  char Tag() { return *at_++; }
  bool Bool() { return *at_++ != 0; }
  double Number() {
    static_assert(sizeof(double) == 8);
    double number = 0;
    std::memcpy(&number, at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  std::string_view Bytes() {
    uint32_t size = 0;
    int shift = 0;
    for (; *at_ & 0x80; shift += 7) size |= static_cast<uint32_t>(*at_++ & 0x7f) << shift;
    size |= static_cast<uint32_t>(*at_++) << shift;
    at_ += size;
    return {at_ - size, size};
  }

 private:
  const char* at_;
  const char* end_;
};

class BackwardWriter {
 public:
  BackwardWriter() = default;
  BackwardWriter(const BackwardWriter&) = delete;

  size_t size() const { return static_cast<size_t>(end_ - begin_); }
  std::string_view bytes() const { return {begin_, size()}; }

  // Each puts something before all that is there.
  void Put(char byte) { *Room(1) = byte; }
  void Put(std::string_view text) {
    char* room = Room(text.size());
    if (!text.empty()) std::memcpy(room, text.data(), text.size());
  }
  void PutNumber(double number) { std::memcpy(Room(sizeof number), &number, sizeof number); }
  void PutLength(size_t length) {
    char digits[10];
    size_t count = 0;
    for (; length > 0x7f; length >>= 7) digits[count++] = static_cast<char>(length | 0x80);
    digits[count++] = static_cast<char>(length);
    Put(std::string_view(digits, count));
  }
  // Makes a field of all that was put since there were `size` bytes.
  void Close(char tag, size_t size) {
    PutLength(this->size() - size);
    Put(tag);
  }

 private:
  char* Room(size_t bytes) {
    if (static_cast<size_t>(begin_ - buffer_) < bytes) Grow(bytes);
    begin_ -= bytes;
    return begin_;
  }
  void Grow(size_t bytes);

  char inline_[2048];
  std::unique_ptr<char[]> large_;
  char* buffer_ = inline_;
  char* end_ = inline_ + sizeof inline_;
  char* begin_ = end_;
};

}  // namespace kingpost::wire
