// Buffer: the numbers behind a tensor. Copies share; reshape and detach share. Memory comes from a
// pool that keeps what is given back, so a training step asks the system for nothing new. Pooled is
// the same for containers and handles: all that a graph is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "attention/core/real.hpp"

namespace attention {

namespace detail {
void* take(std::size_t bytes);  // aligned to 64 bytes
void give(void* block, std::size_t bytes) noexcept;
}  // namespace detail

// A standard allocator over the pool.
template <class T>
struct Pooled {
  using value_type = T;
  Pooled() = default;
  template <class Other>
  Pooled(const Pooled<Other>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(detail::take(n * sizeof(T))); }
  void deallocate(T* block, std::size_t n) noexcept { detail::give(block, n * sizeof(T)); }
  bool operator==(const Pooled&) const { return true; }
};

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(Size count);  // values not set; aligned to 64 bytes

  Size size() const { return block_ ? block_->size : 0; }
  const real* data() const { return block_ ? block_->data : nullptr; }
  // For whoever fills a new buffer, before anybody else has seen it.
  real* fill() const { return block_ ? block_->data : nullptr; }
  // For changes afterwards: they count, so that the graph notices (see autograd.hpp).
  real* edit();
  std::uint64_t version() const { return block_ ? block_->version : 0; }
  bool shared() const { return block_.use_count() > 1; }

 private:
  struct Block {
    explicit Block(Size count);
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    Size size;
    real* data;
    std::uint64_t version = 0;
  };
  std::shared_ptr<Block> block_;
};

// How often the pool had to ask the system for memory: constant in a steady training step.
std::uint64_t system_allocations();

}  // namespace attention
