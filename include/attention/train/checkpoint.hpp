// Named tensors in a file, in the public safetensors format: eight bytes with the length of a JSON
// header, the header (name, type, shape and place of each tensor), then the numbers. Other tools
// read it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "attention/tensor/tensor.hpp"

namespace attention {

using Metadata = std::map<std::string, std::string>;

struct Checkpoint {
  NamedTensors tensors;  // in the order of their names
  Metadata metadata;
};

// Tensors are written in the order given, as F32 or F64, as `real` is. A tensor that appears under
// two names (a tied weight) is written once, under the first. The file replaces an old one only
// when it is complete. Throws when two tensors have one name, or a name or the metadata is not
// UTF-8 or holds a zero byte.
void save_checkpoint(const std::filesystem::path& path, const NamedTensors& tensors,
                     const Metadata& metadata = {});
std::string checkpoint_bytes(const NamedTensors& tensors, const Metadata& metadata = {});

// Reads F32 and F64, whichever `real` is. Strict: throws an Error with what was expected and what
// was found when the file is cut short, empty, of another kind, has overlapping or missing bytes,
// bytes too many, a name twice, anything that the format does not know, or numbers too large for
// `real`.
Checkpoint read_checkpoint(const std::filesystem::path& path);
// The same of a file's bytes; `where` names them in messages.
Checkpoint parse_checkpoint(std::string_view bytes, const std::string& where);

// Copies a checkpoint's values into tensors of the same names and shapes; a tied weight may be
// there under any of its names. When names are missing, unexpected or misshapen, throws one message
// that lists them all, and nothing has changed. `where` names the checkpoint in that message.
void load_tensors(const NamedTensors& into, const Checkpoint& from, const std::string& where);

}  // namespace attention
