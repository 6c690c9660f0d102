#include "driftless/core/error.hpp"
#include "driftless/torch/device.hpp"

#include <ATen/autocast_mode.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <thread>
#include <torch/cuda.h>

namespace driftless {
namespace {

// Recording starts after this many plain runs: by then cuDNN has chosen its algorithms and memory is reserved.
constexpr int runs_before_recording = 3;

// Readers–writer lock: users of CUDA hold it shared; graph capture needs exclusive access, because a call of another
// thread can invalidate the graph.
std::shared_mutex& recording_mutex() {
  static std::shared_mutex mutex;
  return mutex;
}

// Upgrades the shared lock of the enclosing scope to an exclusive one, and back.
class Alone {
 public:
  Alone() {
    recording_mutex().unlock_shared();
    recording_mutex().lock();
  }
  ~Alone() {
    recording_mutex().unlock();
    recording_mutex().lock_shared();
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;
};

// An operation without a deterministic kernel, which a TorchScript model may have, gives a warning of LibTorch.
void use_deterministic(bool wanted) {
  at::Context& context = at::globalContext();
  context.setBenchmarkCuDNN(false);  // it chooses algorithms by their times, which differ from run to run
  context.setDeterministicCuDNN(wanted);
  context.setDeterministicAlgorithms(wanted, /*warn_only=*/true);
  context.setDeterministicFillUninitializedMemory(false);
  // cuBLAS repeats its results on several streams only where each has workspaces of a fixed size.
  if (wanted) ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
}

}  // namespace

// A queue on the processor has no stream.
struct DeviceQueue::State {
  using Work = std::function<void(const torch::Tensor&)>;
  struct Recording {
    int runs = 0;
    std::set<std::thread::id> threads;  // that have done the work plainly
    torch::Tensor batch;                // what the recorded work reads
    std::unique_ptr<at::cuda::CUDAGraph> graph;
  };

  std::optional<c10::cuda::CUDAStream> stream;
  decltype(at::cuda::graph_pool_handle())
      memory{};  // of all recordings: one runs at a time, and none leaves anything in it
  std::map<std::int64_t, Recording> recordings;
  std::int64_t largest = 0;  // number of images in a batch

  void work_plainly(const torch::Tensor& batch, const Work& work);
  void record(Recording& recording, const Work& work) const;
};

struct DeviceQueue::Scope::Guard {
  explicit Guard(c10::cuda::CUDAStream stream) : sharing(recording_mutex()), stream_guard(stream) {}
  std::shared_lock<std::shared_mutex> sharing;
  c10::cuda::CUDAStreamGuard stream_guard;
};

bool cuda_present() { return torch::cuda::is_available(); }

torch::TensorOptions choose_device(NetSpec& spec) {
  if (spec.device == DeviceChoice::automatic) spec.device = cuda_present() ? DeviceChoice::cuda : DeviceChoice::cpu;
  const bool cuda = spec.device == DeviceChoice::cuda;
  if (spec.precision == Precision::automatic) spec.precision = cuda ? Precision::bf16 : Precision::float32;
  if (cuda && !cuda_present())
    throw ConfigError({.what = "this machine has no CUDA device that works",
                       .seen = "device = \"cuda\"",
                       .advice = "use device = \"cpu\", or look at what nvidia-smi says"});
  const bool short_numbers = spec.precision == Precision::tf32 || spec.precision == Precision::bf16;
  if (!cuda && short_numbers)
    throw ConfigError({.what = "this precision needs CUDA",
                       .seen = "precision = \"" + std::string(enum_name(spec.precision)) + "\"",
                       .advice = "use precision = \"float32\" on the processor"});
  at::globalContext().setAllowTF32CuBLAS(short_numbers);
  at::globalContext().setAllowTF32CuDNN(short_numbers);
  use_deterministic(spec.deterministic);
  const auto type = spec.precision == Precision::float64 ? torch::kFloat64 : torch::kFloat32;
  return torch::TensorOptions().dtype(type).device(cuda ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU));
}

std::string device_name(const torch::Device& device) {
  if (!device.is_cuda()) return "cpu";
  return std::string("cuda (") + at::cuda::getDeviceProperties(device.index())->name + ")";
}

DeviceQueue::DeviceQueue(const torch::Device& device) : state_(std::make_unique<State>()) {
  if (!device.is_cuda()) return;
  state_->stream = c10::cuda::getStreamFromPool(false, device.index());
  state_->memory = at::cuda::graph_pool_handle();
}
DeviceQueue::~DeviceQueue() = default;

DeviceQueue::Scope::Scope(const DeviceQueue& queue) {
  if (queue.state_->stream) guard_ = std::make_unique<Guard>(*queue.state_->stream);
}
DeviceQueue::Scope::~Scope() = default;

void DeviceQueue::wait() const {
  if (state_->stream) state_->stream->synchronize();
}

void DeviceQueue::repeat(const torch::Tensor& batch, const std::function<void(const torch::Tensor&)>& work) {
  if (!state_->stream) return work(batch);
  State::Recording& recording = state_->recordings[batch.size(1)];
  if (!recording.graph) {
    // The handles of cuBLAS and cuDNN, and the algorithms that the latter chose, are those of a thread; a recording in
    // which they are made fails.
    const bool first_of_thread = recording.threads.insert(std::this_thread::get_id()).second;
    if (recording.runs++ < runs_before_recording || first_of_thread) return state_->work_plainly(batch, work);
    recording.batch = batch.clone();
    wait();
    state_->record(recording, work);
  }
  recording.batch.copy_(batch);
  recording.graph->replay();
}

void DeviceQueue::State::work_plainly(const torch::Tensor& batch, const Work& work) {
  // Trying all algorithms takes seconds, which pays only for the size that most batches have.
  largest = std::max(largest, batch.size(1));
  at::globalContext().setBenchmarkCuDNN(!at::globalContext().deterministicCuDNN() && batch.size(1) == largest);
  work(batch);
}

void DeviceQueue::State::record(Recording& recording, const Work& work) const {
  const Alone alone;
  auto graph = std::make_unique<at::cuda::CUDAGraph>();
  graph->capture_begin(memory, cudaStreamCaptureModeThreadLocal);
  try {
    work(recording.batch);
  } catch (...) {
    // While a stream records, freeing memory that it used fails too, and would hide the error.
    cudaGraph_t unfinished = nullptr;
    if (cudaStreamEndCapture(*stream, &unfinished) == cudaSuccess) cudaGraphDestroy(unfinished);
    c10::cuda::CUDACachingAllocator::endAllocateToPool(stream->device_index(), memory);
    throw;
  }
  graph->capture_end();
  recording.graph = std::move(graph);
}

Autocast::Autocast(bool on) : on_(on) {
  if (!on_) return;
  at::autocast::set_autocast_enabled(at::kCUDA, true);
  at::autocast::set_autocast_dtype(at::kCUDA, at::kBFloat16);
  at::autocast::increment_nesting();
}

Autocast::~Autocast() {
  if (!on_) return;
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCUDA, false);
}

}  // namespace driftless
