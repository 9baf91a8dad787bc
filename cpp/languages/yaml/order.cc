// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/order.h"

#include <algorithm>
#include <map>

#include "languages/schema/token.h"
#include "languages/yaml/expression_reader.h"
#include "model/urn.h"

namespace kingpost::yaml {

namespace {

struct Declared {
  enum class Kind { kConfig, kVariable, kResource } kind;
  size_t index = 0;
  pcl::Position at;
};

const char* KindName(Declared::Kind kind) {
  return kind == Declared::Kind::kConfig ? "config" : kind == Declared::Kind::kVariable ? "variable" : "resource";
}

class Sorter {
 public:
  Sorter(const Body& body, const std::set<std::string>& settings, const std::string& project, Diagnostics* diagnostics)
      : body_(body), settings_(settings), project_(project), diagnostics_(*diagnostics) {}

  Order Sort() {
    DeclareAll();
    if (diagnostics_.has_errors()) return {};
    for (const std::string& name : in_order_) Visit(name, declared_.at(name).at);
    for (const NamedExpression& output : body_.outputs) {
      std::vector<Text> names;
      CollectNames(*output.value, &names);
      AddProvidersOfFunctions(*output.value, &names);
      order_.outputs.push_back(StepsOf(names));
    }
    return std::move(order_);
  }

 private:
  void DeclareAll() {
    for (size_t i = 0; i < body_.config.size(); ++i) {
      Declare(body_.config[i].key, {Declared::Kind::kConfig, i, body_.config[i].at});
    }
    for (size_t i = 0; i < body_.resources.size(); ++i) {
      Declare(body_.resources[i].key, {Declared::Kind::kResource, i, body_.resources[i].at});
    }
    for (size_t i = 0; i < body_.variables.size(); ++i) {
      Declare(body_.variables[i].name, {Declared::Kind::kVariable, i, body_.variables[i].at});
    }
  }

  void Declare(const std::string& name, Declared declared) {
    const std::string what = std::string(KindName(declared.kind)) + " " + name;
    if (name == kPulumi) {
      diagnostics_.Error(declared.at, what + " uses the reserved name pulumi");
      return;
    }
    const auto [other, is_new] = declared_.emplace(name, declared);
    if (is_new) {
      in_order_.push_back(name);
    } else if (other->second.kind == declared.kind) {
      diagnostics_.Error(declared.at, "found duplicate " + what);
    } else {
      diagnostics_.Error(declared.at,
                         what + " cannot have the same name as " + KindName(other->second.kind) + " " + name);
    }
  }

  // The name as it is declared: the project's own namespace may stand before a setting.
  std::string Declaration(const std::string& name) const {
    const std::string space = project_ + ":";
    return declared_.count(name) == 0 && name.starts_with(space) ? name.substr(space.size()) : name;
  }

  bool Visit(const std::string& spelled, pcl::Position at) {
    const std::string name = Declaration(spelled);
    if (name == kPulumi || done_.count(name) > 0) return true;
    const auto found = declared_.find(name);
    if (found == declared_.end()) return settings_.count(name) > 0 || Missing(spelled, at);
    const Declared& declared = found->second;
    if (declared.kind == Declared::Kind::kConfig) return true;
    if (const auto again = std::find(path_.begin(), path_.end(), name); again != path_.end()) {
      return Circle(declared, again, at);
    }
    std::vector<Text> names = NamesIn(declared);
    path_.push_back(name);
    bool well = true;
    for (const Text& each : names) well = Visit(each.value, each.at) && well;
    path_.pop_back();
    done_.insert(name);
    if (!well) return false;
    const bool variable = declared.kind == Declared::Kind::kVariable;
    steps_[name] = order_.steps.size();
    order_.steps.push_back({variable ? Step::Kind::kVariable : Step::Kind::kResource, declared.index, StepsOf(names)});
    return true;
  }

  std::vector<Text> NamesIn(const Declared& declared) const {
    std::vector<Text> names;
    if (declared.kind == Declared::Kind::kVariable) {
      CollectNames(*body_.variables[declared.index].value, &names);
      AddProvidersOfFunctions(*body_.variables[declared.index].value, &names);
      return names;
    }
    const ResourceDecl& resource = body_.resources[declared.index];
    CollectNames(resource, &names);
    for (const NamedExpression& property : resource.properties) AddProvidersOfFunctions(*property.value, &names);
    const ResourceDecl* provider = DefaultProviderOf(body_, schema::PackageOf(resource.type.value));
    if (provider && !resource.options.provider && !IsProviderType(resource.type.value)) {
      names.push_back({provider->key, resource.at});
    }
    return names;
  }

  // Functions are called on the default provider of their package.
  void AddProvidersOfFunctions(const pcl::Expression& expression, std::vector<Text>* names) const {
    const auto* call = expression.as<pcl::Call>();
    const std::string* token = call && call->function == "invoke" ? LiteralText(call->arguments[0]) : nullptr;
    const ResourceDecl* provider = token ? DefaultProviderOf(body_, schema::PackageOf(*token)) : nullptr;
    if (provider) names->push_back({provider->key, expression.at});
    for (const pcl::ExpressionPtr& part : pcl::PartsOf(expression)) AddProvidersOfFunctions(*part, names);
  }

  bool Missing(const std::string& name, pcl::Position at) {
    if (missing_.insert(name).second) {
      diagnostics_.Error(at, "resource, variable, or config value \"" + name + "\" not found");
    }
    return false;
  }

  bool Circle(const Declared& declared, std::vector<std::string>::const_iterator begin, pcl::Position at) {
    std::string path;
    for (auto name = begin; name != path_.end(); ++name) path += *name + " -> ";
    diagnostics_.Error(
        at,
        std::string("circular dependency of ") + KindName(declared.kind) + " '" + *begin + "' transitively on itself",
        path + *begin);
    return false;
  }

  std::vector<size_t> StepsOf(const std::vector<Text>& names) {
    std::set<size_t> steps;
    for (const Text& text : names) {
      const std::string name = Declaration(text.value);
      const auto found = steps_.find(name);
      if (found != steps_.end()) steps.insert(found->second);
      // For outputs: a missing part that could not be ordered has been reported already.
      if (declared_.count(name) == 0 && settings_.count(name) == 0 && name != kPulumi) Missing(text.value, text.at);
    }
    return {steps.begin(), steps.end()};
  }

  const Body& body_;
  const std::set<std::string>& settings_;
  const std::string& project_;
  Diagnostics& diagnostics_;
  std::map<std::string, Declared> declared_;
  std::vector<std::string> in_order_;
  std::vector<std::string> path_;  // what is being visited
  std::set<std::string> done_, missing_;
  std::map<std::string, size_t> steps_;
  Order order_;
};

}  // namespace

void CollectNames(const pcl::Expression& expression, std::vector<Text>* names) {
  if (const auto* variable = expression.as<pcl::Variable>()) names->push_back({variable->name, expression.at});
  for (const pcl::ExpressionPtr& part : pcl::PartsOf(expression)) CollectNames(*part, names);
}

void CollectNames(const ResourceDecl& resource, std::vector<Text>* names) {
  const ResourceOptions& o = resource.options;
  const auto collect = [names](const pcl::ExpressionPtr& expression) {
    if (expression) CollectNames(*expression, names);
  };
  const auto collect_all = [&](const std::vector<NamedExpression>& list) {
    for (const NamedExpression& each : list) collect(each.value);
  };
  collect_all(resource.properties);
  collect(resource.all_properties);
  collect(resource.get_id);
  collect_all(resource.get_state);
  for (const Alternative& alias : o.aliases) {
    collect(alias.urn);
    collect_all(alias.fields);
  }
  collect_all(o.custom_timeouts);
  for (const auto& option : {o.depends_on, o.parent, o.protect, o.provider, o.providers, o.replace_with, o.deleted_with,
                             o.replacement_trigger, o.env_var_mappings}) {
    collect(option);
  }
}

const ResourceDecl* DefaultProviderOf(const Body& body, const std::string& package) {
  for (const ResourceDecl& resource : body.resources) {
    const bool provider = resource.default_provider && IsProviderType(resource.type.value);
    if (provider && schema::PackageOf(resource.type.value) == package) return &resource;
  }
  return nullptr;
}

Order OrderOf(const Body& body, const std::set<std::string>& settings, const std::string& project,
              Diagnostics* diagnostics) {
  return Sorter(body, settings, project, diagnostics).Sort();
}

}  // namespace kingpost::yaml
