#include "attention/core/memory.hpp"

#include <array>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

#include "attention/core/error.hpp"

namespace attention {
namespace {

constexpr std::size_t alignment = 64;  // a cache line, and the widest vector

// Free blocks by size class: class c holds blocks of exactly 64 * 2^(c/4) * (1, 1.25, 1.5, 1.75)
// bytes, so at most a fifth of a block is wasted. The pool is never destroyed: tensors with static
// storage may outlive everything else.
class Pool {
 public:
  static Pool& instance() {
    static Pool* pool = new Pool;
    return *pool;
  }

  void* take(std::size_t bytes) {
    const std::size_t index = size_class(bytes);
    {
      std::lock_guard lock(mutex_);
      auto& blocks = free_[index];
      if (!blocks.empty()) {
        void* block = blocks.back();
        blocks.pop_back();
        return block;
      }
      ++allocations_;
    }
    void* block = std::aligned_alloc(alignment, class_bytes(index));
    if (!block)
      fail("memory: {} MiB more could not be had; a smaller model or batch needs less",
           bytes >> 20);
    return block;
  }

  void give(void* block, std::size_t bytes) noexcept {
    std::lock_guard lock(mutex_);
    try {
      free_[size_class(bytes)].push_back(block);
    } catch (const std::bad_alloc&) {  // the list itself cannot grow
      std::free(block);
    }
  }

  std::uint64_t allocations() {
    std::lock_guard lock(mutex_);
    return allocations_;
  }

 private:
  static std::size_t class_bytes(std::size_t index) {
    const std::size_t step = alignment << (index / 4);
    return (step + step / 4 * (index % 4) + alignment - 1) / alignment * alignment;
  }

  static std::size_t size_class(std::size_t bytes) {
    const std::size_t lines = (bytes + alignment - 1) / alignment;
    std::size_t index = lines <= 1 ? 0 : (std::bit_width(lines) - 1) * 4;
    while (class_bytes(index) < bytes) ++index;
    return index;
  }

  std::mutex mutex_;
  std::array<std::vector<void*>, 4 * 60> free_;
  std::uint64_t allocations_ = 0;
};

std::size_t bytes_of(Size count) {
  if (count > (Size(1) << 56))
    fail("memory: {} numbers are more than any machine holds; make it smaller", count);
  return static_cast<std::size_t>(count) * sizeof(real);
}

}  // namespace

Buffer::Block::Block(Size count)
    : size(count), data(static_cast<real*>(Pool::instance().take(bytes_of(count)))) {}

Buffer::Block::~Block() { Pool::instance().give(data, bytes_of(size)); }

Buffer::Buffer(Size count) : block_(std::make_shared<Block>(count)) {}

real* Buffer::edit() {
  if (!block_) return nullptr;
  ++block_->version;
  return block_->data;
}

std::uint64_t system_allocations() { return Pool::instance().allocations(); }

}  // namespace attention
