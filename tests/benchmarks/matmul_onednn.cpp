// oneDNN: a primitive for the one size, made beforehand (its code is generated then).
#include <dnnl.hpp>

#include <unordered_map>

#include "matmul_libraries.hpp"

namespace attention::benchmarks {
namespace {

using dnnl::memory;

// (batch, rows, columns), or without the batch where it is one: the 2-D primitive is quicker.
memory::desc matrices(Size batch, Size rows, Size columns, bool transposed) {
  using Tag = memory::format_tag;
  const auto type = memory::data_type::f32;
  if (batch == 1) return {{rows, columns}, type, transposed ? Tag::ba : Tag::ab};
  return {{batch, rows, columns}, type, transposed ? Tag::acb : Tag::abc};
}

std::function<void()> prepare(float* out, const float* a, const float* b, const Products& p) {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const kernels::Product& size = p.size;
  const memory::desc a_desc = matrices(p.batch, size.rows, size.inner, size.transpose_a);
  const memory::desc b_desc = matrices(p.batch, size.inner, size.columns, size.transpose_b);
  const memory::desc out_desc = matrices(p.batch, size.rows, size.columns, false);
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::matmul::primitive_desc chosen(engine, a_desc, b_desc, out_desc);
#else
  const dnnl::matmul::primitive_desc chosen({a_desc, b_desc, out_desc}, engine);
#endif
  const std::unordered_map<int, memory> arguments = {
      {DNNL_ARG_SRC, {a_desc, engine, const_cast<float*>(a)}},
      {DNNL_ARG_WEIGHTS, {b_desc, engine, const_cast<float*>(b)}},
      {DNNL_ARG_DST, {out_desc, engine, out}}};
  return [=, product = dnnl::matmul(chosen), stream = dnnl::stream(engine)]() mutable {
    product.execute(stream, arguments);
    stream.wait();
  };
}

const bool listed = enlist({"oneDNN", prepare});

}  // namespace
}  // namespace attention::benchmarks
