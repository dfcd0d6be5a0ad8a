"""The commands compile and validate, as a person calls them."""

from __future__ import annotations

from click.testing import CliRunner

from stbench_scoring.cli import compile, validate


def test_compile_then_validate_then_a_broken_file(synthetic, tmp_path):
    synthetic.write_script(tmp_path)
    runner = CliRunner()
    compiled = runner.invoke(compile, [str(tmp_path), "--name", "tiny"])
    assert compiled.exit_code == 0 and "1 scripts, 3 cases" in compiled.output
    sound = runner.invoke(validate, [str(tmp_path)])
    assert sound.exit_code == 0 and "sound" in sound.output
    (tmp_path / "scripts" / synthetic.SID / "sensors" / "rgb" / "000003.jpg").unlink()
    broken = runner.invoke(validate, [str(tmp_path)])
    assert broken.exit_code == 1 and "000003.jpg: file: missing" in broken.output
