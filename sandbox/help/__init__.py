"""For a stranger's first hour: what this machine has, a scene to begin with, schemas for editors."""
