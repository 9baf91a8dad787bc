// SPDX-License-Identifier: Apache-2.0
#include "wire/option_fields.h"

#include "base/go_duration.h"
#include "pulumi/alias.pb.h"
#include "wire/convert_options.h"

namespace kingpost {

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

using Texts = std::vector<std::string>;
using TextMap = std::map<std::string, std::string>;

struct TimeoutField {
  const char* name;
  double CustomTimeouts::*seconds;
};
constexpr TimeoutField kTimeouts[] = {{"create", &CustomTimeouts::create_s},
                                      {"update", &CustomTimeouts::update_s},
                                      {"delete", &CustomTimeouts::delete_s},
                                      {"read", &CustomTimeouts::read_s}};

struct HookField {
  const char* name;
  HookKind kind;
};
constexpr HookField kHooks[kHookKinds] = {{"before_create", HookKind::kBeforeCreate},
                                          {"after_create", HookKind::kAfterCreate},
                                          {"before_update", HookKind::kBeforeUpdate},
                                          {"after_update", HookKind::kAfterUpdate},
                                          {"before_delete", HookKind::kBeforeDelete},
                                          {"after_delete", HookKind::kAfterDelete},
                                          {"on_error", HookKind::kOnError}};

const FieldDescriptor* Part(const Message& message, const char* name) {
  const FieldDescriptor* part = message.GetDescriptor()->FindFieldByName(name);
  KP_ASSERT(part, name);
  return part;
}

// One field of a message.
class FieldReader {
 public:
  FieldReader(const Message& message, const FieldDescriptor* field)
      : message_(message), reflection_(*message.GetReflection()), field_(field) {}

  Status Read(std::optional<bool>* out) const {
    out->reset();
    if (reflection_.HasField(message_, field_)) *out = reflection_.GetBool(message_, field_);
    return Status();
  }
  Status Read(std::string* out) const {
    *out = Text();
    return Status();
  }
  Status Read(Urn* out) const {
    *out = Urn(Text());
    return Status();
  }
  Status Read(Texts* out) const { return ReadTexts(out); }
  Status Read(std::vector<Urn>* out) const { return ReadTexts(out); }
  Status Read(std::vector<Alias>* out) const {
    out->clear();
    for (int i = 0; i < reflection_.FieldSize(message_, field_); ++i) {
      out->push_back(
          FromWireAlias(static_cast<const pulumirpc::Alias&>(reflection_.GetRepeatedMessage(message_, field_, i))));
    }
    return Status();
  }
  Status Read(TextMap* out) const {
    out->clear();
    for (int i = 0; i < reflection_.FieldSize(message_, field_); ++i) {
      const Message& entry = reflection_.GetRepeatedMessage(message_, field_, i);
      std::string key;
      KP_TRY(FieldReader(entry, Part(entry, "key")).Read(&key));
      KP_TRY(FieldReader(entry, Part(entry, "value")).Read(&(*out)[key]));
    }
    return Status();
  }
  Status Read(CustomTimeouts* out) const {
    *out = CustomTimeouts();
    if (!reflection_.HasField(message_, field_)) return Status();
    const Message& timeouts = reflection_.GetMessage(message_, field_);
    for (const auto& [name, seconds] : kTimeouts) {
      const std::string text = FieldReader(timeouts, Part(timeouts, name)).Text();
      const auto parsed = text.empty() ? 0.0 : ParseGoDuration(text);
      if (!parsed) return Status(Code::kInvalidArgument, "unable to parse customTimeout Value " + text);
      out->*seconds = *parsed;
    }
    return Status();
  }
  Status Read(ResourceHooks* out) const {
    *out = ResourceHooks();
    if (!reflection_.HasField(message_, field_)) return Status();
    const Message& hooks = reflection_.GetMessage(message_, field_);
    for (const auto& [name, kind] : kHooks) KP_TRY(FieldReader(hooks, Part(hooks, name)).Read(&out->of(kind)));
    return Status();
  }
  Status Read(Value* out, const WireOptions& options) const {
    *out = Value();
    if (!reflection_.HasField(message_, field_)) return Status();
    auto value = FromWireValue("replacementTrigger", Text(), options);
    if (!value.ok()) return value.status();
    if (*value) *out = std::move(**value);
    return Status();
  }

 private:
  const std::string& Text() const { return reflection_.GetStringReference(message_, field_, &scratch_); }

  // For texts, or for values that are made of one.
  template <class T>
  Status ReadTexts(std::vector<T>* out) const {
    const int count = reflection_.FieldSize(message_, field_);
    out->clear();
    out->reserve(count);
    for (int i = 0; i < count; ++i) {
      out->emplace_back(reflection_.GetRepeatedStringReference(message_, field_, i, &scratch_));
    }
    return Status();
  }

  const Message& message_;
  const Reflection& reflection_;
  const FieldDescriptor* const field_;
  mutable std::string scratch_;
};

class FieldWriter {
 public:
  FieldWriter(Message* message, const FieldDescriptor* field)
      : message_(message), reflection_(*message->GetReflection()), field_(field) {}

  void Write(bool flag) const { reflection_.SetBool(message_, field_, flag); }
  void Write(const std::optional<bool>& flag) const {
    if (flag) Write(*flag);
  }
  void Write(const std::string& text) const {
    if (!text.empty()) reflection_.SetString(message_, field_, text);
  }
  void Write(const Urn& urn) const { Write(urn.str()); }
  void Write(const Texts& texts) const {
    for (const std::string& text : texts) reflection_.AddString(message_, field_, text);
  }
  // As aliases are recorded: where the field is a list of aliases, each is one by its URN.
  void Write(const std::vector<Urn>& urns) const {
    for (const Urn& urn : urns) {
      if (field_->message_type()) {
        Alias alias;
        alias.urn = urn;
        Add(alias);
      } else {
        reflection_.AddString(message_, field_, urn.str());
      }
    }
  }
  void Write(const std::vector<Alias>& aliases) const {
    for (const Alias& alias : aliases) Add(alias);
  }
  void Write(const TextMap& texts) const {
    for (const auto& [key, text] : texts) {
      Message* entry = reflection_.AddMessage(message_, field_);
      FieldWriter(entry, Part(*entry, "key")).Write(key);
      FieldWriter(entry, Part(*entry, "value")).Write(text);
    }
  }
  void Write(const CustomTimeouts& timeouts) const {
    if (timeouts.empty()) return;
    Message* out = reflection_.MutableMessage(message_, field_);
    for (const auto& [name, seconds] : kTimeouts) {
      FieldWriter(out, Part(*out, name)).Write(FormatGoDuration(timeouts.*seconds));
    }
  }
  void Write(const ResourceHooks& hooks) const {
    if (hooks.empty()) return;
    Message* out = reflection_.MutableMessage(message_, field_);
    for (const auto& [name, kind] : kHooks) FieldWriter(out, Part(*out, name)).Write(hooks.of(kind));
  }
  Status Write(const Value& value, const WireOptions& options) const {
    if (value.is_null()) return Status();
    std::string bytes;
    bool kept = true;
    Status written = ToWireValue("replacementTrigger", value, options, &bytes, &kept);
    if (written.ok() && kept) reflection_.SetString(message_, field_, std::move(bytes));
    return written;
  }

 private:
  void Add(const Alias& alias) const {
    ToWireAlias(alias, static_cast<pulumirpc::Alias*>(reflection_.AddMessage(message_, field_)));
  }

  Message* const message_;
  const Reflection& reflection_;
  const FieldDescriptor* const field_;
};

template <class T>
constexpr bool kIsValue = std::is_same_v<std::decay_t<T>, Value>;

constexpr char kNoForm[] = "an option of this kind has no form in messages yet: add one to FieldReader and FieldWriter";

template <class Request>
Status WriteRequest(const Request& request, const OptionFields& fields, const WireOptions& values, Message* message) {
  Status status;
  size_t row = 0;
  ForEachResourceField([&](const auto& field) {
    const FieldDescriptor* to = fields[row++];
    if constexpr (requires { request.*field.goal; }) {
      if (!to || !status.ok()) return;
      const FieldWriter writer(message, to);
      if constexpr (kIsValue<decltype(request.*field.goal)>) {
        status = writer.Write(request.*field.goal, values);
      } else if constexpr (requires { writer.Write(request.*field.goal); }) {
        writer.Write(request.*field.goal);
      } else {
        KP_ASSERT(false, kNoForm);
      }
    } else {
      KP_ASSERT(!to, "the message has only what the request can hold");
    }
  });
  return status;
}

std::string_view NameIn(OptionNames names, std::string_view request, std::string_view construct,
                        std::string_view options) {
  switch (names) {
    case OptionNames::kRequest:
      return request;
    case OptionNames::kConstruct:
      return construct;
    case OptionNames::kOptions:
      return options;
  }
  return "";
}

}  // namespace

OptionFields FindOptionFields(const google::protobuf::Descriptor* message, OptionNames names) {
  OptionFields fields{};
  size_t row = 0;
  ForEachResourceField([&](const auto& field) {
    const std::string name(NameIn(names, field.request, field.construct, field.options));
    if (!name.empty()) {
      fields[row] = message->FindFieldByName(name);
      KP_ASSERT(fields[row], name.c_str());
    }
    ++row;
  });
  return fields;
}

Status ReadOptionFields(const Message& message, const OptionFields& fields, const WireOptions& values,
                        RegisterResourceRequest* request) {
  Status status;
  size_t row = 0;
  ForEachResourceField([&](const auto& field) {
    const FieldDescriptor* from = fields[row++];
    if constexpr (requires { request->*field.goal; }) {
      if (!from || !status.ok()) return;
      const FieldReader reader(message, from);
      if constexpr (kIsValue<decltype(request->*field.goal)>) {
        status = reader.Read(&(request->*field.goal), values);
      } else if constexpr (requires { reader.Read(&(request->*field.goal)); }) {
        status = reader.Read(&(request->*field.goal));
      } else {
        KP_ASSERT(false, kNoForm);
      }
    }
  });
  return status;
}

Status WriteOptionFields(const RegisterResourceRequest& request, const OptionFields& fields, const WireOptions& values,
                         Message* message) {
  return WriteRequest(request, fields, values, message);
}

Status WriteOptionFields(const ConstructRequest& request, const OptionFields& fields, const WireOptions& values,
                         Message* message) {
  return WriteRequest(request, fields, values, message);
}

void WriteOptionFields(const State& state, const OptionFields& fields, Message* message) {
  size_t row = 0;
  ForEachResourceField([&](const auto& field) {
    const FieldDescriptor* to = fields[row++];
    if constexpr (std::decay_t<decltype(field)>::kInState) {
      const FieldWriter writer(message, to);
      if constexpr (requires { writer.Write(state.*field.state); }) {
        if (to) writer.Write(state.*field.state);
      }
    }
  });
}

}  // namespace kingpost
