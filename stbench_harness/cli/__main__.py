"""`python -m stbench_harness.cli`."""

from stbench_harness.cli.main import main

main()
