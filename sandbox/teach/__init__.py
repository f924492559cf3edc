"""Teaching: one move explained, lessons that the engine answers, and readers of both. It decides nothing."""
