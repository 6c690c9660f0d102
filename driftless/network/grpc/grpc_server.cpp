#include "driftless/network/grpc/grpc_server.hpp"

#include "driftless/network/grpc/grpc_log.hpp"
#include "driftless/network/grpc/grpc_service.hpp"
#include "driftless/network/grpc/link_limits.hpp"
#include "driftless/network/hub/listener.hpp"

#include <atomic>
#include <grpcpp/resource_quota.h>
#include <system_error>
#include <thread>
#include <vector>

namespace driftless {
namespace {

std::shared_ptr<grpc::ServerCredentials> credentials_of(const std::optional<TlsTexts>& tls) {
  if (!tls) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = tls->authority;
  options.pem_key_cert_pairs.push_back({tls->key, tls->certificate});
  return grpc::SslServerCredentials(options);
}

// gRPC aborts or hangs where it cannot start a thread, so this is tried beforehand. The allocator reserves memory for
// each thread that allocates, which counts against limits as stacks do: so each thread allocates before the next one
// starts.
void require_threads(std::size_t sites) {
  const std::size_t needed = 8 + 4 * sites;
  std::vector<std::thread> threads;
  std::atomic<std::size_t> started{0};
  std::atomic<bool> may_end{false};
  std::string fault;
  try {
    for (std::size_t t = 0; t < needed; ++t) {
      threads.emplace_back([&] {
        const std::vector<char> own(1000);
        ++started;
        started.notify_one();
        may_end.wait(false);
      });
      started.wait(t);
    }
  } catch (const std::system_error& error) { fault = error.what(); }
  may_end = true;
  may_end.notify_all();
  for (std::thread& thread : threads) thread.join();
  if (fault.empty()) return;
  throw ConfigError({.what = "this process may start too few threads for so many sites",
                     .seen = std::to_string(threads.size()) + " of " + std::to_string(needed) + " threads, " +
                             std::to_string(sites) + " sites: " + fault,
                     .advice = "allow it more memory and threads, as with 'ulimit -v' and 'ulimit -u'"});
}

void set_limits(grpc::ServerBuilder& builder, std::size_t sites, double latency) {
  constexpr std::size_t memory_of_a_site = std::size_t{64} << 20;
  constexpr int streams_of_a_connection = 8;
  grpc::ResourceQuota quota("driftless");  // for all peers together, however many streams they open
  quota.SetMaxThreads(static_cast<int>(32 + 6 * sites));
  quota.Resize((sites + 4) * memory_of_a_site);
  builder.SetResourceQuota(quota);
  builder.SetMaxReceiveMessageSize(detail::most_message_bytes);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, streams_of_a_connection);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, 16 << 10);
  detail::set_limits_of_link(latency, [&](const char* name, int value) { builder.AddChannelArgument(name, value); });
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, detail::keepalive_ms(0.0) / 2);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, detail::handshake_ms(10.0, latency));
}

}  // namespace

struct GrpcServer::Running {
  GrpcServerOptions options;
  std::unique_ptr<Listener> listener;
  detail::GrpcService service;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor;
  std::unique_ptr<grpc::Server> server;

  Running(Hub& hub, GrpcServerOptions given)
      : options(std::move(given)), service(hub, options, [this](const std::string& peer, const std::string& site) {
          listener->keep(peer, site);
        }) {}

  void start(std::size_t sites);
};

void GrpcServer::Running::start(std::size_t sites) {
  listener = std::make_unique<Listener>(
      ListenerOptions{.address = options.address,
                      .most_strangers = prepare_descriptors(sites),
                      .on_connection =
                          [this](int listening, int connection) {
                            grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters parameters;
                            parameters.listener_fd = listening;
                            parameters.fd = connection;
                            acceptor->HandleNewConnection(&parameters);
                          },
                      .on_event = options.on_event});
  grpc::ServerBuilder builder;
  acceptor = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, credentials_of(options.tls));
  builder.RegisterService(&service);
  set_limits(builder, sites, options.latency);
  server = builder.BuildAndStart();
  if (server == nullptr)
    throw TransportError({.what = "the server cannot start",
                          .seen = options.address,
                          .advice = "make sure that certificate and key are right"});
  listener->start();
}

GrpcServer::GrpcServer(Hub& hub, GrpcServerOptions options) {
  detail::quiet_grpc_log();
  require_threads(hub.slots().size());
  running_ = std::make_unique<Running>(hub, std::move(options));
  running_->start(hub.slots().size());
}

GrpcServer::~GrpcServer() {
  running_->service.wait_for_streams(std::chrono::milliseconds(detail::milliseconds(3.0 + running_->options.latency)));
  running_->listener->stop();  // but not destroyed: a site may be joining at this moment
  running_->server->Shutdown(std::chrono::system_clock::now());
  running_->server->Wait();
}

int GrpcServer::port() const { return running_->listener->port(); }

}  // namespace driftless
