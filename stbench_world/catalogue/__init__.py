"""Furniture, household things and building parts as closed triangle meshes, made by parametric code.

Every function returns a `Model`: a mesh whose origin is on the floor below its middle, z up, front towards +x,
with the top surfaces on which things can be put down. Materials are names of the library in `render/`:
`kind`, optionally `:axis` (the grain's direction for wood) and `@slot` (a colour that the thing chooses) or
`#rrggbb` (a fixed sRGB colour), e.g. `oak:y`, `ceramic@body`, `plastic#202020`.
"""
