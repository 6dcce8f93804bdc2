"""Makes a Python process count the executions of its blocks.

Python imports this module at its start, because its folder is first in `PYTHONPATH`. It continues with the user's own
`sitecustomize`, and leaves neither its folder in `sys.path` nor the modules of that folder in `sys.modules`.

A module below the root is compiled from its source, with counters, each time. No compiled file is read or written for
it. The program's script is not imported: Python runs a path on which it finds an importer as it runs an archive, and
this module's importer stands in for the script.
"""

import sys

FOLDER = __file__.rpartition("/")[0]
# Python leaves out frames with this name where it shows an error of an import.
NAME = "<frozen importlib._bootstrap_external>"


def loaded(name):
    """Returns a module of this folder, which stays out of `sys.modules`."""
    module = type(sys)(name)
    with open("%s/%s.py" % (FOLDER, name), "rb") as source:
        exec(compile(source.read(), NAME, "exec", dont_inherit=True), module.__dict__)
    return module


def start():
    """Starts to count."""
    sys.modules["trend_prof_blocks"] = loaded("trend_prof_blocks")
    try:
        loaded("trend_prof_process").start(FOLDER)
    finally:
        del sys.modules["trend_prof_blocks"]


def continue_with_users():
    """Imports the user's `sitecustomize`, which Python would have imported. Without one, this module stays."""
    own = sys.modules.pop("sitecustomize")
    try:
        import sitecustomize
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault("sitecustomize", own)


sys.path.remove(FOLDER)
try:
    start()
finally:
    continue_with_users()
