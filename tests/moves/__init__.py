"""The moves room: what fighters may do, and how it is told."""
