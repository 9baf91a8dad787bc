#include "cli/app.h"

int main(int argc, char** argv) { return kingpost::RunCommandLine({argv + 1, argv + argc}); }
