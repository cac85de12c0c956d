#include "attention/tasks/task.hpp"

#include <algorithm>

#include "attention/core/error.hpp"

namespace attention {
namespace {

// Inside a function, so that it is there for whichever task is enlisted first.
std::vector<TaskEntry>& enlisted() {
  static std::vector<TaskEntry> entries;
  return entries;
}

// Where the name is, or would have to be.
auto place_of(std::string_view name) {
  return std::lower_bound(
      enlisted().begin(), enlisted().end(), name,
      [](const TaskEntry& entry, std::string_view n) { return entry.name < n; });
}

}  // namespace

void refuse_options(std::string_view name, const TaskOptions& options, int context) {
  if (!options.text_file.empty()) fail("{}: makes its own data; leave out --text", name);
  if (options.context != 0 && options.context != context)
    fail("{}: its sequences are {} long, so a context of {} does not fit; leave out --context",
         name, context, options.context);
}

void refuse_count(std::string_view name, int sequences) {
  if (sequences < 0) fail("{}: {} sequences; their number cannot be negative", name, sequences);
}

void check_rows(std::string_view op, const Tokens& tokens) {
  tokens.check(op);
  if (tokens.shape.rank() != 2)
    fail("{}: tokens of shape {}; (sequences, positions) is needed", op, tokens.shape);
}

const std::vector<TaskEntry>& tasks() { return enlisted(); }

bool enlist_task(TaskEntry entry) {
  const auto place = place_of(entry.name);
  if (place != enlisted().end() && place->name == entry.name)
    fail("tasks: there are two called \"{}\"", entry.name);
  if (entry.name.empty() || !entry.make)
    fail("tasks: \"{}\" cannot be enlisted; it needs a name, and a way to make it", entry.name);
  enlisted().insert(place, std::move(entry));
  return true;
}

const TaskEntry& find_task(std::string_view name) {
  const auto place = place_of(name);
  if (place != enlisted().end() && place->name == name) return *place;
  std::string known;
  for (const TaskEntry& entry : enlisted()) known += (known.empty() ? "" : ", ") + entry.name;
  fail("tasks: there is no \"{}\"; there are {}", name, known);
}

}  // namespace attention
