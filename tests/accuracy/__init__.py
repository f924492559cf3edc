"""Costs of whole questions against oracles that share nothing with the sandbox."""
