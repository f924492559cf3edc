"""Terrain: mesh files and shapes in; welded, oriented, placed and measured triangles out (`build.build_terrain`)."""
