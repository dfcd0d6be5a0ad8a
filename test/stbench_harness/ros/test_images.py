"""Pictures as messages: padding, channel order, byte order, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="no ROS 2 here")

import cv2
from sensor_msgs.msg import Image

from stbench_harness.ros.images import decode_rgb, depth_to_image, to_array, to_compressed, to_image
from stbench_scoring.errors import StbenchError


def padded(picture: np.ndarray, step: int, encoding: str) -> Image:
    height = picture.shape[0]
    row = picture.reshape(height, -1).view(np.uint8)
    rows = np.full((height, step), 0xEE, np.uint8)
    rows[:, : row.shape[1]] = row
    return Image(height=height, width=picture.shape[1], encoding=encoding, step=step, data=rows.tobytes())


def test_padded_rgb_rows_come_out_pixel_exact() -> None:
    picture = np.arange(480 * 639 * 3, dtype=np.uint32).astype(np.uint8).reshape(480, 639, 3)
    assert np.array_equal(to_array(padded(picture, 1920, "rgb8")), picture)


def test_padded_mono_rows_come_out_pixel_exact() -> None:
    picture = np.arange(7 * 5, dtype=np.uint8).reshape(7, 5)
    assert np.array_equal(to_array(padded(picture, 6, "mono8")), picture)


def test_big_endian_depth() -> None:
    millimetres = np.array([[1, 256], [4660, 65535]], np.uint16)
    message = Image(height=2, width=2, encoding="16UC1", step=4, is_bigendian=1, data=millimetres.astype(">u2").tobytes())
    assert np.array_equal(to_array(message), millimetres)


@pytest.mark.parametrize(
    ("step", "size", "named"),
    [(1916, 1916 * 4, "Image.step is 1916"), (1920, 1920 * 4 - 1, "Image.data holds 7679 bytes")],
)
def test_short_rows_and_short_data_are_refused(step: int, size: int, named: str) -> None:
    message = Image(height=4, width=639, encoding="rgb8", step=step, data=bytes(size))
    with pytest.raises(StbenchError, match=named):
        to_array(message)


def test_unknown_encoding_is_refused() -> None:
    with pytest.raises(StbenchError, match="yuv422"):
        to_array(Image(height=1, width=1, encoding="yuv422", step=2, data=bytes(2)))


@pytest.mark.parametrize(("encoding", "channels", "size"), [("rgb8", 3, 1), ("16UC1", 1, 2), ("32FC1", 1, 4)])
def test_we_publish_rows_without_padding(encoding: str, channels: int, size: int) -> None:
    shape = (4, 639, 3) if channels == 3 else (4, 639)
    message = to_image(np.ones(shape), encoding)
    assert message.step == 639 * channels * size
    assert len(message.data) == message.step * 4
    assert np.array_equal(to_array(message), np.ones(shape))


def test_red_stays_red_and_grey_becomes_three_equal_channels() -> None:
    red = np.zeros((16, 16, 3), np.uint8)
    red[..., 2] = 255  # OpenCV writes blue, green, red
    decoded = decode_rgb(cv2.imencode(".jpg", red)[1].tobytes())
    assert decoded[8, 8, 0] > 240 and decoded[8, 8, 1] < 15 and decoded[8, 8, 2] < 15
    grey = decode_rgb(cv2.imencode(".jpg", np.full((16, 16), 90, np.uint8))[1].tobytes())
    assert grey.shape == (16, 16, 3)
    assert np.array_equal(grey[..., 0], grey[..., 2])


def test_a_png_is_read_by_its_content() -> None:
    picture = np.full((4, 4, 3), (1, 2, 3), np.uint8)
    assert tuple(decode_rgb(cv2.imencode(".png", picture)[1].tobytes())[0, 0]) == (3, 2, 1)


def test_the_jpeg_bytes_are_the_releases_own() -> None:
    assert bytes(to_compressed(b"\xff\xd8abc").data) == b"\xff\xd8abc"


@pytest.mark.parametrize("data", [b"", b"not a picture"])
def test_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(StbenchError, match="no JPEG or PNG"):
        decode_rgb(data)


def test_depth_in_millimetres_and_in_other_units() -> None:
    raw = np.array([[0, 1500], [2, 65535]], np.uint16)
    png = cv2.imencode(".png", raw)[1].tobytes()
    millimetres = depth_to_image(png, 0.001)
    assert millimetres.encoding == "16UC1" and np.array_equal(to_array(millimetres), raw)
    coarse = depth_to_image(png, 0.002)  # 65,535 units of 2 mm are 131.07 m, past what 16UC1 can say
    assert coarse.encoding == "32FC1"
    assert np.allclose(to_array(coarse), [[0.0, 3.0], [0.004, 131.07]])


def test_a_depth_picture_of_eight_bits_is_refused() -> None:
    png = cv2.imencode(".png", np.zeros((2, 2), np.uint8))[1].tobytes()
    with pytest.raises(StbenchError, match="16-bit"):
        depth_to_image(png, 0.001)
