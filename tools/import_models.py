"""Makes stbench_world/models/ from the Debian package sweethome3d-furniture (1.8-1).

    apt-get download sweethome3d-furniture && dpkg -x sweethome3d-furniture_*.deb unpacked
    python tools/import_models.py unpacked/usr/share/sweethome3d/furniture stbench_world/models

Each model becomes one compressed .npz (vertices, faces, uv, face materials) and its textures small .jpg files.
Faces that repeat another one's corners (in either order) are dropped: doubled faces fight in the renderer.
Needs Pillow besides numpy.
"""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image

TEXTURE_PX = 512

MODELS = {
    "woman_casual": ("KatorLegaz.sh3f", "katorlegaz/female-01-casual-clothing/female-01-casual-clothing.obj", 1.70),
    "man_casual": ("Reallusion.sh3f", "reallusion/male03/male03.obj", 1.84),
}
"""Name → (catalogue, model in it, height in metres)."""


def main(catalogues: Path, out: Path) -> None:
    """Writes every model of `MODELS`."""
    out.mkdir(parents=True, exist_ok=True)
    for name, (catalogue, path, height_m) in MODELS.items():
        with zipfile.ZipFile(catalogues / catalogue) as archive:
            count = convert(archive, path, name, height_m, out)
        print(f"{name}: {count} triangles")


def convert(archive: zipfile.ZipFile, path: str, name: str, height_m: float, out: Path) -> int:
    """Writes one model; returns its triangle count."""
    text = archive.read(path).decode("latin1")
    vertices, uvs, corners, materials, names = _read_obj(text)
    keep = _first_of_each(corners[:, :, 0])
    corners, materials = corners[keep], materials[keep]
    used, faces = np.unique(corners[:, :, 0], return_inverse=True)
    placed = vertices[used][:, [2, 0, 1]]  # the catalogue's y is up and z towards the viewer: here z up, front +x
    placed -= (placed.min(0) + placed.max(0)) / 2
    placed *= height_m / np.ptp(placed[:, 2])
    placed[:, 2] -= placed[:, 2].min()
    folder = Path(path).parent.as_posix()
    library = _materials(archive, folder, archive.read(f"{path[:-4]}.mtl").decode("latin1"), name, out)
    np.savez_compressed(
        out / f"{name}.npz",
        vertices=placed.astype(np.float32),
        faces=faces.reshape(-1, 3).astype(np.int32),
        uv=uvs[corners[:, :, 1]].astype(np.float16),
        face_material=materials.astype(np.int16),
        materials=np.array([library[n] for n in names]),
    )
    return len(corners)


def _first_of_each(faces: np.ndarray) -> np.ndarray:
    """Indices of the faces whose corner set has not come before, degenerate ones left out."""
    key = np.sort(faces, axis=1)
    _, first = np.unique(key, axis=0, return_index=True)
    first = np.sort(first)
    k = key[first]
    return first[(k[:, 0] != k[:, 1]) & (k[:, 1] != k[:, 2])]


def _read_obj(text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[str]]:
    v: list[list[float]] = []
    vt: list[list[float]] = [[0.0, 0.0]]
    corners: list[list[tuple[int, int]]] = []
    materials: list[int] = []
    names: list[str] = []
    current = 0
    for line in text.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "v":
            v.append([float(x) for x in rest.split()[:3]])
        elif word == "vt":
            vt.append([float(x) for x in rest.split()[:2]])
        elif word == "usemtl":
            if rest.strip() not in names:
                names.append(rest.strip())
            current = names.index(rest.strip())
        elif word == "f":
            loop = [_corner(item) for item in rest.split()]
            for n in range(1, len(loop) - 1):
                corners.append([loop[0], loop[n], loop[n + 1]])
                materials.append(current)
    return np.array(v), np.array(vt), np.array(corners), np.array(materials), names


def _corner(item: str) -> tuple[int, int]:
    parts = item.split("/")
    return int(parts[0]) - 1, int(parts[1]) if len(parts) > 1 and parts[1] else 0


def _materials(archive: zipfile.ZipFile, folder: str, mtl: str, name: str, out: Path) -> dict[str, str]:
    """Material of the catalogue → name in the library: `image/FILE` where it has a texture, else `matte#rrggbb`."""
    library: dict[str, str] = {}
    current = ""
    for line in mtl.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "newmtl":
            current = rest.strip()
            library[current] = "matte#808080"
        elif word == "Kd" and not library[current].startswith("image/"):
            red, green, blue = (round(255 * float(x)) for x in rest.split()[:3])
            library[current] = f"matte#{red:02x}{green:02x}{blue:02x}"
        elif word == "map_Kd":
            image = Image.open(io.BytesIO(archive.read(f"{folder}/{rest.strip()}"))).convert("RGB")
            image.thumbnail((TEXTURE_PX, TEXTURE_PX))
            image.save(out / f"{name}_{current}.jpg", quality=85)
            library[current] = f"image/{name}_{current}.jpg"
    return library


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
