"""What leaves the product: bundles to send, sheets to build from, meshes to print, boards for other programs."""
