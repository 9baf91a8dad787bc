// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/order.h"

#include <algorithm>
#include <map>

#include "languages/schema/token.h"
#include "model/urn.h"

namespace kingpost::yaml {

namespace {

struct Declared {
  std::string kind;  // "config", "variable" or "resource"
  pcl::Position at;
  std::optional<Step> step;  // a setting has none
  std::vector<Text> names = {};
};

class Sorter {
 public:
  Sorter(const Body& body, const std::set<std::string>& settings, const std::string& project, Diagnostics* diagnostics)
      : body_(body), settings_(settings), project_(project), diagnostics_(*diagnostics) {}

  std::vector<Step> Sort() {
    DeclareAll();
    if (diagnostics_.has_errors()) return {};
    for (const std::string& name : in_order_) Visit({name, declared_.at(name).at});
    for (const NamedExpression& output : body_.outputs) {
      for (const Text& name : NamesIn({output.value})) Visit(name);
    }
    return std::move(order_);
  }

 private:
  void DeclareAll() {
    for (const ConfigDecl& config : body_.config) Declare(config.key, {"config", config.at, std::nullopt});
    for (size_t i = 0; i < body_.resources.size(); ++i) {
      const ResourceDecl& resource = body_.resources[i];
      std::vector<Text> names = NamesIn(ExpressionsOf(resource));
      const ResourceDecl* provider = ImpliedProviderOf(body_, resource);
      if (provider) names.push_back({provider->key, resource.at});
      Declare(resource.key, {"resource", resource.at, Step{Step::Kind::kResource, i, {}}, std::move(names)});
    }
    for (size_t i = 0; i < body_.variables.size(); ++i) {
      const NamedExpression& variable = body_.variables[i];
      Declare(variable.name, {"variable", variable.at, Step{Step::Kind::kVariable, i, {}}, NamesIn({variable.value})});
    }
  }

  void Declare(const std::string& name, Declared declared) {
    const std::string what = declared.kind + " " + name;
    if (name == kPulumi) return diagnostics_.Error(declared.at, what + " uses the reserved name pulumi");
    const auto other = declared_.find(name);
    if (other == declared_.end()) {
      in_order_.push_back(name);
      declared_.emplace(name, std::move(declared));
    } else if (other->second.kind == declared.kind) {
      diagnostics_.Error(declared.at, "found duplicate " + what);
    } else {
      diagnostics_.Error(declared.at, what + " cannot have the same name as " + other->second.kind + " " + name);
    }
  }

  // The names that expressions say, and the default providers on which they call functions.
  std::vector<Text> NamesIn(const std::vector<pcl::ExpressionPtr>& expressions) const {
    std::vector<Text> names;
    for (const pcl::ExpressionPtr& expression : expressions) CollectNames(*expression, &names);
    const auto collect_provider = [&](const pcl::Expression& part) {
      const std::string* token = pcl::InvokedToken(part);
      const ResourceDecl* provider = token ? DefaultProviderOf(body_, schema::PackageOf(*token)) : nullptr;
      if (provider) names.push_back({provider->key, part.at});
    };
    for (const pcl::ExpressionPtr& expression : expressions) Walk(*expression, collect_provider);
    return names;
  }

  // The name as it is declared: the project's own namespace may stand before a setting.
  std::string Declaration(const std::string& name) const {
    const std::string space = project_ + ":";
    return declared_.count(name) == 0 && name.starts_with(space) ? name.substr(space.size()) : name;
  }

  void Visit(const Text& spelled) {
    const std::string name = Declaration(spelled.value);
    const auto found = declared_.find(name);
    if (found == declared_.end()) {
      const bool missing = name != kPulumi && settings_.count(name) == 0 && missing_.insert(spelled.value).second;
      if (!missing) return;
      diagnostics_.Error(spelled.at, "resource, variable, or config value \"" + spelled.value + "\" not found");
      return;
    }
    const Declared& declared = found->second;
    if (!declared.step || steps_.count(name) > 0) return;
    if (const auto begin = std::ranges::find(path_, name); begin != path_.end()) {
      std::string circle;
      for (auto each = begin; each != path_.end(); ++each) circle += *each + " -> ";
      diagnostics_.Error(spelled.at,
                         "circular dependency of " + declared.kind + " '" + name + "' transitively on itself",
                         circle + name);
      return;
    }
    path_.push_back(name);
    for (const Text& each : declared.names) Visit(each);
    path_.pop_back();
    std::set<size_t> needs;
    for (const Text& each : declared.names) {
      if (const auto step = steps_.find(Declaration(each.value)); step != steps_.end()) needs.insert(step->second);
    }
    steps_[name] = order_.size();
    order_.push_back({declared.step->kind, declared.step->index, {needs.begin(), needs.end()}});
  }

  const Body& body_;
  const std::set<std::string>& settings_;
  const std::string& project_;
  Diagnostics& diagnostics_;
  std::map<std::string, Declared> declared_;
  std::vector<std::string> in_order_;
  std::vector<std::string> path_;  // what is being visited
  std::set<std::string> missing_;
  std::map<std::string, size_t> steps_;
  std::vector<Step> order_;
};

}  // namespace

std::vector<pcl::ExpressionPtr> ExpressionsOf(const ResourceDecl& resource) {
  std::vector<pcl::ExpressionPtr> expressions;
  const auto add_all = [&expressions](const std::vector<NamedExpression>& list) {
    for (const NamedExpression& each : list) expressions.push_back(each.value);
  };
  add_all(resource.properties);
  for (const pcl::ExpressionPtr& alone : {resource.all_properties, resource.get_id}) {
    if (alone) expressions.push_back(alone);
  }
  add_all(resource.get_state);
  // Whom these name is ordered first; the list itself is in the order in which options are written.
  static constexpr const char* kFirst[] = {"aliases", "customTimeouts", "dependsOn"};
  std::vector<NamedExpression> options = resource.options;
  std::ranges::stable_sort(options, {}, [](const NamedExpression& option) {
    return std::ranges::find(kFirst, option.name) - std::begin(kFirst);
  });
  add_all(options);
  return expressions;
}

void CollectNames(const pcl::Expression& expression, std::vector<Text>* names) {
  Walk(expression, [names](const pcl::Expression& part) {
    if (const auto* variable = part.as<pcl::Variable>()) names->push_back({variable->name, part.at});
  });
}

const ResourceDecl* DefaultProviderOf(const Body& body, const std::string& package) {
  for (const ResourceDecl& resource : body.resources) {
    const bool provider = resource.default_provider && IsProviderType(resource.type.value);
    if (provider && schema::PackageOf(resource.type.value) == package) return &resource;
  }
  return nullptr;
}

const ResourceDecl* ImpliedProviderOf(const Body& body, const ResourceDecl& resource) {
  const bool named = pcl::FindNamed(resource.options, "provider") || IsProviderType(resource.type.value);
  return named ? nullptr : DefaultProviderOf(body, schema::PackageOf(resource.type.value));
}

std::vector<Step> OrderOf(const Body& body, const std::set<std::string>& settings, const std::string& project,
                          Diagnostics* diagnostics) {
  return Sorter(body, settings, project, diagnostics).Sort();
}

}  // namespace kingpost::yaml
