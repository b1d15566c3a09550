"""The agents: one graph node per file, each returns only the keys of the state that it changed."""
