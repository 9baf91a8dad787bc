// SPDX-License-Identifier: Apache-2.0
// Checks that references to a resource that is gone become references to its successor.
#include "decisions/successors.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::successors_test {

using namespace plan_test;
using namespace decisions;

const Urn kA = UrnOf("a"), kB = UrnOf("b"), kC = UrnOf("c"), kD = UrnOf("d");

Value ReferenceTo(const Urn& urn, const std::string& id) {
  ResourceReference reference;
  reference.urn = urn;
  reference.id = std::make_shared<const Value>(id);
  reference.package_version = "1.0.0";
  return Value::Reference(std::move(reference));
}

// a and b are gone, and d has taken their places.
Successors Folded() {
  State successor = StateOf("d");
  return Successors({{kA, kD}, {kB, kD}}, {Share(successor)});
}

TEST_CASE("each way in which a state names another follows, and lists name a successor once") {
  State state = StateOf("x");
  state.parent = kA;
  state.dependencies = {kA, kC, kB};
  state.property_dependencies = {{"p", {kB, kA}}, {"q", {kC}}};
  state.deleted_with = kB;
  state.replace_with = {kC, kB};
  state.view_of = kA;
  const auto followed = Folded().Rewritten(Share(state));
  CHECK(followed->parent == kD);
  CHECK(followed->dependencies == std::vector<Urn>{kD, kC});
  CHECK(followed->property_dependencies == PropertyDependencies{{"p", {kD}}, {"q", {kC}}});
  CHECK(followed->deleted_with == kD);
  CHECK(followed->replace_with == std::vector<Urn>{kC, kD});
  CHECK(followed->view_of == kD);
  CHECK(followed->urn == state.urn);
}

TEST_CASE("a reference to a provider follows with the ID of the successor") {
  const Urn old_provider = UrnOf("old", "pulumi:providers:pkg"), new_provider = UrnOf("new", "pulumi:providers:pkg");
  State provider = StateOf("new");
  provider.urn = new_provider;
  provider.type = "pulumi:providers:pkg";
  State state = StateOf("x");
  state.provider = ProviderReference{old_provider, "1"}.str();
  const Successors successors({{old_provider, new_provider}}, {Share(provider)});
  CHECK(successors.Rewritten(Share(state))->provider == ProviderReference{new_provider, "new-id"}.str());
  state.provider = "nonsense";
  const StatePtr broken = Share(state);
  CHECK(successors.Rewritten(broken) == broken);
}

TEST_CASE("references in properties follow at any depth, with the ID of the successor; strings stay") {
  State state = StateOf("x");
  state.inputs = {{"list", Array{Value::Secret(ReferenceTo(kA, "a-id")), kA.str()}},
                  {"other", ReferenceTo(kC, "c-id")}};
  state.outputs = {{"map", PropertyMap{{"in", ReferenceTo(kB, "b-id")}}}};
  state.replacement_trigger = ReferenceTo(kA, "a-id");
  const auto followed = Folded().Rewritten(Share(state));
  const Array& list = followed->inputs.Find("list")->as_array();
  const ResourceReference& reference = list[0].as_secret().element.as_reference();
  CHECK(reference.urn == kD);
  CHECK(reference.id->as_string() == "d-id");
  CHECK(reference.package_version == "");
  CHECK(reference.name == "d");
  CHECK(reference.type == "pkg:m:Typ");
  CHECK(list[1].as_string() == kA.str());
  CHECK(followed->inputs.Find("other")->as_reference().urn == kC);
  CHECK(followed->outputs.Find("map")->as_object().Find("in")->as_reference().urn == kD);
  CHECK(followed->replacement_trigger.as_reference().urn == kD);
}

TEST_CASE("a reference to a component has no ID, and one to an unknown resource keeps its ID") {
  State component = StateOf("d");
  component.custom = false;
  component.id.clear();
  PropertyMap properties = {{"p", ReferenceTo(kA, "a-id")}};
  PropertyMap same = properties;
  REQUIRE(Successors({{kA, kD}}, {Share(component)}).Follow(&properties));
  CHECK(properties.Find("p")->as_reference().id == nullptr);
  REQUIRE(Successors({{kA, kD}}, {}).Follow(&same));
  CHECK(same.Find("p")->as_reference().id->as_string() == "a-id");
}

TEST_CASE("dependencies of output values follow to the successor") {
  OutputData output;
  output.element = Value("v");
  output.dependencies = {kA, kB, kC};
  PropertyMap inputs = {{"p", Value::Output(output)}};
  REQUIRE(Folded().Follow(&inputs));
  CHECK(inputs.Find("p")->as_output().dependencies == std::vector<Urn>{kD, kC});
}

TEST_CASE("a state without references to removed resources stays the same object") {
  State state = StateOf("x");
  state.dependencies = {kC};
  state.inputs = {{"p", ReferenceTo(kC, "c-id")}};
  const StatePtr shared = Share(state);
  CHECK(Folded().Rewritten(shared) == shared);
  CHECK(Successors({}, {}).Rewritten(shared) == shared);
}

TEST_CASE("migrations follow one another, and a name that is gone cannot be taken again") {
  PastMigrations past;
  CHECK(past.empty());
  past.Add(UrnOf("first"), Successors({{kA, kB}}, {Share(StateOf("b"))}));
  past.Add(UrnOf("second"), Successors({{kB, kC}}, {Share(StateOf("c"))}));
  past.Add(UrnOf("third"), Successors({}, {}));
  Urn urn = kA;
  past.Follow(&urn);
  CHECK(urn == kC);
  const auto text = [](const Urn& who, const std::string& root) {
    return "resource " + who.str() + " cannot be registered or read because state migration for " + UrnOf(root).str() +
           " replaced it with " + kC.str() + " earlier in this deployment";
  };
  CHECK(past.WhyTaken(kA) == text(kA, "first"));
  CHECK(past.WhyTaken(kB) == text(kB, "second"));
  CHECK_FALSE(past.WhyTaken(kC));
  CHECK_FALSE(past.WhyTaken(Urn()));
}

TEST_CASE("a state with a secret that was never saved is recognised") {
  SecretData saved;
  saved.element = Value("s");
  saved.ciphertext = "c";
  State state = StateOf("x");
  state.inputs = {{"p", Value::Secret(saved)}};
  CHECK_FALSE(HoldsNewSecrets(state));
  state.outputs = {{"p", Array{Value::Secret(Value("s"))}}};
  CHECK(HoldsNewSecrets(state));
}

}  // namespace kingpost::successors_test
