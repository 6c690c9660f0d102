// Why the server does not let a site take part, or ends its connection.
#pragma once

#include "driftless/core/error.hpp"

namespace driftless {

class Rejection : public Error {
 public:
  Rejection(ErrorKind kind, ErrorInfo info, bool later = false) : Error(kind, std::move(info)), later_(later) {}

  bool later() const { return later_; }  // asking again in a while may help

 private:
  bool later_;
};

}  // namespace driftless
