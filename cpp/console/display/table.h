// SPDX-License-Identifier: Apache-2.0
// Aligned columns under their headers. Pure.
//
//     NAME    KIND      VERSION
//     random  resource  4.16.0
#pragma once

#include <string>
#include <vector>

namespace kingpost {

using TableRow = std::vector<std::string>;

// `columns` is the room there is, 0 for any. Where it is too little the last column is broken between words, or columns
// go on, in every row alike, on lines of their own below the first. Each line is indented.
std::string Table(const TableRow& headers, const std::vector<TableRow>& rows, int columns, int indent = 0);

}  // namespace kingpost
