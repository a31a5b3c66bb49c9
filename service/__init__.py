"""The shell: the `coastal` command and its settings."""
