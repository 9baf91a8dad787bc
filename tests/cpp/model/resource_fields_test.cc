// SPDX-License-Identifier: Apache-2.0
// The table of options: its names, and that each recorded field alone goes into a state file and comes back.
#include "model/resource_fields.h"

#include <catch2/catch.hpp>
#include <set>

#include "model/deployment_json.h"
#include "model/states.h"
#include "support/other_field.h"

namespace kingpost::resource_fields_test {

using testing::MakeOther;
using testing::SameField;
using testing::TestSnapshot;
using testing::TestState;

TEST_CASE("no two options share a name, wherever they are named") {
  std::set<std::string_view> names, records, requests, constructs, options, programs;
  const auto once = [](std::string_view name, std::set<std::string_view>* taken) {
    return name.empty() || taken->insert(name).second;
  };
  ForEachResourceField([&](const auto& field) {
    INFO(std::string(field.name));
    CHECK_FALSE(field.name.empty());
    CHECK(once(field.name, &names));
    CHECK(once(field.record, &records));
    CHECK(once(field.request, &requests));
    CHECK(once(field.construct, &constructs));
    CHECK(once(field.options, &options));
    CHECK(once(field.program, &programs));
    CHECK(field.record.empty() != field.kInState);
  });
  CHECK(names.size() == kResourceFields);
}

TEST_CASE("each recorded field alone is written and read") {
  int fields = 0;
  ForEachResourceField([&](const auto& field) {
    if constexpr (std::decay_t<decltype(field)>::kInState) {
      INFO(std::string(field.name));
      State state = *TestState("a");
      MakeOther(&(state.*field.state));
      if (!state.custom) state.id.clear();  // a component has none
      const StatePtr shared = std::make_shared<const State>(state);
      CheckpointDocument document;
      document.has_latest = true;
      document.snapshot = TestSnapshot({shared});
      const auto text = EncodeCheckpoint(document, {});
      REQUIRE(text.status().message() == "");
      CHECK(text->find('"' + std::string(field.record) + '"') != std::string::npos);
      const auto read = DecodeCheckpoint(*text, {});
      REQUIRE(read.status().message() == "");
      CHECK(SameField((*read->snapshot.resources.at(0)).*field.state, state.*field.state));
      ++fields;
    }
  });
  CHECK(fields > 30);
}

}  // namespace kingpost::resource_fields_test
