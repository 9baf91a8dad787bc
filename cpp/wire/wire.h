// SPDX-License-Identifier: Apache-2.0
// How messages are read from and written to gRPC. Included before any gRPC header, in every file that uses one:
// without it the build stops at an undeclared kingpost::wire.
//
// Why not gRPC's own traits: protobuf refuses messages nested deeper than 100, which is a Struct of 34 levels. And a
// gRPC server answers a request that it cannot parse with an empty "unimplemented". Here a message may nest
// kNestingMax deep (an object takes three levels, a list two). One that cannot be parsed arrives empty and marked, so
// that Check() can name its fault. Any thread.
#pragma once

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream.h>
#include <google/protobuf/message.h>

#include <climits>
#include <string>
#include <type_traits>

#include "base/status.h"

namespace kingpost::wire {

// Named by the GRPC_CUSTOM_... macros of the build, so that gRPC's headers do not compile without this file.
using OutputStream = ::google::protobuf::io::ZeroCopyOutputStream;
using InputStream = ::google::protobuf::io::ZeroCopyInputStream;
using CodedStream = ::google::protobuf::io::CodedInputStream;

inline constexpr int kNestingMax = 10000;
inline constexpr int kMessageBytesMax = 400 * 1024 * 1024;
// A field that no message has; present means that the bytes could not be parsed.
inline constexpr int kMalformedField = 536870911;

inline bool ParseDeep(InputStream* stream, google::protobuf::MessageLite* message) {
  CodedStream input(stream);
  input.SetTotalBytesLimit(INT_MAX);
  input.SetRecursionLimit(kNestingMax);
  return message->ParseFromCodedStream(&input) && input.ConsumedEntireMessage();
}

inline bool ParseDeep(const std::string& bytes, google::protobuf::MessageLite* message) {
  CodedStream input(reinterpret_cast<const uint8_t*>(bytes.data()), static_cast<int>(bytes.size()));
  input.SetTotalBytesLimit(INT_MAX);
  input.SetRecursionLimit(kNestingMax);
  return message->ParseFromCodedStream(&input) && input.ConsumedEntireMessage();
}

// Every message of ours is a full Message; gRPC's templates know only the base.
inline void MarkMalformed(google::protobuf::MessageLite* lite) {
  auto* message = static_cast<google::protobuf::Message*>(lite);
  message->Clear();
  message->GetReflection()->MutableUnknownFields(message)->AddVarint(kMalformedField, 1);
}

// Fails if `message` is the stand-in for bytes that could not be parsed.
inline Status Check(const google::protobuf::Message& message) {
  const auto& unknown = message.GetReflection()->GetUnknownFields(message);
  if (unknown.empty() || unknown.field(0).number() != kMalformedField) return Status::Ok();
  return Status(Code::kInvalidArgument, "cannot read a " + message.GetDescriptor()->full_name() +
                                            " message: it is damaged, or its values are nested more than " +
                                            std::to_string(kNestingMax / 3) + " levels deep");
}

}  // namespace kingpost::wire

#include <grpcpp/impl/codegen/config_protobuf.h>
#undef GRPC_OPEN_SOURCE_PROTO
#include <grpcpp/impl/codegen/proto_utils.h>
#define GRPC_OPEN_SOURCE_PROTO

namespace grpc {

template <class T>
class SerializationTraits<T, typename std::enable_if<std::is_base_of<protobuf::MessageLite, T>::value>::type> {
 public:
  static Status Serialize(const protobuf::MessageLite& message, ByteBuffer* bytes, bool* own_buffer) {
    return GenericSerialize<ProtoBufferWriter, T>(message, bytes, own_buffer);
  }
  static Status Deserialize(ByteBuffer* bytes, protobuf::MessageLite* message) {
    if (bytes == nullptr) return Status(StatusCode::INTERNAL, "No payload");
    {
      ProtoBufferReader reader(bytes);
      if (!reader.status().ok()) return reader.status();
      if (!kingpost::wire::ParseDeep(&reader, message)) kingpost::wire::MarkMalformed(message);
    }
    bytes->Clear();
    return Status::OK;
  }
};

}  // namespace grpc
