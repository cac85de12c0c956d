#include "attention/draw/heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"
#include "attention/draw/axes.hpp"
#include "attention/draw/font.hpp"

namespace attention::draw {
namespace {

constexpr int name_line = 24, title_line = 34, legend_gap = 20;

void check_labels(const char* which, const std::vector<std::string>& labels, Size count,
                  const Shape& shape) {
  if (!labels.empty() && static_cast<Size>(labels.size()) != count)
    fail("heatmap: {} {} labels for the {} {}s of {}; give one for each, or none for numbers",
         labels.size(), which, count, which, shape);
}

// Cells are square unless the map is more than three times as long as wide, or the other way round.
Cells lay_out(const Heatmap& map) {
  const auto cell = [](Size count) {
    const int best = static_cast<int>(std::clamp<Size>(640 / count, count > 1000 ? 1 : 2, 40));
    return static_cast<int>(std::max<Size>(best, 80 / count));
  };
  Cells cells{map.values.data(), static_cast<int>(map.values.size(0)),
              static_cast<int>(map.values.size(1)), 0, 0};
  cells.cell_width = cell(cells.columns);
  cells.cell_height = cell(cells.rows);
  if (std::max(cells.rows, cells.columns) <= 3 * std::min(cells.rows, cells.columns))
    cells.cell_width = cells.cell_height = std::max(std::min(cells.cell_width, cells.cell_height),
                                                    80 / std::min(cells.rows, cells.columns));
  if (map.numbers) cells.cell_width = std::max(cells.cell_width, 44);
  return cells;
}

void write_numbers(Canvas& canvas, const Cells& cells, int x, int y, const ColourScale& scale) {
  if (cells.cell_height < 14) return;
  for (int i = 0; i < cells.rows * cells.columns; ++i) {
    const bool dark = lightness(scale(cells.values[i])) < 60;
    canvas.text({x + (i % cells.columns + 0.5) * cells.cell_width,
                 y + (i / cells.columns + 0.5) * cells.cell_height},
                fmt::format("{:.2f}", cells.values[i]),
                {.size = 12, .colour = dark ? paper_colour : ink_colour, .align = Align::centre});
  }
}

}  // namespace

void check(const Heatmap& map) {
  if (!map.values.defined()) fail("heatmap: it has no values: the tensor is undefined");
  const Shape& shape = map.values.shape();
  if (shape.rank() != 2)
    fail("heatmap: the values have shape {}; a map has 2 axes, rows and columns; pick one of them",
         shape);
  if (shape.count() == 0) fail("heatmap: shape {} has no values to draw", shape);
  if (std::max(shape[0], shape[1]) > Canvas::max_side)
    fail("heatmap: {} has more rows or columns than a picture can show; draw a part of it", shape);
  check_labels("row", map.rows, shape[0], shape);
  check_labels("column", map.columns, shape[1], shape);
}

// From the left: name of the rows, their labels, the map, the legend. From above: the title, the
// map, the columns' labels, their name.
Canvas render(const Heatmap& map) {
  check(map);
  const Cells cells = lay_out(map);
  const ColourScale scale =
      colour_scale(map.scale, {cells.values, static_cast<std::size_t>(map.values.count())});
  const Labels rows = row_labels(map.rows, cells.rows, cells.cell_height);
  const Labels columns = column_labels(map.columns, cells.columns, cells.cell_width);

  const int before = (map.row_name.empty() ? 0 : name_line) + rows.extent;
  const int above = map.title.empty() ? 0 : title_line;
  const int below = columns.extent + (map.column_name.empty() ? 0 : name_line);
  const int content = before + cells.width() + legend_gap + legend_width(scale, cells.height());
  const std::string title = fit(map.title, title_size, std::max(content, 1200));
  const int width = std::max(content, text_width(title, title_size)) + 2 * margin;

  Canvas canvas(width, margin + above + cells.height() + below + margin);
  const int x = (width - content) / 2 + before, y = margin + above;
  const double middle = x + cells.width() / 2.0;
  canvas.text({width / 2.0, margin + title_size / 2.0}, title,
              {.size = title_size, .align = Align::centre});
  draw_cells(canvas, cells, x, y, scale);
  if (map.numbers) write_numbers(canvas, cells, x, y, scale);
  draw_rows(canvas, rows, x, y);
  draw_columns(canvas, columns, x, y + cells.height());
  canvas.text({x - before + name_size / 2.0, y + cells.height() / 2.0},
              fit(map.row_name, name_size, cells.height()),
              {.size = name_size, .colour = dim_colour, .align = Align::centre, .upward = true});
  canvas.text({middle, y + cells.height() + columns.extent + name_line / 2.0 + 2},
              fit(map.column_name, name_size, cells.width()),
              {.size = name_size, .colour = dim_colour, .align = Align::centre});
  draw_legend(canvas, scale, x + cells.width() + legend_gap, y, cells.height());
  return canvas;
}

Heatmap positions(const Tensor& table, std::string title) {
  return {.values = table,
          .title = std::move(title),
          .row_name = "position",
          .column_name = "dimension",
          .scale = Scale::diverging};
}

}  // namespace attention::draw
