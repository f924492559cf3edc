"""Readers of mesh files: bytes in, named nodes of triangles out, or one UserError that names file and reason."""
