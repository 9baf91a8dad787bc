// SPDX-License-Identifier: Apache-2.0
// Two values side by side as lines, old in red and new in green, each under its mark, so that colours add nothing that
// marks do not say. Never looks into a secret unless secrets are shown.
//
//       ~ policy: (json) {
//           ~ Statement: [
//               + [1]: {
//               ~ [2 => 0]: "s3:*"  # moved
//                 (1 unchanged item hidden)
#pragma once

#include <string>

#include "console/display/change_reasons.h"
#include "console/display/diff.h"
#include "console/display/terminal.h"
#include "model/property_path.h"
#include "model/secret_sides.h"
#include "model/value.h"

namespace kingpost {

struct ChangeMark {
  const char* text;
  Style style;
};
inline constexpr ChangeMark kAddMark{"+ ", Style::kGreen};
inline constexpr ChangeMark kDeleteMark{"- ", Style::kRed};
inline constexpr ChangeMark kUpdateMark{"~ ", Style::kYellow};
inline constexpr ChangeMark kNoMark{"  ", Style::kNone};

class DiffWriter {
 public:
  DiffWriter(const DiffTextOptions& options, const Painter& painter, const ChangeReasons& reasons)
      : options_(options), painter_(painter), reasons_(reasons) {}

  // Answers how many properties were the same and not listed.
  int Objects(const PropertyMap& old_map, const PropertyMap& new_map, int indent, bool show_sames,
              const PropertyPath& path);
  // One named change; either side may be missing.
  void Pair(const std::string& label, const Value* old_value, const Value* new_value, int indent,
            const PropertyPath& path);
  void Line(int indent, ChangeMark mark, const std::string& text, const std::string& note = "");
  void Hidden(int count, int indent, const char* noun = "property", const char* nouns = "properties");

  std::string Take() { return std::move(out_); }

 private:
  bool Same(const Value& a, const Value& b) const;
  bool IsOpaque(const Value& value) const { return IsSecret(value) && !options_.show_secrets; }
  void Changed(const std::string& label, const Value& old_value, const Value& new_value, int indent,
               const PropertyPath& path, const std::string& note);
  bool ChangedContainers(const std::string& label, const Value& old_value, const Value& new_value, int indent,
                         const PropertyPath& path, const std::string& note);
  bool ChangedTexts(const std::string& label, const std::string& old_text, const std::string& new_text, int indent,
                    const std::string& note);
  void Scalars(const std::string& label, const Value& old_value, const Value& new_value, int indent,
               const std::string& note);
  void Arrays(const Array& old_array, const Array& new_array, int indent, const PropertyPath& path);
  void One(ChangeMark mark, const std::string& label, const Value& value, int indent, const std::string& note);
  std::string Text(const Value& value, int indent, bool one_line = false) const;
  std::string Masked(const Value& text) const;

  const DiffTextOptions& options_;
  const Painter& painter_;
  const ChangeReasons& reasons_;
  bool inside_document_ = false;  // of a string: its keys are all its own
  std::string out_;
};

}  // namespace kingpost
