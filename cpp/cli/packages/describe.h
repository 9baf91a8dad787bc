// SPDX-License-Identifier: Apache-2.0
// Parts of a package for people to read. Main thread.
#pragma once

#include <string>

#include "console/display/terminal.h"
#include "languages/schema/package.h"

namespace kingpost {

// The first paragraph, on one line.
std::string Summary(const std::string& description);
// "Description: ...", of several lines below it; "" if there is none. Examples are left out.
std::string DescriptionText(const Painter& painter, const std::string& comment);
// A line for each, and what the marks mean.
std::string PropertiesText(const Painter& painter, const std::string& label, const schema::Properties& properties);
// "Array<string>", "aws:s3:Rule"
std::string TypeName(const schema::Type& type);

}  // namespace kingpost
