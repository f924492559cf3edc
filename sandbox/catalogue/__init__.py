"""Many builds at once: checked by several processes or a cluster, kept by content, told on one page."""
