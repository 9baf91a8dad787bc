// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/xml.h"

#include <expat.h>

#include <memory>

namespace kingpost {

namespace {

constexpr size_t kLevelsMax = 32;

// Expat's callbacks: the path from the outermost element to the one that is read.
class TreeBuilder {
 public:
  explicit TreeBuilder(XML_Parser parser) : parser_(parser) {
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, OnBegin, OnEnd);
    XML_SetCharacterDataHandler(parser, OnCharacters);
  }

  XmlElement TakeRoot() { return std::move(root_.children.front()); }

 private:
  static void OnBegin(void* self, const char* name, const char**) { static_cast<TreeBuilder*>(self)->Begin(name); }
  static void OnEnd(void* self, const char*) { static_cast<TreeBuilder*>(self)->path_.pop_back(); }
  static void OnCharacters(void* self, const char* text, int size) {
    static_cast<TreeBuilder*>(self)->path_.back()->text.append(text, static_cast<size_t>(size));
  }

  void Begin(std::string_view name) {
    if (path_.size() > kLevelsMax) {
      XML_StopParser(parser_, XML_FALSE);
      return;
    }
    // A parent gets its next child when the last one is whole, so no pointer of the path is to move.
    XmlElement& parent = *path_.back();
    parent.children.emplace_back();
    parent.children.back().name = name.substr(name.rfind(':') + 1);
    path_.push_back(&parent.children.back());
  }

  XML_Parser parser_;
  XmlElement root_;
  std::vector<XmlElement*> path_ = {&root_};
};

}  // namespace

const XmlElement* XmlElement::Child(std::string_view child) const {
  for (const XmlElement& element : children) {
    if (element.name == child) return &element;
  }
  return nullptr;
}

std::string XmlElement::TextOf(std::string_view path) const {
  const size_t slash = path.find('/');
  const XmlElement* child = Child(path.substr(0, slash));
  if (!child) return "";
  return slash == std::string_view::npos ? child->text : child->TextOf(path.substr(slash + 1));
}

std::optional<XmlElement> ParseXml(std::string_view document) {
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr), &XML_ParserFree);
  if (!parser || document.size() > INT32_MAX) return std::nullopt;
  TreeBuilder builder(parser.get());
  if (XML_Parse(parser.get(), document.data(), static_cast<int>(document.size()), 1) != XML_STATUS_OK) {
    return std::nullopt;
  }
  return builder.TakeRoot();
}

}  // namespace kingpost
