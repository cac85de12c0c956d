// The program `attention`. Whatever goes wrong comes out as one line on standard error, with exit
// code 1; 2 when the command line itself makes no sense.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "attention/core/error.hpp"
#include "commands.hpp"

namespace {

int usage(const CLI::App& app, const CLI::ParseError& error) {
  std::string command;
  for (const CLI::App* chosen : app.get_subcommands()) command = " " + chosen->get_name();
  fmt::print(stderr, "attention: {}; see attention{} --help\n", error.what(), command);
  return 2;
}

// Exit code 0 for --help, 2 for what cannot be understood, -1 to go on.
int parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return -1;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return usage(app, error);
  }
}

}  // namespace

int main(int argc, char** argv) {
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
#endif
  CLI::App app("Train tiny attention models, look into them, and let them write.", "attention");
  app.require_subcommand(1);
  std::vector<std::pair<const CLI::App*, attention::cli::Command>> commands;
  auto add = [&](const char* name, const char* summary,
                 attention::cli::Command (*make)(CLI::App&)) {
    CLI::App* command = app.add_subcommand(name, summary);
    commands.emplace_back(command, make(*command));
  };
  add("train", "train a model on a task", attention::cli::add_train);
  add("eval", "judge a trained model by sequences it has not seen", attention::cli::add_eval);
  add("generate", "let a trained model answer or continue a prompt", attention::cli::add_generate);
  add("show", "where a trained model looks: heatmaps", attention::cli::add_show);
  add("tasks", "the tasks there are, each with an example", attention::cli::add_tasks);
  add("bench", "time a training step", attention::cli::add_bench);

  if (const int code = parse(app, argc, argv); code >= 0) return code;
  try {
    for (const auto& [command, run] : commands)
      if (command->parsed()) return run();
  } catch (const CLI::ParseError& error) {
    return usage(app, error);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "attention: out of memory; try a smaller model or batch\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "attention: {}\n", error.what());
  }
  return 1;
}
