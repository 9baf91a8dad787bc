// SPDX-License-Identifier: Apache-2.0
// Fuzzes the language of snippets: text, tree, and the list of snippets in a state.
#include "fuzz/fuzz.h"
#include "languages/pcl/parser.h"
#include "languages/pcl/snippet_program.h"

using namespace kingpost;

void Try(std::string_view input) {
  (void)pcl::ParseBody(input);
  (void)pcl::ParseExpression(input);
  (void)pcl::ParseSnippets(std::string(input));
  pcl::Snippet snippet;
  snippet.name = "fuzz";
  snippet.type = "pkg:index:R";
  snippet.code = std::string(input);
  (void)pcl::SnippetProgram::Parse(std::move(snippet));
}
