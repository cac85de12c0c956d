// The program `attention`. Whatever goes wrong comes out as one line on standard error, with exit
// code 1; 2 when the command line itself makes no sense.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "attention/core/error.hpp"
#include "commands.hpp"
#include "waiting.hpp"
#include "words.hpp"

namespace {

using attention::cli::Command;
using attention::cli::one_line;

int usage(const CLI::App& app, const std::string& what) {
  std::string command;
  for (const CLI::App* chosen : app.get_subcommands()) command = " " + chosen->get_name();
  fmt::print(stderr, "attention: {}; see attention{} --help\n", one_line(what), command);
  return 2;
}

std::string command_names(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names += (names.empty() ? "" : ", ") + command->get_name();
  return names;
}

bool is_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (command->get_name() == name) return true;
  return false;
}

// Exit code 0 for --help, 2 for what cannot be understood, -1 to go on.
int parse(CLI::App& app, int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.empty()) return usage(app, "a command is needed: " + command_names(app));
  if (first[0] != '-' && !is_command(app, first))
    return usage(app,
                 fmt::format("there is no command '{}'; there are {}", first, command_names(app)));
  try {
    app.parse(argc, argv);
    return -1;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::RequiredError& error) {
    const bool option = first[0] == '-' && error.get_name() == "RequiredError";
    return usage(app, option ? fmt::format("'{}' is no option here; a command comes first: {}",
                                           first, command_names(app))
                             : error.what());
  } catch (const CLI::ParseError& error) {
    return usage(app, error.what());
  }
}

int run(const std::vector<std::pair<const CLI::App*, Command>>& commands, const CLI::App& app) {
  try {
    for (const auto& [command, act] : commands)
      if (command->parsed()) return act();
  } catch (const CLI::ParseError& error) {
    return usage(app, error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "attention: out of memory; a smaller model or batch needs less\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "attention: {}\n", one_line(error.what()));
  }
  return 1;
}

// What was printed may not have arrived: the disk behind standard output can be full.
int check_output(int code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  fmt::print(stderr, "attention: standard output: {}\n", std::strerror(errno));
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  attention::cli::wait_briefly(argv);
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
#endif
  CLI::App app("Train tiny attention models, look into them, and let them write.", "attention");
  app.require_subcommand(1);
  app.set_version_flag("--version", ATTENTION_VERSION);
  std::vector<std::pair<const CLI::App*, Command>> commands;
  auto add = [&](const char* name, const char* summary, Command (*make)(CLI::App&)) {
    CLI::App* command = app.add_subcommand(name, summary);
    commands.emplace_back(command, make(*command));
  };
  add("train", "train a model on a task", attention::cli::add_train);
  add("eval", "judge a trained model by sequences it has not seen", attention::cli::add_eval);
  add("generate", "let a trained model answer or continue a prompt", attention::cli::add_generate);
  add("show", "where a trained model looks: heatmaps", attention::cli::add_show);
  add("tasks", "the tasks there are, each with an example", attention::cli::add_tasks);
  add("bench", "time a training step", attention::cli::add_bench);

  const int code = parse(app, argc, argv);
  return check_output(code >= 0 ? code : run(commands, app));
}
