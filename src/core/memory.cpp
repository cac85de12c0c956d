#include "attention/core/memory.hpp"

#include <array>
#include <bit>
#include <cstdlib>
#include <mutex>

#include "attention/core/error.hpp"

namespace attention {
namespace {

constexpr std::size_t alignment = 64;  // a cache line, and the widest vector

// Free blocks by size class: class c holds blocks of exactly 64 * 2^(c/4) * (1, 1.25, 1.5, 1.75)
// bytes, so at most a fifth of a block is wasted. A free block holds the address of the next. The
// pool is never destroyed: tensors with static storage may outlive everything else.
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
      if (void* const block = free_[index]) {
        free_[index] = *static_cast<void**>(block);
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
    const std::size_t index = size_class(bytes);
    std::lock_guard lock(mutex_);
    *static_cast<void**>(block) = free_[index];
    free_[index] = block;
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
  std::array<void*, 4 * 60> free_{};
  std::uint64_t allocations_ = 0;
};

std::size_t bytes_of(Size count) {
  if (count < 0) fail("memory: {} numbers; a count cannot be negative", count);
  if (count > (Size(1) << 56))
    fail("memory: {} numbers are more than any machine holds; make it smaller", count);
  return static_cast<std::size_t>(count) * sizeof(real);
}

}  // namespace

void* detail::take(std::size_t bytes) { return Pool::instance().take(bytes); }
void detail::give(void* block, std::size_t bytes) noexcept { Pool::instance().give(block, bytes); }

Buffer::Block::Block(Size count)
    : size(count), data(static_cast<real*>(detail::take(bytes_of(count)))) {}

Buffer::Block::~Block() { detail::give(data, bytes_of(size)); }

Buffer::Buffer(Size count) : block_(std::allocate_shared<Block>(Pooled<Block>(), count)) {}

real* Buffer::edit() {
  if (!block_) return nullptr;
  ++block_->version;
  return block_->data;
}

std::uint64_t system_allocations() { return Pool::instance().allocations(); }

}  // namespace attention
