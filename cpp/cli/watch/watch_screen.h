// SPDX-License-Identifier: Apache-2.0
// The screen of `watch`: on a terminal one page that is redrawn, elsewhere one text after another. One thread.
#pragma once

#include <functional>
#include <string>

#include "console/display/output.h"
#include "console/display/terminal.h"

namespace kingpost {

struct WatchPage {
  std::string title;                             // one line
  std::function<std::string(int columns)> body;  // ends with a line end; 0 columns: any number
  bool can_deploy = false;                       // the key `u` would deploy it
};

class WatchScreen {
 public:
  // `for_programs`: standard output is JSON, and all that is told goes to standard error.
  WatchScreen(Painter painter, bool on_terminal, bool for_programs);

  // On a terminal what does not fit is left to the details.
  void Show(WatchPage page);
  // The same, below what is there: the end of an update stays in view.
  void ShowBelow(WatchPage page);
  // Draws the page anew if the terminal has another size since.
  void Fit();
  // The keys again, below what something else has written.
  void PrintKeys();
  // A sentence beside the page.
  void Tell(const std::string& text);
  // That a plan is on its way; what is shown stays.
  void PrintPlanning();
  void Clear();
  // Leaves the cursor on a line of its own.
  void End();
  // False once nobody reads any more.
  bool alive() const { return output_.alive(); }
  // Standard output, for documents.
  void WriteDocument(const std::string& text) { output_.Write(text); }
  int columns() const;

 private:
  void Draw(bool below);
  std::string KeysLine() const;

  const Painter painter_;
  const bool on_terminal_, for_programs_;
  Output output_;
  WatchPage page_;
  TerminalSize drawn_for_;
};

}  // namespace kingpost
