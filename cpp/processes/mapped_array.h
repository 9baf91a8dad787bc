// SPDX-License-Identifier: Apache-2.0
// An array in pages that the kernel gives, for code that may not use an allocator (processes/reaper_main.h). Of plain
// data: it moves as bytes, and nothing is destroyed. Its pages are given back when the process ends.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <type_traits>

namespace kingpost {

template <class T>
class MappedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  MappedArray() = default;
  MappedArray(const MappedArray&) = delete;

  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  size_t size() const { return size_; }
  void Clear() { size_ = 0; }

  // Room for as many more. False if there is no memory; then all is as it was.
  bool Reserve(size_t more) {
    if (size_ + more <= capacity_) return true;
    const size_t bytes = (2 * (size_ + more) * sizeof(T) + kPage - 1) / kPage * kPage;
    void* data = data_ ? mremap(data_, capacity_bytes_, bytes, MREMAP_MAYMOVE)
                       : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) return false;
    data_ = static_cast<T*>(data);
    capacity_bytes_ = bytes;
    capacity_ = bytes / sizeof(T);
    return true;
  }

  bool Push(const T& value) {
    if (!Reserve(1)) return false;
    data_[size_++] = value;
    return true;
  }

  // The last one takes its place.
  void Remove(T* value) { *value = data_[--size_]; }

 private:
  static constexpr size_t kPage = 4096;

  T* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0, capacity_bytes_ = 0;
};

}  // namespace kingpost
