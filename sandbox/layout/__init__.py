"""Boards judged: what a layout is like to play on, and pictures of it. A reader of everything upstream."""
