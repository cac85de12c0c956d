// Which language a lesson or an exercise speaks, and its arguments. Used by lesson.cpp and
// exercises/exercise.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>

namespace lesson {

// Chinese where the locale is: the first of the three that is set decides, as everywhere.
inline std::string system_language() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* value = std::getenv(name); value && *value)
      return std::string(value).substr(0, 2) == "zh" ? "zh" : "en";
  return "en";
}

inline void add_language(CLI::App& app, std::string& language) {
  app.add_option("--lang", language, "zh or en; else the locale decides 语言")
      ->type_name("LANG")
      ->check(CLI::IsMember({"zh", "en"}));
}

// -1 to go on, else the exit code: 0 after --help, 2 after one line about what is wrong.
inline int read_arguments(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::string text = error.what();
    fprintf(stderr, "%s\n", text.substr(0, text.find('\n')).c_str());
    return 2;
  }
  return -1;
}

}  // namespace lesson
