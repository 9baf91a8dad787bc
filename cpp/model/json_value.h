// SPDX-License-Identifier: Apache-2.0
// Property values in state files (rows 7.5 to 7.8): objects with the signature key stand for secrets, assets, archives,
// references, byte strings and odd numbers. Not thread-safe; one reader or writer serves one document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/deployment_json.h"
#include "model/json_reader.h"
#include "model/property_text.h"
#include "model/urn_table.h"

namespace kingpost {

// Builds values from a JsonReader without recursion. Failures stick to the reader.
class JsonValueReader {
 public:
  JsonValueReader(JsonReader* reader, const DecodeOptions& options) : reader_(*reader), options_(options) {
    if (options.properties_as_text) texts_.emplace(options.text_owner, !options.secrets);
  }

  // Whose values these are: secrets are cached under it.
  void set_urn(Urn urn) { urn_ = std::move(urn); }

  Value ReadValue();
  // A name; of a large document, the one that was read before if there was one.
  Urn ReadUrn();
  PropertyMap ReadProperties();  // null counts as empty
  // Resources of one kind mostly say the same here. One that is equal to the one before shares it.
  void ShareWithLast(PropertyDependencies* read);

 private:
  JsonValueReader(JsonReader* reader, const DecodeOptions& options, bool inside_secret)
      : reader_(*reader), options_(options), inside_secret_(inside_secret) {}

  struct Frame {
    bool object;
    size_t begin;  // its first entry in slots_
  };

  void BeginContainer(bool object);
  bool NextSlot();
  Value ReadScalar(JsonReader::Kind kind);
  Value EndContainer();
  Value Recognize(const PropertyMap& fields, const Value& signature);
  Value RecognizeSecret(const PropertyMap& fields);
  Value RecognizeAsset(const PropertyMap& fields);
  Value RecognizeArchive(const PropertyMap& fields);
  Value RecognizeReference(const PropertyMap& fields);
  Value RecognizeByteString(const PropertyMap& fields);
  Value RecognizeNonFiniteNumber(const PropertyMap& fields);
  Value Unseal(const std::string& ciphertext);
  Value ReadPlaintext(const std::string& plaintext);
  Value Fail(const std::string& what);

  JsonReader& reader_;
  const DecodeOptions& options_;
  const bool inside_secret_ = false;
  Urn urn_;
  std::optional<PropertyTexts> texts_;
  UrnTable urns_;
  PropertyDependencies last_dependencies_;
  std::vector<Frame> frames_;
  // One slot for each value being read and its finished siblings; the innermost container's are last.
  std::vector<Property> slots_;
};

// Appends values to a string. The first failure sticks; see status().
class JsonValueWriter {
 public:
  JsonValueWriter(const EncodeOptions& options, std::string* out) : options_(options), out_(*out) {}

  void set_urn(const Urn* urn) { urn_ = urn; }

  void Append(const Value& value);
  void Append(const PropertyMap& map);

  const Status& status() const { return status_; }
  // True if a string written so far, in or out of secrets, is not UTF-8 (feature byteString).
  bool wrote_byte_string() const { return wrote_byte_string_; }
  bool wrote_sealed() const { return wrote_sealed_; }

 private:
  JsonValueWriter(const EncodeOptions& options, std::string* out, const Urn* urn)
      : options_(options), out_(*out), urn_(urn), inside_secret_(true) {}

  bool StaysText(std::string_view text);
  void AppendNumber(double number);
  void AppendText(const std::string& text);
  void AppendArray(const Array& array);
  void AppendAsset(const AssetData& asset);
  void AppendArchive(const ArchiveData& archive);
  void AppendReference(const ResourceReference& reference);
  void AppendSecret(const SecretData& secret);
  void AppendOutput(const OutputData& output);
  void AppendQuoted(std::string_view text);
  void BeginSigned(std::string_view signature);
  void AppendField(std::string_view key, std::string_view text);
  std::string Seal(const SecretData& secret);
  void Fail(Status status);

  const EncodeOptions& options_;
  std::string& out_;
  const Urn* urn_ = nullptr;
  const bool inside_secret_ = false;
  bool wrote_byte_string_ = false;
  bool wrote_sealed_ = false;
  Status status_;
};

// True if a string inside has bytes that are not UTF-8.
bool NeedsByteString(const Value& value);

}  // namespace kingpost
