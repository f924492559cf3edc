"""What must not change, or may change in one direction only, when a board is changed."""
