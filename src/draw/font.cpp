#include "attention/draw/font.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "attention/core/utf8.hpp"
#include "attention/draw/label.hpp"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb_truetype.h>

namespace attention::draw {
namespace {

namespace fs = std::filesystem;

struct Font {
  std::string bytes;
  stbtt_fontinfo info{};
  float scale(int size) const { return stbtt_ScaleForMappingEmToPixels(&info, size); }
};

// stb_truetype trusts what it reads, so a file that was cut short is refused here: every table must
// lie inside it. Also refused: outlines that stb cannot draw (it knows glyf and CFF, not CFF2).
bool open_font(Font& font, const fs::path& file) {
  try {
    font.bytes = read_file(file);
  } catch (const Error&) {
    return false;
  }
  const auto* data = reinterpret_cast<const unsigned char*>(font.bytes.data());
  const std::size_t size = font.bytes.size();
  const auto number = [data](std::size_t at) {
    return std::size_t{data[at]} << 24 | data[at + 1] << 16 | data[at + 2] << 8 | data[at + 3];
  };
  if (size < 64) return false;
  const int start = stbtt_GetFontOffsetForIndex(data, 0);
  if (start < 0 || start + std::size_t{12} > size) return false;
  const std::size_t tables = number(start + 4) >> 16;
  if (start + 12 + 16 * tables > size) return false;
  for (std::size_t i = 0; i < tables; ++i) {
    const std::size_t entry = start + 12 + 16 * i;
    if (number(entry + 8) + number(entry + 12) > size) return false;
  }
  return stbtt_InitFont(&font.info, data, start) != 0;
}

// The fonts in use. Opened one after the other, and only as far as a letter has to be looked for.
class Fonts {
 public:
  explicit Fonts(std::vector<fs::path> files) : files_(std::move(files)) {}

  // The first font that has the character, and its glyph there.
  const Font* with(char32_t point, int* glyph) {
    for (std::size_t i = 0; i < opened_.size() || open_next(); ++i) {
      *glyph = stbtt_FindGlyphIndex(&opened_[i]->info, static_cast<int>(point));
      if (*glyph) return opened_[i].get();
    }
    return nullptr;
  }

  bool any() { return !opened_.empty() || open_next(); }

  std::u32string missing;  // characters that had to be spelled out, each once
  bool dotted = false;     // whether built-in letters were drawn because there is no font
  std::vector<fs::path> unreadable;

 private:
  bool open_next() {
    while (next_ < files_.size()) {
      const fs::path& file = files_[next_++];
      auto font = std::make_unique<Font>();
      if (open_font(*font, file)) return opened_.push_back(std::move(font)), true;
      unreadable.push_back(file);
    }
    return false;
  }

  std::vector<fs::path> files_;
  std::size_t next_ = 0;
  std::vector<std::unique_ptr<Font>> opened_;
};

std::optional<Fonts>& chosen() {
  static std::optional<Fonts> fonts;
  return fonts;
}

Fonts& fonts() {
  if (!chosen()) chosen().emplace(find_fonts());
  return *chosen();
}

// What is drawn for a text: characters that nobody has are spelled out.
std::u32string drawable(std::string_view utf8) {
  std::u32string result;
  for (char32_t point : code_points(utf8)) {
    int glyph;
    if (fonts().with(point, &glyph) || detail::built_in_glyph(point)) {
      result += point;
    } else if (point == U'…') {
      result += U"..";
    } else if (point == U'␣') {
      result += U'_';
    } else if (point == 0xFFFD) {
      result += U'?';
    } else if (display_width(point) > 0) {
      if (fonts().missing.find(point) == fonts().missing.npos) fonts().missing += point;
      result += code_points(fmt::format("U+{:04X}", static_cast<unsigned>(point)));
    }
  }
  return result;
}

double advance(char32_t point, int size) {
  int glyph, width, bearing;
  const Font* font = fonts().with(point, &glyph);
  if (!font) return size * 0.62;
  stbtt_GetGlyphHMetrics(&font->info, glyph, &width, &bearing);
  return width * font->scale(size);
}

void darken(Ink& ink, int x, int y, int cover) {
  if (x < 0 || y < 0 || x >= ink.width || y >= ink.height) return;
  auto& pixel = ink.cover[static_cast<std::size_t>(y) * ink.width + x];
  pixel = static_cast<std::uint8_t>(std::max<int>(pixel, cover));
}

void add_outline(Ink& ink, const Font& font, int glyph, double pen, int size) {
  const float scale = font.scale(size);
  const int column = static_cast<int>(std::floor(pen));
  int width, height, left, top;
  unsigned char* cover =
      stbtt_GetGlyphBitmapSubpixel(&font.info, scale, scale, static_cast<float>(pen - column), 0,
                                   glyph, &width, &height, &left, &top);
  for (int y = 0; cover && y < height; ++y)
    for (int x = 0; x < width; ++x)
      darken(ink, column + left + x, ink.baseline + top + y, cover[y * width + x]);
  stbtt_FreeBitmap(cover, nullptr);
}

// Dots are not whole pixels: each pixel is asked at 4 x 4 places how many of them lie in a dot.
void add_dots(Ink& ink, const detail::Glyph& glyph, double pen, int size) {
  const double dot = size * 0.73 / detail::glyph_height, top = ink.baseline - size * 0.73;
  for (int y = 0; y < ink.height; ++y)
    for (int x = static_cast<int>(pen); x < pen + size; ++x) {
      int hits = 0;
      for (int sample = 0; sample < 16; ++sample) {
        const double column = (x + (sample % 4 + 0.5) / 4 - pen) / dot;
        const double row = (y + (sample / 4 + 0.5) / 4 - top) / dot;
        hits += column >= 0 && row >= 0 && column < detail::glyph_width &&
                row < detail::glyph_height &&
                glyph.dots[static_cast<int>(row)][static_cast<int>(column)];
      }
      darken(ink, x, y, hits * 255 / 16);
    }
}

double width_of(std::u32string_view points, int size) {
  double width = 0;
  for (char32_t point : points) width += advance(point, size);
  return width;
}

void check_size(int size) {
  constexpr int most = 4096;
  if (size < 1 || size > most) fail("text: letters of {} pixels; 1 to {} are possible", size, most);
}

}  // namespace

Ink ink(std::string_view utf8, int size) {
  check_size(size);
  const std::u32string points = drawable(utf8);
  fonts().dotted = fonts().dotted || !fonts().any();
  Ink ink;
  ink.width = static_cast<int>(std::ceil(width_of(points, size)));
  ink.height = size + (size + 2) / 3;
  ink.baseline = size;
  ink.cover.resize(static_cast<std::size_t>(ink.width) * ink.height);
  double pen = 0;
  for (char32_t point : points) {
    int glyph;
    if (const Font* font = fonts().with(point, &glyph))
      add_outline(ink, *font, glyph, pen, size);
    else
      add_dots(ink, *detail::built_in_glyph(point), pen, size);
    pen += advance(point, size);
  }
  return ink;
}

int text_width(std::string_view utf8, int size) {
  check_size(size);
  return static_cast<int>(std::ceil(width_of(drawable(utf8), size)));
}

std::string fit(std::string_view utf8, int size, int width) {
  if (text_width(utf8, size) <= width) return std::string(utf8);
  std::string kept;
  double room = width - text_width("…", size);
  for (char32_t point : code_points(utf8)) {
    const std::string letter = encode_utf8({&point, 1});
    room -= width_of(drawable(letter), size);
    if (room < 0) break;
    kept += letter;
  }
  return kept + "…";
}

void set_fonts(std::vector<fs::path> files) { chosen().emplace(std::move(files)); }

std::string font_note() {
  if (!chosen()) return "";
  constexpr auto mend =
      "install one (for Chinese, Debian's fonts-wqy-microhei) or name its file in ATTENTION_FONT";
  const Fonts& used = *chosen();
  const char* wish = std::getenv("ATTENTION_FONT");
  if (wish &&
      std::find(used.unreadable.begin(), used.unreadable.end(), wish) != used.unreadable.end())
    return fmt::format("ATTENTION_FONT: {} cannot be read as a TrueType font", wish);
  if (used.dotted) return fmt::format("no font was found, letters are built-in capitals; {}", mend);
  if (used.missing.empty()) return "";
  const char32_t first = used.missing.front();
  const auto others = used.missing.size() - 1;
  return fmt::format("no font has {} (U+{:04X}){}; {}", encode_utf8({&first, 1}),
                     static_cast<unsigned>(first),
                     others ? fmt::format(" and {} more", others) : "", mend);
}

}  // namespace attention::draw
