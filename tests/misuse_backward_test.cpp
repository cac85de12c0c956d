// What the way back refuses: losses that are none, graphs that are gone, values that have changed,
// rules that do not fit; and whoever writes an op, or checks one.
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/gradcheck.hpp"
#include "attention/tensor/op.hpp"
#include "misuse.hpp"

using namespace attention;

namespace {

const std::string no_leaf =
    "backward: the loss depends on nothing that asked for a gradient; call require_grad() on a "
    "leaf, and build the graph outside NoGrad";

Tensor pair() { return leaf({1, 2}, {2}); }

// An op that is not enlisted, so that nobody else checks its rule.
Tensor twice(const Tensor& x, Rule rule) {
  return remember((NoGrad(), x * 2), "twice", {x}, std::move(rule));
}

Examples no_examples() { return {}; }

Tensor square(const Tensor& x) { return x * x; }

void check_square(GradcheckOptions options) { gradcheck(square, drawn({2}), options); }

}  // namespace

TEST_CASE("misuse: the loss") {
  refuse({
      {"backward", "several numbers", [] { backward(square(pair())); },
       "backward: the loss has shape (2,); it must be one number: take sum() or mean()"},
      {"backward", "no number",
       [] {
         backward(leaf(zeros({0, 3})) * 2);
       },
       "backward: the loss has shape (0, 3); it must be one number: take sum() or mean()"},
      {"backward", "undefined", [] { backward(Tensor()); },
       "backward: the loss is undefined: it was never given a value"},
      {"backward", "a number", [] { backward(Tensor(1)); }, no_leaf},
      {"backward", "made of constants", [] { backward(sum(ones({2}) * 3)); }, no_leaf},
      {"backward", "detached", [] { backward(sum(pair().detach() * 3)); }, no_leaf},
      {"backward", "without recording", [] { backward((NoGrad(), sum(pair() * 3))); }, no_leaf},
      {"gradients", "several numbers", [] { gradients(pair() * 2, {}); },
       "backward: the loss has shape (2,); it must be one number: take sum() or mean()"},
      {"gradients", "of a constant",
       [] {
         const Tensor x = pair(), constant = full({3}, 2);
         gradients(sum(x) * sum(constant), {x, constant});
       },
       "gradients: input 1, shape (3,), did not ask for a gradient; call require_grad() on it "
       "before it is used"},
      {"gradients", "of the undefined", [] { gradients(sum(pair()), {Tensor()}); },
       undefined("gradients")},
      {"made_by", "undefined", [] { made_by(Tensor(), "exp"); }, undefined("made_by")},
      {"made_by", "after a backward",
       [] {
         const Tensor loss = sum(exp(pair()));
         backward(loss);
         made_by(loss, "exp");
       },
       "made_by: the graph behind reshape () was freed by a backward; look before it, or pass it "
       "retain = true"},
      {"graph_text", "undefined", [] { graph_text(Tensor()); }, undefined("graph_text")},
      {"graph_dot", "undefined", [] { graph_dot(Tensor()); }, undefined("graph_dot")},
  });
}

TEST_CASE("misuse: a second backward") {
  refuse({
      {"backward", "twice",
       [] {
         const Tensor loss = sum(square(pair()));
         backward(loss);
         backward(loss);
       },
       "backward: the graph behind reshape () was freed by an earlier backward; pass retain = true "
       "to that one to keep it"},
      {"backward", "through a part that is gone",
       [] {
         const Tensor shared = square(pair());
         backward(sum(shared));
         backward(mean(shared));
       },
       "backward: the graph behind multiply (2,) was freed by an earlier backward; pass retain = "
       "true to that one to keep it"},
      {"backward", "after gradients()",
       [] {
         const Tensor x = pair(), loss = sum(square(x));
         gradients(loss, {x});
         backward(loss);
       },
       "backward: the graph behind reshape () was freed by an earlier backward; pass retain = true "
       "to that one to keep it"},
  });
}

TEST_CASE("misuse: values that change between forward and backward") {
  refuse({
      {"backward", "a leaf",
       [] {
         Tensor x = pair();
         const Tensor loss = sum(exp(x));
         x.edit()[0] = 5;
         backward(loss);
       },
       "backward: input 0 of exp, shape (2,), was changed after exp had used it; change leaves "
       "only between backward and the next forward"},
      {"backward", "a constant",
       [] {
         Tensor constant = full({2}, 3);
         const Tensor loss = sum(pair() * constant);
         constant.edit()[0] = 5;
         backward(loss);
       },
       "backward: input 1 of multiply, shape (2,), was changed after multiply had used it; change "
       "leaves only between backward and the next forward"},
      {"backward", "through a tensor that shares its values",
       [] {
         Tensor x = pair();
         const Tensor loss = sum(exp(reshape(x, {2, 1})));
         x.edit()[0] = 5;
         backward(loss);
       },
       "backward: input 0 of exp, shape (2, 1), was changed after exp had used it; change leaves "
       "only between backward and the next forward"},
      {"backward", "an inner result",
       [] {
         const Tensor y = exp(pair()), loss = sum(y);
         y.detach().edit()[0] = 7;
         backward(loss);
       },
       "backward: input 0 of sum, shape (2,), was changed after sum had used it; change leaves "
       "only between backward and the next forward"},
      {"backward", "the loss itself",
       [] {
         const Tensor loss = exp(leaf(Tensor(1)));
         loss.detach().edit()[0] = 7;
         backward(loss);
       },
       "backward: the result of exp () was changed after it was computed"},
  });
}

TEST_CASE("misuse: ops that are written wrongly") {
  refuse({
      {"Rule::operator()", "no rule",
       [] {
         const Tensors in;
         Rule()(Link{in, Tensor(1), Tensor(1)});
       },
       "rule: called, but it was never given a function"},
      {"remember", "no rule", [] { twice(pair(), {}); },
       "twice: without a rule there is no way back; give remember() one"},
      {"Rule::Rule", "a function that is none",
       [] { twice(pair(), std::function<Tensors(const Link&)>()); },
       "twice: without a rule there is no way back; give remember() one"},
      {"remember", "no name",
       [] { remember(ones({2}), "", {pair()}, [](const Link& l) { return Tensors{l.grad}; }); },
       "remember: an op without a name; its result would pass for a leaf"},
      {"remember", "no result", [] { remember({}, "thief", {pair()}, {}); },
       "thief: the forward returned an undefined tensor"},
      {"remember", "an undefined input", [] { remember(ones({2}), "thief", {Tensor()}, {}); },
       undefined("thief")},
      {"remember", "what another op made",
       [] {
         const Tensor x = pair();
         remember(exp(x), "thief", {x}, {});
       },
       "thief: the forward returned a tensor that exp already made"},
      {"backward", "one gradient too many",
       [] {
         backward(sum(twice(pair(), [](const Link& l) { return Tensors{l.grad * 2, l.grad}; })));
       },
       "backward: twice has 1 inputs, but its rule gave 2 gradients"},
      {"backward", "no gradients",
       [] { backward(sum(twice(pair(), [](const Link&) { return Tensors{}; }))); },
       "backward: twice has 1 inputs, but its rule gave 0 gradients"},
      {"backward", "a gradient of another size",
       [] { backward(sum(twice(pair(), [](const Link&) { return Tensors{ones({3})}; }))); },
       "backward: twice sent a gradient of shape (3,) to an input of shape (2,)"},
      {"backward", "a gradient of fewer axes",
       [] { backward(sum(twice(pair(), [](const Link&) { return Tensors{ones({})}; }))); },
       "backward: twice sent a gradient of shape () to an input of shape (2,)"},
      {"enlist", "no examples", [] { enlist("mine", nullptr); },
       "enlist: op \"mine\"; it needs a name, and examples to check its gradient at"},
      {"enlist", "no name", [] { enlist("", no_examples); },
       "enlist: op \"\"; it needs a name, and examples to check its gradient at"},
      {"check_defined", "undefined", [] { check_defined("mine", Tensor(1), Tensor()); },
       undefined("mine", 1)},
      {"refuse_undefined", "the second",
       [] {
         refuse_undefined("mine", {true, false});
       },
       undefined("mine", 1)},
      {"apply", "undefined", [] { exp(Tensor()); }, undefined("exp")},
      {"map", "undefined", [] { map(Tensor(), 1, [](real x) { return x; }); }, undefined("map")},
      {"zip", "undefined", [] { zip(1, Tensor(), "mine", 1, [](real x, real) { return x; }); },
       undefined("mine", 1)},
      {"zip", "shapes",
       [] { zip(ones({3}), ones({2}), "mine", 1, [](real x, real) { return x; }); },
       "mine: (3,) and (2,) do not broadcast: at axis 1 from the end, 3 is not 2, and neither is "
       "1"},
  });
}

TEST_CASE("misuse: gradient checks") {
  refuse({
      {"gradcheck", "a step of NaN", [] { check_square({.step = not_a_number}); },
       "gradcheck: a step of nan and a tolerance of 1e-06; both have to be positive and finite"},
      {"gradcheck", "no step", [] { check_square({.step = 0}); },
       "gradcheck: a step of 0 and a tolerance of 1e-06; both have to be positive and finite"},
      {"gradcheck", "an infinite tolerance, which all would pass",
       [] { check_square({.tolerance = infinity}); },
       "gradcheck: a step of 1e-05 and a tolerance of inf; both have to be positive and finite"},
      {"gradcheck", "a negative tolerance", [] { check_square({.tolerance = -1}); },
       "gradcheck: a step of 1e-05 and a tolerance of -1; both have to be positive and finite"},
      {"gradcheck", "no function",
       [] { gradcheck(std::function<Tensor(const Tensor&)>(), ones({2})); },
       "gradcheck: there is no function to check"},
      {"gradcheck", "undefined", [] { gradcheck(square, Tensor()); }, undefined("gradcheck")},
  });
  if (!in_double) return;  // in float, the usual step is refused before anything else
  refuse({
      {"gradcheck", "no inputs",
       [] { gradcheck([](const Tensors&) { return Tensor(1); }, Tensors{}); },
       "gradcheck: no inputs; there is nothing to differentiate by"},
      {"gradcheck", "a function that returns nothing",
       [] { gradcheck([](const Tensor&) { return Tensor(); }, ones({2})); },
       "gradcheck: the function returned an undefined tensor"},
      {"gradcheck", "a function of something else",
       [] { gradcheck([](const Tensor&) { return Tensor(1); }, ones({2})); }, no_leaf},
  });
}
