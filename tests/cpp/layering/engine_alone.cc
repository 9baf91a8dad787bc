// SPDX-License-Identifier: Apache-2.0
// The engine linked whole, with what cmake/Rooms.cmake gives it and nothing else: what it lacked would be an error of
// the linker. It does nothing; includes_test.cc looks at what it loads.
int main() { return 0; }
