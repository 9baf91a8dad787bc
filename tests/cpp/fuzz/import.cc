// SPDX-License-Identifier: Apache-2.0
// The file of `import --file`.
#include "cli/import_file.h"
#include "fuzz/fuzz.h"

using namespace kingpost;

void Try(std::string_view input) {
  (void)ParseImportFile(std::string(input), StackName{"organization", "shop", "dev"}, true, nullptr);
}
