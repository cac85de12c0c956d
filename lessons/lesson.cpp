#include "lesson.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "attention/core/error.hpp"
#include "attention/draw/font.hpp"
#include "attention/draw/terminal.hpp"
#include "language.hpp"
#include "text.hpp"

namespace lesson {
namespace {

using attention::draw::display_width;

constexpr int page = 80;  // columns of text

struct Claim {
  std::string zh, en;
  double measured;
  Limit limit;
};

struct State {
  int number = 0;
  bool chinese = false;
  std::filesystem::path out, claims_folder;
  std::vector<Claim> claims;
  std::string claim_rows, article_rows;  // of Markdown tables
  std::string summary;                   // the claims, a line each
};
State state;

std::string limit_text(const Limit& limit) {
  const char* sign = limit.kind == Limit::Kind::at_most    ? "≤"
                     : limit.kind == Limit::Kind::at_least ? "≥"
                                                           : "=";
  return sign + number(limit.value);
}

void write_rows(const std::string& kind, const std::string& rows) {
  if (state.claims_folder.empty()) return;
  const auto file = state.claims_folder / fmt::format("{:02}.{}", state.number, kind);
  std::filesystem::create_directories(state.claims_folder);
  std::ofstream stream(file);
  if (!(stream << rows) || !stream.flush())
    attention::fail("lesson: {} cannot be written", file.string());
}

[[noreturn]] void end_with_the_error() {
  try {
    throw;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  std::exit(1);
}

}  // namespace

void begin(int argc, char** argv, int number, const std::string& zh, const std::string& en) {
  std::set_terminate(end_with_the_error);
  CLI::App app(fmt::format("{}  {} · {}", number, zh, en));
  std::string language = system_language(), out = "runs/lessons", claims;
  add_language(app, language);
  app.add_option("--out", out, "where pictures go 图片存放的文件夹")->type_name("DIR");
  app.add_option("--claims", claims, "where the claims go, as rows of Markdown tables")->group("");
  if (const int code = read_arguments(app, argc, argv); code >= 0) std::exit(code);
  state.number = number, state.chinese = language == "zh";
  state.out = out, state.claims_folder = claims;
  const std::string title = chinese() ? fmt::format("第 {} 课  {}", number, zh)
                                      : fmt::format("Lesson {}: {}", number, en);
  std::string line;
  for (int i = 0; i < display_width(title); ++i) line += "═";
  fmt::print("{}\n{}\n", title, line);
}

int end() {
  std::size_t holding = 0;
  for (const Claim& claim : state.claims) holding += claim.limit.admits(claim.measured);
  fmt::print(fmt::runtime(in("\n{} 条论断，{} 条成立。\n", "\n{} claims, {} hold.\n")),
             state.claims.size(), holding);
  write_rows("claims", state.claim_rows);
  write_rows("article", state.article_rows);
  write_rows("summary", state.summary);
  if (const std::string note = attention::draw::font_note(); !note.empty())
    fmt::print(stderr, "{}\n", note);
  return holding == state.claims.size() ? 0 : 1;
}

bool chinese() { return state.chinese; }
const std::string& in(const std::string& zh, const std::string& en) { return chinese() ? zh : en; }

void section(const std::string& zh, const std::string& en) {
  fmt::print("\n── {} ──\n", in(zh, en));
}

void paragraph(const std::string& text) {
  fmt::print("\n");
  for (const std::string& line : wrapped(text, page)) fmt::print("{}\n", line);
}

void table(const std::vector<Row>& rows) { print_rows(rows, Align::left); }

double difference(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (attention::Size i = 0; i < a.count(); ++i) {
    const double here = std::abs(double(a.data()[i]) - double(b.data()[i]));
    if (std::isnan(here)) return here;
    worst = std::max(worst, here);
  }
  return worst;
}

void show(const std::string& name, const Tensor& tensor, const Row& rows, const Row& columns,
          int decimals) {
  if (tensor.rank() > 2) attention::fail("lesson: {} has more than two axes", name);
  fmt::print("\n{} {}", name, attention::to_string(tensor.shape()));
  const auto width = tensor.rank() == 0 ? 1 : tensor.size(-1), height = tensor.count() / width;
  std::vector<Row> cells;
  if (!columns.empty()) {
    cells.push_back(columns);
    if (!rows.empty()) cells.back().insert(cells.back().begin(), "");
  }
  for (attention::Size i = 0; i < height; ++i) {
    cells.emplace_back();
    if (!rows.empty()) cells.back().push_back(rows.at(i));
    for (attention::Size j = 0; j < width; ++j)
      cells.back().push_back(fixed(tensor.data()[i * width + j], decimals));
  }
  print_rows(cells, Align::right);
}

std::string out_file(const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(state.out, error);
  if (error) attention::fail("--out {}: {}", state.out.string(), error.message());
  return (state.out / fmt::format("{:02}_{}", state.number, name)).string();
}

void save(const std::string& name, const attention::draw::Canvas& picture) {
  const std::string file = out_file(name + ".png");
  picture.save(file);
  const std::string shown = std::filesystem::path(file).filename().string();
  fmt::print("\n{}\n", in("图片  ", "picture  ") + shown);
}

void picture(const std::string& name, const attention::draw::Heatmap& map) {
  attention::draw::Terminal terminal = attention::draw::terminal();
  terminal.width = std::clamp(terminal.width, 40, page);
  fmt::print("\n{}", attention::draw::to_text(map, terminal));
  save(name, attention::draw::render(map));
}

void live_loss(int step, int steps, double loss) {
  const bool live = isatty(fileno(stdout)) != 0;
  const std::string text =
      fmt::format(fmt::runtime(in("第 {} 步，共 {} 步  损失 {:.4f}", "step {} of {}  loss {:.4f}")),
                  step, steps, loss);
  if (live)
    fmt::print("{}\r\033[K{}{}", step == 1 ? "\n" : "", text, step == steps ? "\n" : "");
  else if (step == 1 || step == (steps + 1) / 2 || step == steps)
    fmt::print("{}{}\n", step == 1 ? "\n" : "", text);
  std::fflush(stdout);
}

bool Limit::admits(double measured) const {
  switch (kind) {
    case Kind::at_most:
      return measured <= value;
    case Kind::at_least:
      return measured >= value;
    case Kind::exactly:
      return measured == value;
  }
  return false;
}

void claim(const std::string& zh, const std::string& en, double measured, Limit limit) {
  constexpr int column = 44;
  const bool good = limit.admits(measured);
  const std::string text = in(zh, en);
  const std::string end_of_line = display_width(text) > column ? "\n" + std::string(7, ' ') : "";
  fmt::print("\n{}  {}{}  {} {}  {} {}  {}\n", in("论断", "claim"), padded(text, column),
             end_of_line.empty() ? "" : end_of_line + std::string(column, ' '),
             in("测得", "measured"), padded(number(measured), 9), in("限度", "limit"),
             padded(limit_text(limit), 8), good ? in("成立", "holds") : in("不成立", "FAILS"));
  state.claims.push_back({zh, en, measured, limit});
  state.summary += fmt::format("{:02}  {}  {}  {}  {}\n", state.number, padded(text, 60),
                               padded(number(measured), 9), padded(limit_text(limit), 8),
                               good ? in("成立", "holds") : in("不成立", "FAILS"));
  state.claim_rows +=
      fmt::format("| {} | {}<br>{} | {} | {} | {} |\n", state.number, zh, en, number(measured),
                  limit_text(limit), good ? "成立 holds" : "不成立 FAILS");
}

void article(const std::string& zh, const std::string& en, const Verdict& verdict) {
  if (state.claims.empty()) attention::fail("lesson: article() follows a claim()");
  constexpr int indent = 9;
  std::string before = in("文章     ", "article  ");
  for (const std::string& text : {in(zh, en), "→ " + in(verdict.zh, verdict.en)})
    for (const std::string& line : wrapped(text, page - indent)) {
      fmt::print("{}{}\n", before, line);
      before.assign(indent, ' ');
    }
  const Claim& last = state.claims.back();
  state.article_rows +=
      fmt::format("| {}<br>{} | {} | {}<br>{}: {} | {}<br>{} |\n", zh, en, state.number, last.zh,
                  last.en, number(last.measured), verdict.zh, verdict.en);
}

}  // namespace lesson
