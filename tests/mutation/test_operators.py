# SPDX-License-Identifier: Apache-2.0
"""The lines that operators change, and those that they leave alone."""

import pytest
from operators import mutants_of


@pytest.mark.parametrize(("line", "made"), [
    ("  if (a < b) return x;", {"  if (a <= b) return x;", "  if (true) return x;", "  if (false) return x;", "  ;"}),
    ("  return a == b;", {"  return a != b;", "  ;"}),
    ("  list.push_back(x);", {"  ;"}),
    ("  if (!known) {", {"  if (known) {", "  if (true) {", "  if (false) {"}),
    ("  int count = 0;", {"  int count = 1;"}),
    ("  const std::string text = Name(x);", set()),
    ("#include <map>", set()),
    ("  // a == b", set()),
    ("  KP_ASSERT(a == b, \"\");", set()),
    ("  std::vector<int> found;", set()),
])
def test_a_line_becomes(line, made):
    assert {mutant.line for mutant in mutants_of(line)} == made


def test_every_mutant_says_what_it_is_and_differs():
    for line in ("  if (a && b[0] != c.begin()) continue;", "  total += i + 1;", "  return x ? true : false;"):
        mutants = mutants_of(line)
        assert mutants and all(mutant.what and mutant.line != line for mutant in mutants)
