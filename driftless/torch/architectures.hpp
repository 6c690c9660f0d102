// The networks of our own, each written once as a function of the operations it is made of. What an operation does is
// up to the caller: declare its parameters, compute, or write itself down as TorchScript.
//
// Operations have `Value` (with `channels(value)`) and, with values in and out:
//   conv(v, channels, kernel, stride)   without bias, padded so that stride 1 keeps the size
//   norm(v), relu(v), add(v, w), pool(v) (2 × 2, the largest), mean(v) (over the image), flatten(v), linear(v, outputs)
#pragma once

#include <cstdint>

namespace driftless {

template <class Ops>
auto softmax_regression(Ops& o, typename Ops::Value v, std::int64_t classes) {
  return o.linear(o.flatten(v), classes);
}

template <class Ops>
auto multilayer_perceptron(Ops& o, typename Ops::Value v, std::int64_t hidden, std::int64_t classes) {
  v = o.relu(o.linear(o.flatten(v), hidden));
  return o.linear(v, classes);
}

// Two convolutions with pooling and two linear layers.
template <class Ops>
auto small_cnn(Ops& o, typename Ops::Value v, std::int64_t width, std::int64_t classes) {
  v = o.pool(o.relu(o.conv(v, width, 5, 1)));
  v = o.pool(o.relu(o.conv(v, 2 * width, 5, 1)));
  v = o.relu(o.linear(o.flatten(v), 8 * width));
  return o.linear(v, classes);
}

// He, Zhang, Ren, Sun, CVPR 2016: two 3 × 3 convolutions, and the input added to their result.
template <class Ops>
auto residual_block(Ops& o, typename Ops::Value v, std::int64_t channels, std::int64_t stride) {
  auto out = o.relu(o.norm(o.conv(v, channels, 3, stride)));
  out = o.norm(o.conv(out, channels, 3, 1));
  if (stride != 1 || o.channels(v) != channels) v = o.norm(o.conv(v, channels, 1, stride));
  return o.relu(o.add(out, v));
}

// For images of 32 × 32 and less: the first convolution is 3 × 3 and nothing is pooled before the blocks.
template <class Ops>
auto resnet18(Ops& o, typename Ops::Value v, std::int64_t width, std::int64_t classes) {
  v = o.relu(o.norm(o.conv(v, width, 3, 1)));
  for (int stage = 0; stage < 4; ++stage) {
    v = residual_block(o, v, width << stage, stage == 0 ? 1 : 2);
    v = residual_block(o, v, width << stage, 1);
  }
  return o.linear(o.mean(v), classes);
}

}  // namespace driftless
