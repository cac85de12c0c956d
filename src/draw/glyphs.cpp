// The letters of last resort, drawn so that they can be read right here. Small letters look like
// capitals; that is enough for the title and the numbers of a picture on a bare system.
#include <array>
#include <cstring>

#include "attention/draw/font.hpp"

namespace attention::draw::detail {
namespace {

constexpr int per_band = 10, bands = 6, cell = glyph_width + 1;

constexpr const char* characters =
    "ABCDEFGHIJ"
    "KLMNOPQRST"
    "UVWXYZ0123"
    "456789.,:;"
    "+-*/=_()[]"
    "<>\"'!?%#|\\";

constexpr const char* art[bands * glyph_height] = {
    " ###  ####   ###  ####  ##### #####  ###  #   #  ###     #  ",
    "#   # #   # #   # #   # #     #     #   # #   #   #      #  ",
    "#   # #   # #     #   # #     #     #     #   #   #      #  ",
    "##### ####  #     #   # ####  ####  # ### #####   #      #  ",
    "#   # #   # #     #   # #     #     #   # #   #   #      #  ",
    "#   # #   # #   # #   # #     #     #   # #   #   #   #  #  ",
    "#   # ####   ###  ####  ##### #      #### #   #  ###   ##   ",

    "#   # #     #   # #   #  ###  ####   ###  ####   #### ##### ",
    "#  #  #     ## ## ##  # #   # #   # #   # #   # #       #   ",
    "# #   #     # # # ##  # #   # #   # #   # #   # #       #   ",
    "##    #     # # # # # # #   # ####  #   # ####   ###    #   ",
    "# #   #     #   # #  ## #   # #     # # # # #       #   #   ",
    "#  #  #     #   # #  ## #   # #     #  #  #  #      #   #   ",
    "#   # ##### #   # #   #  ###  #      ## # #   # ####    #   ",

    "#   # #   # #   # #   # #   # #####  ###    #    ###  ####  ",
    "#   # #   # #   # #   # #   #     # #   #  ##   #   #     # ",
    "#   # #   # #   #  # #   # #     #  #  ##   #       #     # ",
    "#   # #   # # # #   #     #     #   # # #   #      #   ###  ",
    "#   #  # #  # # #  # #    #    #    ##  #   #     #       # ",
    "#   #  # #  ## ## #   #   #   #     #   #   #    #        # ",
    " ###    #   #   # #   #   #   #####  ###   ###  ##### ####  ",

    "   #  #####  ###  #####  ###   ###                          ",
    "  ##  #     #         # #   # #   #              ##    ##   ",
    " # #  ####  #        #  #   # #   #              ##    ##   ",
    "#  #      # ####    #    ###   ####                         ",
    "#####     # #   #   #   #   #     #              ##    ##   ",
    "   #  #   # #   #   #   #   #     #  ##    ##    ##     #   ",
    "   #   ###   ###    #    ###   ###   ##     #          #    ",

    "                      #                #   #     ###   ###  ",
    "  #         # # #     #               #     #    #       #  ",
    "  #          ###     #  #####        #       #   #       #  ",
    "##### ##### #####   #                #       #   #       #  ",
    "  #          ###   #    #####        #       #   #       #  ",
    "  #         # # # #                   #     #    #       #  ",
    "                  #           #####    #   #     ###   ###  ",

    "   #   #     # #    #     #    ###  ##  #  # #    #   #     ",
    "  #     #    # #    #     #   #   # ##  #  # #    #   #     ",
    " #       #                #       #    #  #####   #    #    ",
    "#         #               #      #    #    # #    #     #   ",
    " #       #                      #    #    #####   #      #  ",
    "  #     #                 #         #  ##  # #    #       # ",
    "   #   #                  #     #   #  ##  # #    #       # "};

constexpr int count = per_band * bands;

std::array<Glyph, count> read_art() {
  std::array<Glyph, count> glyphs{};
  for (int i = 0; i < count; ++i)
    for (int y = 0; y < glyph_height; ++y)
      for (int x = 0; x < glyph_width; ++x)
        glyphs[i].dots[y][x] = art[i / per_band * glyph_height + y][i % per_band * cell + x] == '#';
  return glyphs;
}

}  // namespace

const Glyph* built_in_glyph(char32_t point) {
  static const std::array<Glyph, count> glyphs = read_art();
  static constexpr Glyph blank{};
  if (point == ' ') return &blank;
  if (point >= 'a' && point <= 'z') point -= 'a' - 'A';
  if (point == 0 || point >= 0x80) return nullptr;
  const char* place = std::strchr(characters, static_cast<int>(point));
  return place ? &glyphs[place - characters] : nullptr;
}

}  // namespace attention::draw::detail
