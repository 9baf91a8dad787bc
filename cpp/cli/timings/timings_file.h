// SPDX-License-Identifier: Apache-2.0
// The file of --timings=FILE: a trace that Perfetto (and chrome://tracing) opens, with a lane for each step that ran
// beside others. Or a page with the same as a chart that needs no network.
#pragma once

#include <string>

#include "base/status.h"
#include "cli/timings/step_times.h"

namespace kingpost {

// The suffix of the name chooses the format: .json or .html.
Status CheckTimingsFile(const std::string& file);
// title: "Timings of the update"
Status WriteTimingsFile(const std::string& file, const std::string& title, const std::vector<TimedStep>& steps);

std::string TimingsTrace(const std::string& title, const std::vector<TimedStep>& steps);
std::string TimingsPage(const std::string& title, const std::vector<TimedStep>& steps);

}  // namespace kingpost
