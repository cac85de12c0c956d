#include "attention/draw/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "attention/core/error.hpp"
#include "attention/draw/axes.hpp"
#include "attention/draw/font.hpp"

namespace attention::draw {
namespace {

constexpr int head_size = 13, between_maps = 14, head_line = 22;

void check(const AttentionSheet& sheet) {
  if (sheet.layers.empty()) fail("attention sheet: there are no layers to draw");
  for (std::size_t i = 0; i < sheet.layers.size(); ++i)
    if (!sheet.layers[i].defined())
      fail("attention sheet: layer {} is undefined: it was never given maps", i + 1);
  const Shape& first = sheet.layers[0].shape();
  if (first.rank() != 3 || first.count() == 0)
    fail("attention sheet: layer 1 has shape {}; the maps of a layer are (heads, queries, keys)",
         first);
  for (std::size_t i = 1; i < sheet.layers.size(); ++i)
    if (!(sheet.layers[i].shape() == first))
      fail("attention sheet: layer {} has shape {}, layer 1 has {}; all must be alike", i + 1,
           sheet.layers[i].shape(), first);
  const auto count = [&](const char* which, const std::vector<std::string>& labels, int axis) {
    if (!labels.empty() && static_cast<Size>(labels.size()) != first[axis])
      fail("attention sheet: {} {} labels for the {} of {}; give one for each, or none",
           labels.size(), which, first[axis], first);
  };
  count("query", sheet.queries, 1);
  count("key", sheet.keys, 2);
}

}  // namespace

Canvas render(const AttentionSheet& sheet) {
  check(sheet);
  const Shape& shape = sheet.layers[0].shape();
  const int layers = static_cast<int>(sheet.layers.size()), heads = static_cast<int>(shape[0]);
  const Size longest = std::max(shape[1], shape[2]);
  const Size room = std::clamp<Size>(1400 / heads, 110, 260);  // for a map, in pixels
  const int cell = static_cast<int>(std::max<Size>(room / longest, longest > 128 ? 1 : 2));
  Cells cells{nullptr, static_cast<int>(shape[1]), static_cast<int>(shape[2]), cell, cell};

  const Labels rows = row_labels(sheet.queries, cells.rows, cell);
  const Labels columns = column_labels(sheet.keys, cells.columns, cell);
  const ColourScale scale;  // 0 to 1
  const int step_x = std::max(cells.width(), 60) + between_maps,
            step_y = cells.height() + head_line + between_maps;
  const int before = 24 + rows.extent, above = sheet.title.empty() ? 0 : 32;
  const int legend = std::min(step_y * layers - between_maps - head_line, 300);
  const int content = before + step_x * heads + 6 + legend_width(scale, legend);
  const std::string title = fit(sheet.title, title_size, std::max(content, 1200));
  const int width = std::max(content, text_width(title, title_size)) + 2 * margin;
  const int bottom = margin + above + step_y * layers - between_maps;  // of the last row of maps

  Canvas canvas(width, bottom + columns.extent + 24 + margin);
  const int x = (width - content) / 2 + before, y = margin + above + head_line;
  canvas.text({width / 2.0, margin + title_size / 2.0}, title,
              {.size = title_size, .align = Align::centre});
  for (int layer = 0; layer < layers; ++layer) {
    for (int head = 0; head < heads; ++head) {
      cells.values = sheet.layers[layer].data() + shape.inner(0) * head;
      const int left = x + head * step_x, top = y + layer * step_y;
      draw_cells(canvas, cells, left, top, scale);
      std::string name = fmt::format("layer {} head {}", layer + 1, head + 1);
      if (text_width(name, head_size) > step_x - 4)
        name = fmt::format("{}.{}", layer + 1, head + 1);
      canvas.text({left + cells.width() / 2.0, top - head_line / 2.0}, name,
                  {.size = head_size, .align = Align::centre});
      if (layer == layers - 1) draw_columns(canvas, columns, left, bottom);
    }
    draw_rows(canvas, rows, x, y + layer * step_y);
  }
  const TextStyle quiet{.size = name_size, .colour = dim_colour, .align = Align::centre};
  TextStyle turned = quiet;
  turned.upward = true;
  canvas.text({x - before + name_size / 2.0, (y + bottom) / 2.0},
              fit(sheet.query_name, name_size, bottom - y), turned);
  canvas.text({x + (step_x * heads - between_maps) / 2.0, bottom + columns.extent + 14.0},
              fit(sheet.key_name, name_size, step_x * heads), quiet);
  draw_legend(canvas, scale, x + step_x * heads + 6, y, legend);
  return canvas;
}

}  // namespace attention::draw
