// driftless privacy epsilon | noise | sum
#include "driftless/privacy/accountant.hpp"

#include "apps/command_line.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

using Json = nlohmann::ordered_json;

struct PrivacyRequest {
  double noise = 0.0;  // σ/Δ
  double epsilon = 0.0;
  double delta = 1e-5;
  double rate = 1.0;
  std::size_t exchanges = 1;
  SummedNoise sum;
  Format format = Format::text;
};

std::string noise_line(const PrivacyRequest& request) {
  return fmt::format("noise      {:.6g} times the sensitivity, in each of {} exchanges{}\n", request.noise,
                     request.exchanges,
                     request.rate < 1.0 ? fmt::format(", each of a sample with rate {:g}", request.rate) : "");
}

void print_text(const std::string& noise, const PrivacyRequest& request, const Accountant::Bound& bound) {
  fmt::print("{}epsilon    {:.6g} with delta = {:g} (order {:.6g})\n", noise, bound.epsilon, request.delta,
             bound.order);
}

void print_bound(const PrivacyRequest& request) {
  Accountant accountant;
  accountant.add(Mechanism::sampled_gaussian(request.noise, request.rate), request.exchanges);
  const Accountant::Bound bound = accountant.bound(request.delta);
  if (request.format == Format::text) return print_text(noise_line(request), request, bound);
  print_json({{"schema_version", 1},
              {"noise", request.noise},
              {"rate", request.rate},
              {"exchanges", request.exchanges},
              {"delta", request.delta},
              {"epsilon", bound.epsilon},
              {"order", bound.order}});
}

ExitCode tell_epsilon(const PrivacyRequest& request) {
  print_bound(request);
  return ExitCode::done;
}

ExitCode tell_noise(PrivacyRequest request) {
  request.noise = noise_for({.epsilon = request.epsilon, .delta = request.delta}, request.exchanges, request.rate);
  print_bound(request);
  return ExitCode::done;
}

ExitCode tell_sum(const PrivacyRequest& request) {
  Accountant accountant;
  accountant.add(Mechanism::discrete_gaussian_sum(request.sum), request.exchanges);
  const Accountant::Bound bound = accountant.bound(request.delta);
  const SummedNoise& sum = request.sum;
  const double tau = sum_correction(sum.sites, sum.deviation);
  if (request.format == Format::text) {
    print_text(fmt::format("noise      {} sites with {:g} units each, sensitivity {:g}, {} entries, {} exchanges\n"
                           "tau        {:.6g}\n",
                           sum.sites, sum.deviation, sum.sensitivity, sum.dimension, request.exchanges, tau),
               request, bound);
    return ExitCode::done;
  }
  print_json({{"schema_version", 1},
              {"sites", sum.sites},
              {"deviation", sum.deviation},
              {"sensitivity", sum.sensitivity},
              {"dimension", sum.dimension},
              {"exchanges", request.exchanges},
              {"delta", request.delta},
              {"tau", tau},
              {"epsilon", bound.epsilon},
              {"order", bound.order}});
  return ExitCode::done;
}

void add_delta(CLI::App& command, PrivacyRequest& request) {
  command.add_option("--delta", request.delta, "the chance that epsilon does not bound; well below 1 over the records")
      ->capture_default_str();
}

void add_exchanges(CLI::App& command, PrivacyRequest& request) {
  command.add_option("--exchanges", request.exchanges, "how many noisy sums are released")
      ->capture_default_str()
      ->check(CLI::PositiveNumber)
      ->type_name("N");
}

void add_rate(CLI::App& command, PrivacyRequest& request) {
  command.add_option("--rate", request.rate, "the chance of each record, or site, to be in the sample of an exchange")
      ->capture_default_str();
}

void add_epsilon(CLI::App& privacy, Action& action) {
  CLI::App* command = privacy.add_subcommand("epsilon", "What exchanges with this noise give away");
  const auto request = std::make_shared<PrivacyRequest>();
  command->add_option("--noise", request->noise, "deviation of the noise over the sensitivity")->required();
  add_exchanges(*command, *request);
  add_rate(*command, *request);
  add_delta(*command, *request);
  add_format(*command, request->format);
  command->footer("Example:\n  driftless privacy epsilon --noise 4 --rate 0.01 --exchanges 10000 --delta 1e-5");
  command->callback([&action, request] { action = [request] { return tell_epsilon(*request); }; });
}

void add_noise(CLI::App& privacy, Action& action) {
  CLI::App* command = privacy.add_subcommand("noise", "The smallest noise with which exchanges stay within a budget");
  const auto request = std::make_shared<PrivacyRequest>();
  command->add_option("--epsilon", request->epsilon, "the budget for all exchanges together")->required();
  add_exchanges(*command, *request);
  add_rate(*command, *request);
  add_delta(*command, *request);
  add_format(*command, request->format);
  command->footer("Example:\n  driftless privacy noise --epsilon 2 --delta 1e-6 --exchanges 100");
  command->callback([&action, request] { action = [request] { return tell_noise(*request); }; });
}

void add_sum(CLI::App& privacy, Action& action) {
  CLI::App* command = privacy.add_subcommand("sum", "What sums give away to which each site adds discrete noise");
  const auto request = std::make_shared<PrivacyRequest>();
  command->add_option("--sites", request->sum.sites, "the sites whose noise is in a sum")->required()->type_name("N");
  command->add_option("--deviation", request->sum.deviation, "of the noise of one site, in units of the lattice")
      ->required();
  command->add_option("--sensitivity", request->sum.sensitivity, "norm of what one site adds, in units of the lattice")
      ->required();
  command->add_option("--dimension", request->sum.dimension, "the number of entries")
      ->capture_default_str()
      ->type_name("N");
  add_exchanges(*command, *request);
  add_delta(*command, *request);
  add_format(*command, request->format);
  command->footer("Example:\n  driftless privacy sum --sites 10 --deviation 400 --sensitivity 1000 --dimension 123");
  command->callback([&action, request] { action = [request] { return tell_sum(*request); }; });
}

}  // namespace

void declare_privacy(CLI::App& command, Action& action) {
  command.require_subcommand(0, 1);
  add_epsilon(command, action);
  add_noise(command, action);
  add_sum(command, action);
  command.footer("Example:\n  driftless privacy noise --epsilon 2 --exchanges 100");
  command.callback([&action, &command] {
    if (command.get_subcommands().empty()) action = show_help(command, "driftless");
  });
}

}  // namespace driftless::app
