// SPDX-License-Identifier: Apache-2.0
// A program whose packages poetry manages, and which lists them in a requirements.txt as templates do: poetry wants a
// pyproject.toml. Blocking, any thread.
#pragma once

#include <string>

#include "base/status.h"

namespace kingpost {

// The pyproject.toml that says the same as the requirements. Folders and wheels among them are looked for in `folder`;
// `name` may be empty. What a pyproject.toml cannot say, as `-r other.txt`, is an error that names the line.
Result<std::string> PoetryProject(const std::string& name, const std::string& requirements, const std::string& folder);

// Replaces the requirements.txt in the folder, or makes a pyproject.toml without packages where there is none.
Status WritePoetryProject(const std::string& name, const std::string& folder);

}  // namespace kingpost
