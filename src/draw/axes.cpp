#include "attention/draw/axes.hpp"

#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"
#include "attention/core/utf8.hpp"
#include "attention/draw/font.hpp"
#include "attention/draw/label.hpp"
#include "attention/draw/ticks.hpp"

namespace attention::draw {
namespace {

constexpr int widest_label = 150, tick = 4, label_gap = 4;

int line_height(int size) { return size + 2; }

// Whether letters can stand upright, one below the other: a single one, or Chinese.
bool stacks(const std::string& text, int size) {
  const std::u32string points = code_points(text);
  return std::all_of(points.begin(), points.end(), [&](char32_t p) {
    const bool narrow =
        text_width(encode_utf8({&p, 1}), size) <= size * 1.2;  // and not spelled U+82F9
    return narrow && (points.size() == 1 || display_width(p) == 2);
  });
}

// The labels' texts, a font size that suits the cells, and all of them in one direction.
Labels plain_labels(const std::vector<std::string>& names, int count, int cell, Labels::Lay lay) {
  if (count < 0 || cell < 1 || (!names.empty() && static_cast<Size>(names.size()) != count))
    fail("labels: {} for {} cells of {} pixels; one for each is needed, or none for numbers",
         names.size(), count, cell);
  Labels labels;
  labels.cell = cell;
  labels.size = std::clamp(cell - 2, 11, 15);
  for (int i = 0; i < count; ++i)
    labels.texts.push_back(names.empty() ? std::to_string(i)
                                         : fit(visible(names[i]), labels.size, widest_label));
  labels.lays.assign(count, lay);
  return labels;
}

// Thins out until labels that take so many pixels along the axis do not touch.
void thin_out(Labels& labels, int pixels) {
  for (int power = 1;; power *= 10)
    for (int factor : {1, 2, 5}) {
      labels.every = factor * power;
      if (labels.every * labels.cell >= pixels) return;
    }
}

// The fields are public: whoever draws them may have made them by hand.
void check(const Labels& labels) {
  if (labels.lays.size() != labels.texts.size() || labels.every < 1 || labels.cell < 1)
    fail(
        "labels: {} texts and {} lays, every {} of cells of {} pixels; each text needs a lay, and "
        "the others at least 1",
        labels.texts.size(), labels.lays.size(), labels.every, labels.cell);
}

int stacked_height(const Labels& labels, const std::string& text) {
  return static_cast<int>(code_points(text).size()) * line_height(labels.size);
}

}  // namespace

Labels row_labels(const std::vector<std::string>& names, int count, int cell) {
  Labels labels = plain_labels(names, count, cell, Labels::Lay::across);
  thin_out(labels, line_height(labels.size));
  for (int i = 0; i < count; i += labels.every)
    labels.extent = std::max(labels.extent, text_width(labels.texts[i], labels.size));
  labels.extent += tick + label_gap;
  return labels;
}

Labels column_labels(const std::vector<std::string>& names, int count, int cell) {
  Labels labels = plain_labels(names, count, cell, Labels::Lay::across);
  int widest = 0;
  for (const std::string& text : labels.texts)
    widest = std::max(widest, text_width(text, labels.size));
  // Numbers may be thinned out to stand across; words only if each has room over its own column.
  if (names.empty() || widest + 6 <= cell) {
    thin_out(labels, widest + 6);
    labels.extent = line_height(labels.size) + tick + label_gap;
    return labels;
  }
  thin_out(labels, line_height(labels.size));
  for (int i = 0; i < count; i += labels.every) {
    const std::string& text = labels.texts[i];
    const bool stack = stacks(text, labels.size);
    labels.lays[i] = stack ? Labels::Lay::stacked : Labels::Lay::upward;
    labels.extent = std::max(labels.extent,
                             stack ? stacked_height(labels, text) : text_width(text, labels.size));
  }
  labels.extent += tick + label_gap;
  return labels;
}

void draw_rows(Canvas& canvas, const Labels& labels, int x, int y) {
  check(labels);
  const int count = static_cast<int>(labels.texts.size());
  for (int i = 0; i < count; i += labels.every) {
    const double middle = y + (i + 0.5) * labels.cell;
    canvas.fill(x - tick, static_cast<int>(middle), tick - 1, 1, dim_colour);
    canvas.text({x - tick - label_gap + 0.0, middle}, labels.texts[i],
                {.size = labels.size, .align = Align::right});
  }
}

void draw_columns(Canvas& canvas, const Labels& labels, int x, int y) {
  check(labels);
  const int count = static_cast<int>(labels.texts.size()), line = line_height(labels.size);
  for (int i = 0; i < count; i += labels.every) {
    const double middle = x + (i + 0.5) * labels.cell, top = y + tick + label_gap;
    canvas.fill(static_cast<int>(middle), y + 1, 1, tick - 1, dim_colour);
    const TextStyle centred{.size = labels.size, .align = Align::centre};
    if (labels.lays[i] == Labels::Lay::across) {
      canvas.text({middle, top + line / 2.0}, labels.texts[i], centred);
    } else if (labels.lays[i] == Labels::Lay::upward) {
      canvas.text({middle, top}, labels.texts[i],
                  {.size = labels.size, .align = Align::right, .upward = true});
    } else {
      double row = top + line / 2.0;
      for (char32_t point : code_points(labels.texts[i])) {
        canvas.text({middle, row}, encode_utf8({&point, 1}), centred);
        row += line;
      }
    }
  }
}

void draw_cells(Canvas& canvas, const Cells& cells, int x, int y, const ColourScale& scale) {
  constexpr int most = Canvas::max_side;
  const auto fits = [](Size count, Size size) {
    return count > 0 && size > 0 && count * size <= most;
  };
  if (!cells.values || !fits(cells.rows, cells.cell_height) ||
      !fits(cells.columns, cells.cell_width))
    fail("cells: {} x {} of {} x {} pixels{}; 1 to {} pixels each way are possible", cells.rows,
         cells.columns, cells.cell_height, cells.cell_width, cells.values ? "" : " without values",
         most);
  canvas.frame(x, y, cells.width(), cells.height(), dim_colour);
  const real* value = cells.values;
  for (int row = 0; row < cells.rows; ++row)
    for (int column = 0; column < cells.columns; ++column)
      canvas.fill(x + column * cells.cell_width, y + row * cells.cell_height, cells.cell_width,
                  cells.cell_height, scale(*value++));
}

namespace {

constexpr int bar = 14, legend_size = 12;

std::vector<double> legend_ticks(const ColourScale& scale, int height) {
  if (height < 1) fail("legend: {} pixels high; at least 1 is needed", height);
  return round_ticks(scale.low, scale.high, std::clamp(height / 40, 2, 5));
}

}  // namespace

int legend_width(const ColourScale& scale, int height) {
  int widest = 0;
  for (const std::string& text : tick_texts(legend_ticks(scale, height)))
    widest = std::max(widest, text_width(text, legend_size));
  return bar + tick + label_gap + widest;
}

void draw_legend(Canvas& canvas, const ColourScale& scale, int x, int y, int height) {
  canvas.frame(x, y, bar, height, dim_colour);
  for (int row = 0; row < height; ++row) {
    const double share = (height - 1 - row) / std::max(1.0, height - 1.0);
    canvas.fill(x, y + row, bar, 1, scale((1 - share) * scale.low + share * scale.high));
  }
  const std::vector<double> ticks = legend_ticks(scale, height);
  const std::vector<std::string> texts = tick_texts(ticks);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double middle = y + (1 - scale.share(ticks[i])) * (height - 1);
    canvas.fill(x + bar + 1, static_cast<int>(std::lround(middle)), tick, 1, dim_colour);
    canvas.text({x + bar + tick + label_gap + 0.0, middle}, texts[i], {.size = legend_size});
  }
}

}  // namespace attention::draw
