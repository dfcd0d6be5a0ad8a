"""Pictures as ROS messages. Where cv_bridge is installed it is used elsewhere; this is the few encodings that we need.

Encodings and their meaning: sensor_msgs/image_encodings.hpp. Depth is `32FC1` metres, or `16UC1` millimetres (REP-118).
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from sensor_msgs.msg import CompressedImage, Image

from stbench_scoring.errors import StbenchError

# What image_transport's compressed plugin writes for a colour JPEG: pixel format; codec; order in the codec.
JPEG_FORMAT = "rgb8; jpeg compressed bgr8"
_LAYOUT: dict[str, tuple[Any, int]] = {
    "rgb8": (np.uint8, 3),
    "bgr8": (np.uint8, 3),
    "mono8": (np.uint8, 1),
    "16UC1": (np.uint16, 1),
    "32FC1": (np.float32, 1),
}


def to_array(message: Image) -> NDArray[Any]:
    """Reads an Image whose rows may be padded.

    Returns:
        (height, width, 3) uint8 in the message's own channel order, or (height, width) for one channel.

    Raises:
        StbenchError: Unknown encoding, `step` shorter than a row, or fewer bytes than `step` × `height`.
    """
    if message.encoding not in _LAYOUT:
        raise StbenchError(f"Image.encoding {message.encoding!r} is not read; use one of {', '.join(sorted(_LAYOUT))}")
    kind, channels = _LAYOUT[message.encoding]
    dtype = np.dtype(kind).newbyteorder(">" if message.is_bigendian else "<")
    row = message.width * channels * dtype.itemsize
    if message.step < row:
        raise StbenchError(f"Image.step is {message.step}, but a row of {message.width} {message.encoding} takes {row}")
    data = np.frombuffer(message.data, np.uint8)
    if data.size < message.step * message.height:
        raise StbenchError(
            f"Image.data holds {data.size} bytes, but step {message.step} × height {message.height} "
            f"takes {message.step * message.height}"
        )
    rows = data[: message.step * message.height].reshape(message.height, message.step)[:, :row]
    picture = np.ascontiguousarray(rows).view(dtype).astype(kind, copy=False)
    shape = (message.height, message.width, channels) if channels > 1 else (message.height, message.width)
    return picture.reshape(shape)


def to_image(picture: NDArray[Any], encoding: str) -> Image:
    """Makes an Image with unpadded rows (`step` = width × bytes a pixel); the header is left to the caller."""
    kind, channels = _LAYOUT[encoding]
    little = np.ascontiguousarray(picture, dtype=np.dtype(kind).newbyteorder("<"))
    message = Image(height=picture.shape[0], width=picture.shape[1], encoding=encoding, is_bigendian=0)
    message.step = picture.shape[1] * channels * np.dtype(kind).itemsize
    message.data = little.tobytes()  # bytes, not a list: a list takes a thousand times longer
    return message


def to_compressed(jpeg: bytes) -> CompressedImage:
    """Wraps a JPEG's own bytes; nothing is re-encoded."""
    return CompressedImage(format=JPEG_FORMAT, data=jpeg)


def decode_rgb(data: bytes) -> NDArray[np.uint8]:
    """Decodes a JPEG or PNG by its content, whatever a `format` text said, to (height, width, 3) RGB.

    Raises:
        StbenchError: The bytes are no picture.
    """
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if picture is None:
        raise StbenchError(f"CompressedImage.data is no JPEG or PNG ({len(data)} bytes)")
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def depth_to_image(png: bytes, depth_unit_m: float) -> Image:
    """A release's 16-bit depth PNG as an Image.

    `16UC1` where the unit is 1 mm, as that encoding means millimetres; else `32FC1` metres. 0 stays 0: nothing there.
    """
    raw = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED) if png else None
    if raw is None or raw.dtype != np.uint16 or raw.ndim != 2:
        raise StbenchError("the depth picture is no 16-bit, one-channel PNG")
    if depth_unit_m == 0.001:
        return to_image(raw, "16UC1")
    return to_image(raw.astype(np.float32) * np.float32(depth_unit_m), "32FC1")
