// SPDX-License-Identifier: Apache-2.0
#include "console/display/policy_section.h"

#include <algorithm>
#include <tuple>

#include "console/display/labels.h"

namespace kingpost {

namespace {

constexpr int kItemIndent = 8;

// The policies that ran under one name and version.
struct Pack {
  std::vector<std::string> paths;  // of packs in folders
  std::vector<const PolicyEvent*> violations;
  std::vector<const PolicyRemediationEvent*> remediations;
};

std::string KeyOf(const std::string& name, const std::string& version) { return name + "@v" + version; }

// "name|local|path" is how events tell of a pack in a folder (Policies::Load).
std::map<std::string, Pack> ByPack(const PolicySection& section) {
  constexpr std::string_view kLocal = "|local|";
  std::map<std::string, Pack> packs;
  for (const auto& [name, version] : section.packs) {
    const size_t mark = name.find(kLocal);
    Pack& pack = packs[KeyOf(name.substr(0, mark), version)];
    if (mark != std::string::npos) pack.paths.push_back(name.substr(mark + kLocal.size()));
  }
  for (const PolicyEvent& event : section.violations) {
    packs[KeyOf(event.diagnostic.pack, event.diagnostic.pack_version)].violations.push_back(&event);
  }
  for (const PolicyRemediationEvent& event : section.remediations) {
    packs[KeyOf(event.remediation.pack, event.remediation.pack_version)].remediations.push_back(&event);
  }
  return packs;
}

bool IsExempted(const PolicyEvent& event) { return !event.exceptions.empty(); }

std::string PackMark(const Pack& pack) {
  const auto forbids = [](const PolicyEvent* event) { return event->forbids(); };
  const auto is_exempted = [](const PolicyEvent* event) { return IsExempted(*event); };
  if (std::any_of(pack.violations.begin(), pack.violations.end(), forbids)) return "❌";
  return std::all_of(pack.violations.begin(), pack.violations.end(), is_exempted) ? "✅" : "⚠️";
}

std::string Place(std::vector<std::string> paths) {
  if (paths.empty()) return "";
  std::sort(paths.begin(), paths.end());
  std::string out;
  for (const std::string& path : paths) out += (out.empty() ? "" : "; ") + Printable(path);
  return " (local: " + out + ")";
}

std::string Where(const Urn& urn) {
  return urn.empty() ? "" : "  (" + Printable(std::string(urn.type()) + ": " + std::string(urn.name())) + ")";
}

std::string RemediatedKeys(const PolicyRemediationEvent& event) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : event.after) {
    const Value* before = event.before.Find(key);
    if (!before || !DeepEqual(*before, value)) keys.push_back((before ? "~" : "+") + key);
  }
  for (const auto& [key, value] : event.before) {
    if (!event.after.Find(key)) keys.push_back("-" + key);
  }
  std::string out;
  for (const std::string& key : keys) out += (out.empty() ? "" : ",") + Printable(key);
  return out;
}

std::string RemediationLine(const std::string& policy, const std::string& rest, const Painter& painter) {
  return std::string(kItemIndent, ' ') + "- " + painter.Paint(Style::kGreen, "[remediate]") + "  " +
         painter.Bold(Printable(policy)) + rest + "\n";
}

std::string EachRemediation(const Pack& pack, const Painter& painter) {
  std::string out;
  for (const PolicyRemediationEvent* event : pack.remediations) {
    const std::string keys = RemediatedKeys(*event);
    if (keys.empty()) continue;
    out += RemediationLine(event->remediation.policy, Where(event->urn) + " [diff: " + keys + "]", painter);
  }
  return out;
}

std::string CountedRemediations(const Pack& pack, const Painter& painter) {
  std::map<std::string, int> counts;
  for (const PolicyRemediationEvent* event : pack.remediations) ++counts[event->remediation.policy];
  std::string out;
  for (const auto& [policy, count] : counts) {
    out +=
        RemediationLine(policy, "  (" + std::to_string(count) + (count == 1 ? " resource)" : " resources)"), painter);
  }
  return out;
}

int SeverityRank(const std::string& severity) {
  static const std::map<std::string, int> ranks = {{"critical", 0}, {"high", 1}, {"medium", 2}, {"low", 3}, {"", 4}};
  const auto found = ranks.find(severity);
  return found == ranks.end() ? 5 : found->second;
}

// Mandatory ones first, then the severe ones; what is exempted comes last.
std::vector<const PolicyEvent*> Sorted(std::vector<const PolicyEvent*> violations) {
  const auto rank = [](const PolicyEvent* event) {
    const PolicyDiagnostic& d = event->diagnostic;
    return std::make_tuple(IsExempted(*event), d.level != EnforcementLevel::kMandatory, SeverityRank(d.severity),
                           d.policy, event->urn.str());
  };
  std::stable_sort(violations.begin(), violations.end(),
                   [&rank](const PolicyEvent* a, const PolicyEvent* b) { return rank(a) < rank(b); });
  return violations;
}

Style StyleOf(const PolicyEvent& event) {
  if (IsExempted(event)) return Style::kDim;
  return event.forbids() ? Style::kRed : Style::kYellow;
}

std::string ViolationText(const PolicyEvent& event, const Painter& painter) {
  const PolicyDiagnostic& policy = event.diagnostic;
  const std::string exempted = IsExempted(event) ? "[exempted] " : "";
  const std::string severity = policy.severity.empty() ? "" : " [severity: " + Printable(policy.severity) + "]";
  const std::string level = std::string("[") + EnforcementLevelName(policy.level) + "]";
  std::string out = std::string(kItemIndent, ' ') + (IsExempted(event) ? "· " : "- ") +
                    painter.Paint(StyleOf(event), exempted + level + severity) + "  " +
                    painter.Bold(Printable(policy.policy)) + Where(event.urn) + "\n";
  std::string message = policy.message;
  if (!message.empty() && message.back() == '\n') message.pop_back();
  if (!message.empty()) out += Indented(message, kItemIndent + 2);
  for (const AppliedException& exception : event.exceptions) {
    out += Indented(Printable(exception.id) + ": " + Printable(exception.reason, true), kItemIndent + 2);
  }
  return out;
}

std::string CountedExempted(const Pack& pack, const Painter& painter) {
  std::map<std::string, int> counts;
  for (const PolicyEvent* event : pack.violations) {
    if (IsExempted(*event)) ++counts[event->diagnostic.policy];
  }
  std::string out;
  for (const auto& [policy, count] : counts) {
    const std::string counted = "  (" + std::to_string(count) + (count == 1 ? " violation)" : " violations)");
    out += std::string(kItemIndent, ' ') + "· " +
           painter.Paint(Style::kDim, "[exempted]  " + Printable(policy) + counted) + "\n";
  }
  return out;
}

}  // namespace

std::string PolicySectionText(const PolicySection& section, const Painter& painter) {
  const std::map<std::string, Pack> packs = ByPack(section);
  if (packs.empty()) return "";
  std::string out = Headline("Policies:", painter);
  for (const auto& [key, pack] : packs) {
    out += "    " + PackMark(pack) + " " + painter.Bold(Printable(key)) + Place(pack.paths) + "\n";
    out += section.list_remediations ? EachRemediation(pack, painter) : CountedRemediations(pack, painter);
    for (const PolicyEvent* event : Sorted(pack.violations)) {
      if (section.list_exempted || !IsExempted(*event)) out += ViolationText(*event, painter);
    }
    if (!section.list_exempted) out += CountedExempted(pack, painter);
  }
  return out + "\n";
}

}  // namespace kingpost
