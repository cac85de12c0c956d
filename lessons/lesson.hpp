// What the lessons share: two languages, tables that line up, pictures, and claims with a verdict.
// Nothing of attention itself is here; a lesson shows all of that. Begin with 01_tensors.cpp.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "attention/draw/canvas.hpp"
#include "attention/draw/heatmap.hpp"
#include "attention/tensor/tensor.hpp"

namespace lesson {

using attention::Tensor;
using Row = std::vector<std::string>;

// Reads --lang zh|en (else the locale decides), --out DIR for pictures (runs/lessons) and prints
// the title. Bad arguments end the program with one line, as does an attention::Error later on.
void begin(int argc, char** argv, int number, const std::string& zh, const std::string& en);
// The tally of the claims. Returns the exit code: 0, or 1 when a claim does not hold.
int end();

bool chinese();
const std::string& in(const std::string& zh, const std::string& en);  // the one that is spoken

// A heading; a paragraph, broken to fit 80 columns. {} stands for an argument, as in fmt::format.
void section(const std::string& zh, const std::string& en);
void paragraph(const std::string& text);
template <class... Arguments>
void say(const std::string& zh, const std::string& en, const Arguments&... arguments) {
  paragraph(fmt::format(fmt::runtime(in(zh, en)), arguments...));
}

// A number as a person would write it: 3, 0.5, 0.1667 (so many decimals at most), 1.2e-07.
std::string number(double value, int decimals = 4);

// Cells in columns, aligned to the left; a Chinese character counts as two.
void table(const std::vector<Row>& rows);

// The largest |a - b| of any element; infinity when the shapes differ, NaN where there is one.
double difference(const Tensor& a, const Tensor& b);

// A vector or matrix under its name and shape, with words for its rows and columns if given.
void show(const std::string& name, const Tensor& tensor, const Row& rows = {},
          const Row& columns = {}, int decimals = 4);

// To the terminal, and as DIR/NN_name.png.
void picture(const std::string& name, const attention::draw::Heatmap& map);
void save(const std::string& name, const attention::draw::Canvas& picture);  // the file only
std::string out_file(const std::string& name);  // DIR/NN_name: for what is not a picture

// The loss as training goes on: on a terminal one line that changes, elsewhere three lines in all.
void live_loss(int step, int steps, double loss);

// What a measured number has to be, so that a claim holds. A NaN never does.
struct Limit {
  enum class Kind { at_most, at_least, exactly } kind;
  double value;
  bool admits(double measured) const;
};
inline Limit at_most(double value) { return {Limit::Kind::at_most, value}; }
inline Limit at_least(double value) { return {Limit::Kind::at_least, value}; }
inline Limit exactly(double value) { return {Limit::Kind::exactly, value}; }

// Prints the claim, the number, its limit and whether it holds; end() counts them.
void claim(const std::string& zh, const std::string& en, double measured, Limit limit);

// What a popular explanation of attention says about the claim just made, and how that stands.
struct Verdict {
  std::string zh, en;
};
inline Verdict holds() { return {"成立", "holds"}; }
inline Verdict holds_when(const std::string& zh, const std::string& en) {
  return {"成立，条件是：" + zh, "holds when " + en};
}
inline Verdict loosely_put(const std::string& zh, const std::string& en) {
  return {"说得宽松：" + zh, "loosely put: " + en};
}
void article(const std::string& zh, const std::string& en, const Verdict& verdict);

}  // namespace lesson
