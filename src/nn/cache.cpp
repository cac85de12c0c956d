#include "attention/nn/cache.hpp"

#include "attention/core/error.hpp"

namespace attention {
namespace {

Tensor pick(const Tensor& x, const Tokens& rows) {
  const Shape& shape = x.shape();  // (B, T, C)
  const Tensor flat = reshape(x, {shape[0], shape[1] * shape[2]});
  return reshape(gather_rows(flat, rows), {rows.shape[0], shape[1], shape[2]});
}

Mask pick(const Mask& mask, const std::vector<int>& rows) {
  if (!mask.defined()) return mask;
  const Shape& shape = mask.shape();  // (B, 1, 1, S)
  const Size step = shape[3];
  Mask::Bytes bytes;
  for (int row : rows)
    bytes.insert(bytes.end(), mask.data() + row * step, mask.data() + (row + 1) * step);
  return Mask(shape.with(0, static_cast<Size>(rows.size())), std::move(bytes));
}

}  // namespace

Size KeyValueCache::length() const { return seen.empty() ? 0 : seen[0].keys.size(1); }

Size KeyValueCache::sequences() const {
  if (!seen.empty()) return seen[0].keys.size(0);
  return memory.empty() ? 0 : memory[0].keys.size(0);
}

void KeyValueCache::select(const std::vector<int>& rows) {
  if (rows.empty()) fail("cache: no sequence was chosen of {}; begin anew instead", sequences());
  for (int row : rows)
    if (row < 0 || row >= sequences())
      fail("cache: there is no sequence {}; it has {}, counted from 0", row, sequences());
  NoGrad no_grad;
  const Tokens ids(Shape{static_cast<Size>(rows.size())}, rows);
  for (std::vector<KeyValues>* list : {&seen, &memory})
    for (KeyValues& each : *list) each = {pick(each.keys, ids), pick(each.values, ids)};
  padding = pick(padding, rows);
}

void KeyValueCache::check(std::string_view name, const Tokens& ids, std::size_t layers,
                          Size context) const {
  ids.check(name);
  if (ids.shape.rank() != 2 || ids.shape.count() == 0)
    fail("{}: tokens of shape {}; (batch, positions) is needed, at least one", name, ids.shape);
  if (length() + ids.shape[1] > context)
    fail(
        "{}: {} tokens after the {} in the cache, but the model's context is {}; begin anew with "
        "fewer",
        name, ids.shape[1], length(), context);
  if (!seen.empty() && seen.size() != layers)
    fail("{}: a cache of {} layers for a model of {}; each model needs its own", name, seen.size(),
         layers);
  if (sequences() > 0 && sequences() != ids.shape[0])
    fail("{}: tokens for {} sequences, but the cache has {}; its select() makes it fit", name,
         ids.shape[0], sequences());
}

}  // namespace attention
