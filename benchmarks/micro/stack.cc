// SPDX-License-Identifier: Apache-2.0
#include "micro/stack.h"

#include "base/digest.h"
#include "load/graph.h"
#include "load/inputs.h"
#include "wire/convert.h"

namespace kingpost::bench {
namespace {

constexpr char kType[] = "load:index:Thing";

Urn UrnOf(const std::string& type, const std::string& name) { return Urn::Make("dev", "bench", "", type, name); }

StatePtr MakeState(int number, const Node& node, const std::vector<Node>& graph, const std::string& provider) {
  auto state = std::make_shared<State>();
  state->urn = UrnOf(kType, node.name);
  state->type = kType;
  state->custom = true;
  state->id = node.name;
  state->inputs = InputsOf(number);
  state->outputs = state->inputs;
  state->outputs.Set("stamp", Value(node.name + "/0"));
  state->provider = provider;
  for (const int need : node.needs) state->dependencies.push_back(UrnOf(kType, graph[need].name));
  if (!node.needs.empty()) state->property_dependencies["upstream"] = state->dependencies;
  return state;
}

}  // namespace

PropertyMap InputsOf(int number, int revision) {
  WireOptions options;
  options.keep_secrets = true;
  return *FromStruct(BytesOf(MakeInputs(number, revision, number % 4 == 0)), options);
}

std::shared_ptr<SecretsManager> Secrets() { return *OpenSecretsManager("b64", "{}", nullptr); }

Snapshot MakeStack(int count) {
  auto provider = std::make_shared<State>();
  provider->type = "pulumi:providers:load";
  provider->urn = UrnOf(provider->type, "default");
  provider->custom = true;
  provider->id = "provider";
  const std::string reference = ProviderReference{provider->urn, provider->id}.str();
  Snapshot stack;
  stack.manifest.version = "3.274.1";
  stack.manifest.magic = Sha256Hex(stack.manifest.version);
  stack.resources.push_back(std::move(provider));
  const std::vector<Node> graph = *MakeGraph("layers", count);
  for (int i = 0; i < count; ++i) stack.resources.push_back(MakeState(i, graph[i], graph, reference));
  return stack;
}

}  // namespace kingpost::bench
