// Threads: how work is shared out, and that their number changes no bit of any result.
#include "attention/core/threads.hpp"

#include <mutex>
#include <set>
#include <thread>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

// More than one thread can be asked for.
std::vector<int> possible_threads() {
  return threads_available() ? std::vector{1, 2, 3, 4} : std::vector{1};
}

struct Ranges {
  std::mutex mutex;
  std::set<std::thread::id> workers;
  std::vector<std::pair<Size, Size>> ranges;
  void operator()(Size begin, Size end) {
    std::lock_guard lock(mutex);
    workers.insert(std::this_thread::get_id());
    ranges.emplace_back(begin, end);
  }
};

// Results and gradients of everything that is shared out, each above the threshold.
Tensors everything() {
  const Tensor x = leaf(drawn({67, 531}, 1)), y = leaf(drawn({67, 531}, 2));
  const Tensor row = leaf(drawn({531}, 3)), column = leaf(drawn({67, 1}, 4));
  const Tensor a = leaf(drawn({7, 33, 65}, 5)), b = leaf(drawn({7, 65, 29}, 6));
  const Tensor tall = leaf(drawn({531, 41}, 7)), table = leaf(drawn({19, 531}, 8));
  std::vector<int> ids(67), targets(67);
  for (int i = 0; i < 67; ++i) ids[i] = i * 7 % 19, targets[i] = i % 5 ? i * 7 : -1;

  const Tensors results{x * y + row / exp(column),
                        gelu(x),
                        gelu_tanh(x),
                        where(greater(x, y), tanh(x), y),
                        softmax(x, -1),
                        softmax(x, 0, greater(x.detach(), -1)),
                        log_softmax(x, -1),
                        normalize(x),
                        linear(x, tall, drawn({41}, 9)),
                        attend_heads(reshape(x, {1, 67, 531}), reshape(x, {1, 67, 531}),
                                     reshape(y, {1, 67, 531}), 9, causal_mask(67)),
                        layer_norm(x, row, row * 2),
                        matmul(x, tall),
                        matmul(x, y, transpose_b),
                        matmul(x, y, transpose_a),
                        matmul(a, b),
                        sum(x),
                        sum(x, 0),
                        sum(x, 1),
                        mean(a, {0, 2}),
                        max(x, 0),
                        variance(x, 1),
                        permute(a, {2, 0, 1}),
                        gather_rows(table, Tokens(Shape{67}, ids)),
                        cross_entropy(x, Tokens(Shape{67}, targets), {.smoothing = real(0.1)})};
  Tensor loss = 0;
  for (const Tensor& result : results) loss = loss + sum(result * drawn(result.shape(), 9));
  Tensors all = gradients(loss, {x, y, row, column, a, b, tall, table});
  all.insert(all.end(), results.begin(), results.end());
  return all;
}

bool same_bits(const Tensors& a, const Tensors& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("result " << i << ", " << to_string(a[i].shape()));
    CHECK(values(a[i]) == values(b[i]));
    if (values(a[i]) != values(b[i])) return false;
  }
  return true;
}

int workers() {
  Ranges seen;
  parallel_for(1000, 1, parallel_threshold, seen);
  return static_cast<int>(seen.workers.size());
}

}  // namespace

TEST_CASE("the number of threads asked for is the number used") {
  const int before = threads();
  CHECK(before >= 1);
  for (const int n : possible_threads()) {
    const Threads asked(n);
    CHECK(threads() == n);
    CHECK(workers() == n);
  }
  CHECK(threads() == before);
}

TEST_CASE("fewer threads than one are refused") {
  const int before = threads();
  CHECK_THROWS_WITH(set_threads(0), "threads: 0 asked for; at least 1 is needed");
  CHECK_THROWS_WITH(set_threads(-2), "threads: -2 asked for; at least 1 is needed");
  if (!threads_available())
    CHECK_THROWS_WITH(set_threads(2),
                      "threads: 2 asked for, but this build has no OpenMP: 1 is the only choice");
  CHECK(threads() == before);
}

TEST_CASE("ranges cover everything once and begin at multiples of the grain") {
  for (const int n : possible_threads())
    for (const Size grain : {1, 16, 1000})
      for (const Size count : {0, 1, 15, 16, 17, 4096, 4099}) {
        INFO(n << " threads, grain " << grain << ", count " << count);
        const Threads asked(n);
        Ranges seen;
        parallel_for(count, grain, parallel_threshold, seen);
        std::sort(seen.ranges.begin(), seen.ranges.end());
        Size next = 0;
        for (const auto& [begin, end] : seen.ranges) {
          CHECK(begin == next);
          CHECK(begin % grain == 0);
          CHECK(end > begin);
          next = end;
        }
        CHECK(next == count);
      }
}

TEST_CASE("small work stays on the calling thread, in one piece") {
  const Threads asked(possible_threads().back());
  Ranges seen;
  parallel_for(64, 1, 4 * 4 * 4, seen);  // a product of two 4 x 4 matrices
  parallel_for(64, 1, parallel_threshold - 1, seen);
  parallel_for(1, 1, 100 * parallel_threshold, seen);  // large, but cannot be shared out
  CHECK(seen.ranges == std::vector<std::pair<Size, Size>>{{0, 64}, {0, 64}, {0, 1}});
  CHECK(seen.workers == std::set{std::this_thread::get_id()});
}

TEST_CASE("inside a range everything is one thread's") {
  const Threads asked(possible_threads().back());
  Ranges seen;
  std::mutex mutex;
  parallel_for(4, 1, parallel_threshold, [&](Size, Size) {
    const int inside = threads();
    Ranges nested;
    parallel_for(100, 1, parallel_threshold, nested);
    std::lock_guard lock(mutex);
    seen.ranges.emplace_back(inside, nested.ranges.size());
  });
  if (threads() == 1) return;
  for (const auto& [inside, pieces] : seen.ranges) CHECK((inside == 1 && pieces == 1));
}

TEST_CASE("an error inside a range reaches the caller, and work goes on afterwards") {
  for (const int n : possible_threads()) {
    const Threads asked(n);
    CHECK_THROWS_WITH(
        parallel_for(100, 1, parallel_threshold, [](Size, Size) { fail("number {}", 7); }),
        "number 7");
    CHECK(workers() == n);
  }
}

TEST_CASE("threads take memory and give it back at the same time") {
  const Threads asked(possible_threads().back());
  std::vector<Buffer> kept(2000);
  parallel_for(2000, 1, parallel_threshold, [&](Size begin, Size end) {
    for (Size i = begin; i < end; ++i) {
      const Buffer passing(1 + i % 23);
      kept[i] = Buffer(1 + i % 37);
      std::fill_n(kept[i].fill(), kept[i].size(), static_cast<real>(i));
    }
  });
  for (Size i = 0; i < 2000; ++i)
    for (Size j = 0; j < kept[i].size(); ++j) REQUIRE(kept[i].data()[j] == static_cast<real>(i));
}

TEST_CASE("1, 2, 3 and 4 threads give the same bits") {
  Tensors expected;
  for (const int n : possible_threads()) {
    INFO(n << " threads");
    const Threads asked(n);
    const Tensors results = everything();
    if (n == 1)
      expected = results;
    else
      CHECK(same_bits(results, expected));
  }
}

TEST_CASE("a hundred times in a row give the same bits") {
  auto run = [] {
    const Tensor x = leaf(drawn({129, 67}, 1)), w = leaf(drawn({67, 71}, 2));
    const Tensor loss = sum(softmax(matmul(x, w), -1) * drawn({129, 71}, 3));
    Tensors all = gradients(loss, {x, w});
    all.push_back(loss);
    return all;
  };
  const Threads single(1);
  const Tensors expected = run();
  for (int i = 0; i < 100; ++i) {
    const Threads asked(possible_threads()[i % possible_threads().size()]);
    if (!same_bits(run(), expected)) break;
  }
}
