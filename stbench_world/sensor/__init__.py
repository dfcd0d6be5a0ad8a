"""The exact sensor: rays through the meshes that the renderer shows."""
