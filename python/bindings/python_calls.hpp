// The calls of Python code that are under way in threads of runs. Ctrl-C reaches Python's main thread alone; where it
// ends a run, it must end these calls too, however long they would take.
#pragma once

namespace driftless::python {

// With the interpreter's lock held, while Python code of a user runs in this thread.
class PythonCall {
 public:
  PythonCall();
  ~PythonCall();
  PythonCall(const PythonCall&) = delete;
  PythonCall& operator=(const PythonCall&) = delete;
};

// With the lock held: raises KeyboardInterrupt in each of them.
void interrupt_python_calls();

}  // namespace driftless::python
