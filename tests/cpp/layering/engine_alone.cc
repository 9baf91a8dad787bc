// SPDX-License-Identifier: Apache-2.0
// Links the whole engine with the rooms that cmake/Rooms.cmake gives it and nothing else, so the linker finds a missing
// one. The program does nothing; includes_test.cc looks at the libraries that it loads.
int main() { return 0; }
