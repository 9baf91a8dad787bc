// SPDX-License-Identifier: Apache-2.0
// Names taken apart and put together. Every part is a view into the URN's own text.
#include "model/urn.h"

#include "base/encoding.h"

namespace kingpost {
namespace {

constexpr std::string_view kPrefix = "urn:pulumi:";
constexpr std::string_view kDelimiter = "::";
constexpr std::string_view kProviderTypePrefix = "pulumi:providers:";

bool StartsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

int CountDelimiters(std::string_view text) {
  int count = 0;
  for (size_t at = text.find(kDelimiter); at != text.npos; at = text.find(kDelimiter, at + 2)) ++count;
  return count;
}

// The index-th part after the prefix; `open` takes everything from there on. "" if there are not so many.
std::string_view Part(std::string_view text, int index, bool open) {
  if (!StartsWith(text, kPrefix)) return {};
  text.remove_prefix(kPrefix.size());
  for (; index > 0; --index) {
    const size_t at = text.find(kDelimiter);
    if (at == text.npos) return {};
    text.remove_prefix(at + 2);
  }
  return open ? text : text.substr(0, text.find(kDelimiter));
}

// The rules for a provider's URN, so that others can refer to it.
Status CheckProviderUrn(const Urn& urn) {
  if (!urn.valid()) return Status(Code::kInvalidArgument, urn.str() + " is not a valid URN");
  const std::string_view type = urn.type();
  if (IsProviderType(type)) return Status::Ok();
  if (type == kProviderTypePrefix) {
    return Status(Code::kInvalidArgument, "provider URNs must specify a type name");
  }
  const size_t first = type.find(':');
  const size_t second = first == type.npos ? first : type.find(':', first + 1);
  return Status(Code::kInvalidArgument, "invalid module in type: expected 'pulumi:providers', got '" +
                                            std::string(first == type.npos ? "" : type.substr(0, second)) + "'");
}

}  // namespace

Urn Urn::Make(std::string_view stack, std::string_view project, std::string_view parent_type, std::string_view type,
              std::string_view name) {
  const bool nested = !parent_type.empty() && parent_type != kRootStackType;
  std::string text;
  text.reserve(kPrefix.size() + stack.size() + project.size() + parent_type.size() + type.size() + name.size() + 7);
  text.append(kPrefix).append(stack).append(kDelimiter).append(project).append(kDelimiter);
  if (nested) text.append(parent_type).push_back('$');
  text.append(type).append(kDelimiter).append(name);
  return Urn(std::move(text));
}

Result<Urn> Urn::Parse(std::string_view text) {
  if (text.empty()) return Status(Code::kInvalidArgument, "missing required URN");
  Urn urn{std::string(text)};
  if (!urn.valid()) return Status(Code::kInvalidArgument, "invalid URN " + Quote(text));
  return urn;
}

bool Urn::valid() const { return StartsWith(str(), kPrefix) && CountDelimiters(str()) >= 3; }

std::string_view Urn::stack() const { return Part(str(), 0, false); }
std::string_view Urn::project() const { return Part(str(), 1, false); }
std::string_view Urn::qualified_type() const { return Part(str(), 2, false); }
std::string_view Urn::name() const { return Part(str(), 3, true); }

std::string_view Urn::type() const {
  const std::string_view qualified = qualified_type();
  return qualified.substr(qualified.rfind('$') + 1);  // npos + 1 is 0
}

Urn Urn::Rename(std::string_view name) const { return Make(stack(), project(), "", qualified_type(), name); }
Urn Urn::RenameStack(std::string_view stack) const { return Make(stack, project(), "", qualified_type(), name()); }
Urn Urn::RenameProject(std::string_view project) const { return Make(stack(), project, "", qualified_type(), name()); }

bool IsValidTypeToken(std::string_view type) {
  const size_t first = type.find(':');
  return first != type.npos && type.find(':', first + 1) != type.npos;
}

std::string_view PackageOfType(std::string_view type) {
  const size_t colon = type.find(':');
  return colon == type.npos ? std::string_view() : type.substr(0, colon);
}

bool IsProviderType(std::string_view type) {
  return StartsWith(type, kProviderTypePrefix) && type.size() > kProviderTypePrefix.size();
}

std::string_view ProviderPackage(std::string_view provider_type) {
  KP_ASSERT(IsProviderType(provider_type), "only a provider's type names its package");
  return provider_type.substr(kProviderTypePrefix.size());
}

std::string MakeProviderType(std::string_view package) {
  return std::string(kProviderTypePrefix) + std::string(package);
}

bool IsDefaultProviderUrn(const Urn& urn) { return IsProviderType(urn.type()) && StartsWith(urn.name(), "default"); }

Result<ProviderReference> ProviderReference::Parse(std::string_view text) {
  const size_t split = text.rfind(kDelimiter);
  if (split == text.npos) {
    return Status(Code::kInvalidArgument, "expected '::' in provider reference '" + std::string(text) + "'");
  }
  ProviderReference reference{Urn(std::string(text.substr(0, split))), std::string(text.substr(split + 2))};
  if (Status status = CheckProviderUrn(reference.urn); !status.ok()) return status;
  return reference;
}

}  // namespace kingpost
