// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of the file of `import --file`.
#include "fuzz/fuzz.h"
#include "operation/import_file.h"

using namespace kingpost;

void Try(std::string_view input) {
  (void)ParseImportFile(std::string(input), StackName{"organization", "shop", "dev"}, true, nullptr);
}
