"""The `coastal` command, one module a group of subcommands."""
