#include "exercises/checks/08_weighted_sum.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

// (11, n): a, b and c for the columns that ask, that name, and that hold.
Tensor reads(const Tensor& a, const Tensor& b, const Tensor& c) { return concat({a, b, c}, 0); }

const Tensor none = zeros({4, 4}), no_contents = zeros({3, 4});

Tensor reads_questions(real times) { return reads(identity(4) * times, none, no_contents); }
Tensor reads_names(real times) { return reads(none, identity(4) * times, no_contents); }
Tensor reads_contents(real times) {
  return reads(zeros({4, 3}), zeros({4, 3}), identity(3) * times);
}

Diagnosis told(const Tensor& q, const Tensor& k, const Tensor& v = reads_contents(1)) {
  return check_08({[&] { return q; }, [&] { return k; }, [&] { return v; }});
}

}  // namespace

TEST_CASE("exercise 08: a dictionary of hand-set weights passes") {
  passes(told(reads_questions(20), reads_names(1)));
  passes(told(reads_questions(-6), reads_names(-6)));
}

TEST_CASE("exercise 08: untouched, it is still to do") {
  is_to_do(check_08({[]() -> Tensor { return todo; }, []() -> Tensor { return todo; },
                     []() -> Tensor { return todo; }}));
  is_to_do(told(reads_questions(20), reads_names(1), {}));
}

TEST_CASE("exercise 08: each mistake is told by name") {
  const Tensor q = reads_questions(20), k = reads_names(1);
  is_told(told(reads_questions(1), k), "太软", "too softly");
  is_told(told(reads_names(20), reads_questions(1)), "换了位置", "changed places");
  is_told(told(-q, k), "正负号反了", "sign is wrong");
  is_told(told(q, reads_questions(1)), "提问找到了提问", "Questions find questions");
  is_told(told(reads_names(20), k), "查询都是 0", "queries of both");
  is_told(told(q, zeros({11, 4})), "键都是 0", "All keys are 0");
  const Tensor turned = gather_rows(identity(4), {{4}, {1, 2, 3, 0}});
  is_told(told(q, reads(none, turned, no_contents)), "名字对错了", "names are mixed up");
  const Tensor two = identity(4) + turned * real(1.5);  // each name has another's, and more of it
  is_told(told(reads_questions(3), reads(none, two, no_contents)), "翻错了条目", "wrong entry");
  is_told(told(q, k, reads(zeros({4, 3}), slice(identity(4), 1, 0, 3), zeros({3, 3}))),
          "带回来的却是名字", "its name is brought home");
  is_told(told(q, k, reads_contents(20)), "20 倍", "20 times");
  is_told(told(q, k, reads(zeros({4, 3}), zeros({4, 3}), ones({3, 3}))), "最后三行",
          "last three rows");
  is_told(told(reads_questions(14), k), "差一点", "Nearly");
}

TEST_CASE("exercise 08: what cannot be multiplied is told kindly") {
  const Tensor q = reads_questions(20), k = reads_names(1);
  is_told(told(transpose(q, 0, 1), k), "W_Q 的形状", "W_Q has the shape");
  is_told(told(q, k, k), "W_V 的形状", "W_V has the shape");
  is_told(told(q, full({11, 4}, NAN)), "普通的", "ordinary");
  is_told(check_08({[&] { return q; }, [&] { return k + ones({3}); }, [&] { return k; }}),
          "停在这里", "stopped");
}
