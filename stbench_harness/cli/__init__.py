"""The command `stbench`. Each subcommand is imported only when it is called, so that `--help` answers at once."""
