"""The server: the configuration of the federation, and what is done with its result."""

from flwr.app import Context
from flwr.serverapp import Grid, ServerApp

from driftless.flower import serve

METHODS = {
    "auto": {},
    "fedavg": {"step": 0.5, "local_steps": 5},
    "dane+-gd": {"lambda": 0.2, "eta": 2.0, "local_steps": 5},
    "newton-cg": {},
}

app = ServerApp()


@app.main()
def main(grid: Grid, context: Context) -> None:
    """Runs the federation and shows what it found."""
    asked = context.run_config
    sites = str(asked["sites"]).split(",")
    method = str(asked["method"])
    config = {
        "problem": {"kind": "own", "dim": asked["dim"]},
        "federation": {"clients": len(sites)},
        "network": {"sites": sites, "grace": 600},
        "method": [{"name": method, **METHODS[method]}],
        "stop": {"rounds": asked["rounds"], "grad_norm": 1e-9},
    }
    run = serve(grid, context, config, name=str(asked["name"]) or None, folder=str(asked["folder"]),
                tls=str(asked["tls"]) or None)
    print(run.table.to_string())
    print("the model is in", run.directory)
