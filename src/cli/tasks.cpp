// attention tasks: what can be learned.
#include "attention/tasks/task.hpp"

#include "commands.hpp"

namespace attention::cli {

Command add_tasks(CLI::App&) {
  return [] {
    for (const TaskEntry& task : tasks())
      fmt::print("{:10} {}\n{:10} {}\n", task.name, task.summary, "", task.example);
    return 0;
  };
}

}  // namespace attention::cli
