// SPDX-License-Identifier: Apache-2.0
#include "wire/wire.h"

#include "wire/struct_bytes.h"

#include <google/protobuf/struct.pb.h>

#include <algorithm>
#include <utility>

#include "base/encoding.h"

namespace kingpost::wire {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are copied to and from the wire as they are");

namespace {

// Whether bytes are plain. `levels` is how many messages may still be nested, as protobuf counts them.
class PlainCheck {
 public:
  explicit PlainCheck(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool Struct(int levels) {
    while (at_ != end_) {
      const char* outer = Enter(tag::kField);
      if (!outer || levels <= 0 || !Field(levels - 1)) return false;
      end_ = outer;
    }
    return true;
  }

  // None, which is null, or one.
  bool Value(int levels) {
    if (at_ == end_) return true;
    switch (*at_) {
      case tag::kNull:
        return Scalar(2) && at_[-1] == 0;
      case tag::kNumber:
        return Scalar(9);
      case tag::kBool:
        return Scalar(2) && (at_[-1] == 0 || at_[-1] == 1);
      case tag::kString:
        return Text(tag::kString) && at_ == end_;
      case tag::kStruct:
        return Whole(tag::kStruct) && levels > 0 && Struct(levels - 1);
      case tag::kList:
        return Whole(tag::kList) && levels > 0 && List(levels - 1);
      default:
        return false;
    }
  }

 private:
  bool Field(int levels) { return Text(tag::kKey) && Whole(tag::kValue) && levels > 0 && Value(levels - 1); }

  bool List(int levels) {
    while (at_ != end_) {
      const char* outer = Enter(tag::kElement);
      if (!outer || levels <= 0 || !Value(levels - 1)) return false;
      end_ = outer;
    }
    return true;
  }

  // All that is left, tag included.
  bool Scalar(ptrdiff_t bytes) {
    at_ += end_ - at_ == bytes ? bytes : 0;
    return at_ == end_;
  }

  bool Text(char tag) {
    const char* outer = Enter(tag);
    if (!outer || !IsValidUtf8({at_, static_cast<size_t>(end_ - at_)})) return false;
    at_ = end_;
    end_ = outer;
    return true;
  }

  bool Whole(char tag) {
    const char* outer = Enter(tag);
    return outer && outer == end_;
  }

  // Narrows what is left to the field of this tag that begins here. Null if none does, else where all ends.
  const char* Enter(char tag) {
    if (at_ == end_ || *at_ != tag) return nullptr;
    ++at_;
    uint32_t size = 0;
    for (int shift = 0;; shift += 7) {
      if (at_ == end_ || shift > 28) return nullptr;
      const auto digit = static_cast<unsigned char>(*at_++);
      if (shift == 28 && digit > 7) return nullptr;  // 2 GiB
      size |= static_cast<uint32_t>(digit & 0x7f) << shift;
      if (digit <= 0x7f) break;
    }
    if (size > static_cast<size_t>(end_ - at_)) return nullptr;
    return std::exchange(end_, at_ + size);
  }

  const char* at_;
  const char* end_;
};

template <class Message>
Result<std::string> ReadAndWrite(const std::string& bytes) {
  Message message;
  if (!ParseDeep(bytes, &message)) MarkMalformed(&message);
  Status readable = Check(message);
  if (!readable.ok()) return readable;
  message.DiscardUnknownFields();
  return message.SerializeAsString();
}

}  // namespace

bool IsPlain(Shape shape, std::string_view bytes) {
  // One level is the message that holds these bytes.
  const int levels = kNestingMax - 1;
  return shape == Shape::kStruct ? PlainCheck(bytes).Struct(levels) : PlainCheck(bytes).Value(levels);
}

Result<std::string> ToPlainBytes(Shape shape, const std::string& bytes) {
  return shape == Shape::kStruct ? ReadAndWrite<google::protobuf::Struct>(bytes)
                                 : ReadAndWrite<google::protobuf::Value>(bytes);
}

void BackwardWriter::Grow(size_t bytes) {
  const size_t used = size();
  const size_t capacity = std::max(2 * static_cast<size_t>(end_ - buffer_), used + bytes);
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  end_ = larger.get() + capacity;
  std::memcpy(end_ - used, begin_, used);
  begin_ = end_ - used;
  large_ = std::move(larger);
  buffer_ = large_.get();
}

}  // namespace kingpost::wire
