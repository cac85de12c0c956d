// The writer of the format, and what a checkpoint does to a model. The reader, which trusts nobody,
// is in read_checkpoint.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "attention/core/utf8.hpp"
#include "attention/train/checkpoint.hpp"
#include "distinct.hpp"
#include "safetensors.hpp"

namespace attention {
namespace {

using OrderedJson = nlohmann::ordered_json;  // keeps the order in which names were added
using Names = std::vector<std::string>;

constexpr auto own_dtype = std::is_same_v<real, float> ? "F32" : "F64";

Size bytes_of(const Tensor& tensor) { return tensor.count() * Size(sizeof(real)); }

const char* raw(const void* numbers) { return static_cast<const char*>(numbers); }

// What the reader would refuse is not written.
void check_name(const std::string& name) {
  if (name.find('\0') != name.npos)
    fail("checkpoint: the name {} holds a zero byte", short_line(name));
}

// The header's text for tensors that will lie one behind the other, padded so that they begin at a
// multiple of 8 bytes.
std::string header_text(const NamedTensors& tensors, const Metadata& metadata) {
  OrderedJson header = OrderedJson::object();
  for (const auto& [key, value] : metadata) check_name(key);
  if (!metadata.empty()) header[metadata_key] = metadata;
  Size end = 0;
  for (const auto& [name, tensor] : tensors) {
    if (name == metadata_key) fail("checkpoint: no tensor can be called {}", name);
    check_name(name);
    const Size begin = end;
    end += bytes_of(tensor);
    header[name] = {{"dtype", own_dtype},
                    {"shape", std::vector(tensor.shape().begin(), tensor.shape().end())},
                    {"data_offsets", {begin, end}}};
  }
  try {
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    if (text.size() > largest_header)
      fail("checkpoint: a header of {} bytes; the format allows {}", text.size(), largest_header);
    return text;
  } catch (const OrderedJson::type_error&) {
    fail("checkpoint: a tensor's name or the metadata is not UTF-8");
  }
}

bool equal(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::equal(a.data(), a.data() + a.count(), b.data());
}

// One line of the message, when there is anything to say.
std::string line(const char* what, const Names& names) {
  return names.empty() ? "" : fmt::format("\n  {}: {}", what, fmt::join(names, ", "));
}

}  // namespace

std::string checkpoint_bytes(const NamedTensors& tensors, const Metadata& metadata) {
  const NamedTensors once = distinct(tensors, "checkpoint");
  const std::string header = header_text(once, metadata);
  const std::uint64_t length = header.size();
  Size size = length_bytes + header.size();
  for (const auto& [name, tensor] : once) size += bytes_of(tensor);
  std::string file;
  file.reserve(size);
  file.append(raw(&length), length_bytes);
  file.append(header);
  for (const auto& [name, tensor] : once) file.append(raw(tensor.data()), bytes_of(tensor));
  return file;
}

void save_checkpoint(const std::filesystem::path& path, const NamedTensors& tensors,
                     const Metadata& metadata) {
  write_file(path, checkpoint_bytes(tensors, metadata));
}

void load_tensors(const NamedTensors& into, const Checkpoint& from, const std::string& where) {
  std::map<std::string, Tensor> rest;  // of the checkpoint
  for (const auto& [name, tensor] : distinct(from.tensors, "checkpoint: " + where))
    rest.emplace(name, tensor);
  for (const auto& [name, tensor] : into) {
    if (!tensor.defined()) fail("load_tensors: {} is undefined: it was never given a value", name);
    if (!tensor.node().op.empty())
      fail("load_tensors: {} was made by {}; only leaves can be changed", name, tensor.node().op);
  }
  std::map<const Node*, Tensor> sources;  // a tied weight has one, under any of its names
  Names missing, unexpected, misshapen, differing;
  for (const auto& [name, tensor] : into) {
    const auto found = rest.find(name);
    if (found == rest.end()) continue;
    const Tensor values = found->second;
    rest.erase(found);
    const auto [source, first] = sources.emplace(&tensor.node(), values);
    if (!(values.shape() == tensor.shape()))
      misshapen.push_back(
          fmt::format("{} is {} there, {} here", name, values.shape(), tensor.shape()));
    else if (!first && !equal(source->second, values))
      differing.push_back(name);
  }
  for (const auto& [name, tensor] : into)
    if (!sources.contains(&tensor.node())) missing.push_back(name);
  for (const auto& [name, tensor] : rest) unexpected.push_back(short_line(name));
  const std::string problems =
      line("missing", missing) + line("unexpected", unexpected) +
      line("of another shape", misshapen) +
      line("tied here, but there not equal to the tensor they share", differing);
  if (!problems.empty())
    fail("checkpoint: {} does not fit; was it saved with other options?{}", where, problems);
  std::vector<std::pair<real*, Tensor>>
      copies;  // edit() may throw: all of them before the first copy
  for (auto [name, tensor] : into)
    if (auto source = sources.extract(&tensor.node()))
      copies.emplace_back(tensor.edit(), source.mapped());
  for (const auto& [to, values] : copies) std::copy_n(values.data(), values.count(), to);
}

}  // namespace attention
