// SPDX-License-Identifier: Apache-2.0
// How a resource or the stack's outputs change, property by property (row 10.5).
//
//     ~ pkg:mod:Type: (update)
//         [id=3]
//         [urn=urn:pulumi:...]
//       ~ port: 80 => 8080  # forces replacement
//       - host: "a"
//         (3 unchanged properties hidden)
#pragma once

#include <string>

#include "console/display/show_options.h"
#include "console/display/terminal.h"
#include "console/display/value_text.h"
#include "kingpost/event.h"

namespace kingpost {

struct DiffTextOptions {
  bool show_secrets = false;
  bool full_output = false;
  bool urns = false;
  bool summary = false;              // without the [id=] and [urn=] lines
  bool explain = false;              // why it is taken, below the first line
  bool align = false;                // values of an object under each other
  bool refresh = false;              // the step is what a refresh found: new values are outputs
  const Masking* masking = nullptr;  // hides secrets of the configuration in plain strings
};

// How values in such a text are printed.
ValueTextOptions ValueOptions(const DiffTextOptions& options, int indent);

// Whole lines. `indent` columns before each.
std::string StepDiffText(const StepMetadata& step, const DiffTextOptions& options, const Painter& painter,
                         int indent = 0);

// The effect of an ended step on outputs, where it differs from what the inputs say; "" if there is none.
//
//         --outputs:--
//       ~ stamp: "a" => "b"
std::string StepOutputsText(const StepMetadata& step, const DiffTextOptions& options, const Painter& painter,
                            int indent = 0);

// The line above outputs, those of the stack too.
std::string OutputsHeading(int indent);

// Lines such as `  + url: "..."`; unchanged properties are listed if show_sames. "" if there is nothing to list.
std::string PropertiesDiffText(const PropertyMap& old_map, const PropertyMap& new_map, const DiffTextOptions& options,
                               const Painter& painter, int indent, bool show_sames);

}  // namespace kingpost
