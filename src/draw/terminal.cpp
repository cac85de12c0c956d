#include "attention/draw/terminal.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "attention/core/error.hpp"
#include "attention/core/utf8.hpp"

namespace attention::draw {
namespace {

constexpr std::string_view shades = " .:-=+*#%@";
constexpr int longest_label = 16, longest_word = 7, highest_header = 10;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string spaces(int count) { return std::string(std::max(count, 0), ' '); }
std::string left_padded(const std::string& text, int columns) {
  return spaces(columns - display_width(text)) + text;
}

// The nearest of the 256 colours of a terminal: a cube of 6 x 6 x 6 from number 16 on.
int nearest_of_256(Colour colour) {
  constexpr std::array levels = {0, 95, 135, 175, 215, 255};
  const auto nearest = [&](int value) {
    const auto nearer = [value](int a, int b) { return std::abs(a - value) < std::abs(b - value); };
    return static_cast<int>(std::min_element(levels.begin(), levels.end(), nearer) -
                            levels.begin());
  };
  return 16 + 36 * nearest(colour.red) + 6 * nearest(colour.green) + nearest(colour.blue);
}

std::string background(Colour colour, Ansi ansi) {
  if (ansi == Ansi::colours_256) return fmt::format("\x1b[48;5;{}m", nearest_of_256(colour));
  return fmt::format("\x1b[48;2;{};{};{}m", colour.red, colour.green, colour.blue);
}

// A row of cells, each `width` characters: an escape is sent only where the colour changes.
std::string painted(const std::vector<double>& values, int width, const ColourScale& scale,
                    Ansi ansi) {
  std::string line = ansi == Ansi::none ? "|" : "", before;
  for (double value : values) {
    if (ansi == Ansi::none) {
      const double share = scale.share(value);
      const auto last = static_cast<double>(shades.size() - 1);
      line.append(width, std::isnan(share) ? '?' : shades[std::lround(share * last)]);
    } else {
      std::string escape = background(scale(value), ansi);
      if (escape != before) line += escape;
      before = std::move(escape);
      line += spaces(width);
    }
  }
  return line + (ansi == Ansi::none ? "|" : "\x1b[0m");
}

// How the map is laid out: characters per cell, and map columns per cell where they are too many.
struct Layout {
  int label = 0, indent = 0, cell = 1, merged = 1;
  enum { across, down, ruler } header = ruler;
};

std::vector<std::string> labels_of(const std::vector<std::string>& names, Size count, int longest) {
  std::vector<std::string> labels;
  for (Size i = 0; i < count; ++i)
    labels.push_back(names.empty() ? std::to_string(i) : cut(visible(names[i]), longest));
  return labels;
}

int widest(const std::vector<std::string>& labels) {
  int width = 0;
  for (const std::string& label : labels) width = std::max(width, display_width(label));
  return width;
}

bool has_wide(const std::vector<std::string>& labels) {
  for (const std::string& label : labels)
    for (char32_t point : code_points(label))
      if (display_width(point) > 1) return true;
  return false;
}

Layout lay_out(const Heatmap& map, const std::vector<std::string>& rows,
               const std::vector<std::string>& columns, const Terminal& terminal) {
  const int count = static_cast<int>(columns.size());
  Layout layout;
  layout.label = widest(rows);
  const int bar = terminal.ansi == Ansi::none ? 1 : 0;  // on either side of the cells
  layout.indent = layout.label + 1 + bar;
  const int room = terminal.width - layout.indent - bar;
  const int word = widest(columns) + 1;
  if (word <= longest_word + 1 && std::max(word, 2) * count <= room) {
    layout.cell = std::max(word, 2);
    layout.header = Layout::across;
  } else {
    layout.cell = 2 * count <= room ? 2 : 1;
    layout.merged = (count * layout.cell + room - 1) / room;
    const bool fits = layout.cell == 2 || !has_wide(columns);
    if (!map.columns.empty() && layout.merged == 1 && fits) layout.header = Layout::down;
  }
  return layout;
}

std::string header(const Layout& layout, const std::vector<std::string>& columns) {
  const std::string indent = spaces(layout.indent);
  std::string text;
  if (layout.header == Layout::across) {
    for (const std::string& label : columns) {
      const int free = layout.cell - display_width(label);
      text += spaces(free / 2) + label + spaces(free - free / 2);
    }
    return indent + text + "\n";
  }
  if (layout.header == Layout::ruler) {  // a number at every tenth cell
    const std::size_t merged = layout.merged, cell = layout.cell;
    text.resize((columns.size() + merged - 1) / merged * cell, ' ');
    for (std::size_t i = 0; i * cell < text.size(); i += 10) {
      const std::string number = std::to_string(i * merged);
      if (i * cell + number.size() <= text.size()) text.replace(i * cell, number.size(), number);
    }
    return indent + text + "\n";
  }
  std::vector<std::u32string> words;
  std::size_t height = 0;
  for (const std::string& label : columns) {
    words.push_back(code_points(label));
    height = std::max(height, words.back().size());
  }
  for (std::size_t line = 0; line < height; ++line) {
    text += indent;
    for (const std::u32string& word : words) {
      const std::size_t skipped = height - word.size();  // words end at the map
      const char32_t point = line < skipped ? U' ' : word[line - skipped];
      text += encode_utf8({&point, 1}) + spaces(layout.cell - display_width(point));
    }
    text += "\n";
  }
  return text;
}

std::string legend(const ColourScale& scale, int indent, Ansi ansi) {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back(scale.low / 19 * (19 - i) + scale.high / 19 * i);
  return fmt::format("{}{:.3g} {} {:.3g}\n", spaces(indent), scale.low,
                     painted(values, 1, scale, ansi), scale.high);
}

}  // namespace

bool colour_wanted(std::FILE* stream) {
  return stream && isatty(fileno(stream)) && environment("NO_COLOR").empty() &&
         environment("TERM") != "dumb";
}

Terminal terminal(std::FILE* stream) {
  Terminal result;
  winsize size{};
  if (stream && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    result.width = size.ws_col;
  const std::string colours = environment("COLORTERM");
  if (colour_wanted(stream))
    result.ansi =
        colours == "truecolor" || colours == "24bit" ? Ansi::colours_24_bit : Ansi::colours_256;
  return result;
}

std::string to_text(const Heatmap& map, const Terminal& terminal) {
  check(map);
  if (terminal.width < 40)
    fail("heatmap: a terminal of {} columns is too narrow; 40 is the least", terminal.width);
  const Size count = map.values.size(1);
  const ColourScale scale =
      colour_scale(map.scale, {map.values.data(), static_cast<std::size_t>(map.values.count())});
  const auto rows =
      labels_of(map.rows, map.values.size(0), std::min(longest_label, terminal.width / 3));
  const auto columns = labels_of(map.columns, count, highest_header);
  const Layout layout = lay_out(map, rows, columns, terminal);

  std::string text;
  const auto add = [&](const std::string& line) {
    if (!line.empty()) text += cut(visible(line), terminal.width) + "\n";
  };
  add(map.title);
  add(fmt::format("{} ↓  {} →", map.row_name, map.column_name));
  if (layout.merged > 1)
    add(fmt::format("each character: the greatest of {} columns", layout.merged));
  text += header(layout, columns);
  const real* value = map.values.data();
  for (const std::string& label : rows) {
    std::vector<double> cells;
    for (Size i = 0; i < count; ++i, ++value) {
      if (i % layout.merged == 0)
        cells.push_back(*value);
      else if (!(std::abs(*value) <= std::abs(cells.back())))  // so that NaN is not hidden
        cells.back() = *value;
    }
    text += left_padded(label, layout.label) + " " +
            painted(cells, layout.cell, scale, terminal.ansi) + "\n";
  }
  return text + legend(scale, std::min(layout.indent, terminal.width - 40), terminal.ansi);
}

}  // namespace attention::draw
