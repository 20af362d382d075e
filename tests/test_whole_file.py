"""Files are written whole, or stay as they were."""

import os
import stat

import pytest

from ostrya._whole_file import write_whole


def test_a_new_file_has_the_usual_permissions(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    write_whole(tmp_path / "new", b"content")
    assert (tmp_path / "new").read_bytes() == b"content"
    modes = [os.stat(tmp_path / name).st_mode for name in ("plain", "new")]
    assert modes[0] == modes[1]


def test_a_replaced_file_keeps_its_permissions_and_links_to_it(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"before")
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, b"after")
    assert link.is_symlink()
    assert path.read_bytes() == b"after"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    path.write_bytes(b"before")

    def is_full(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", is_full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole(path, b"after")
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["model.json"]


def test_a_device_is_written_in_place():
    write_whole(os.devnull, b"content")
    assert not stat.S_ISREG(os.stat(os.devnull).st_mode)


def test_a_folder_that_takes_no_new_files_does_not_hinder(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    path.write_bytes(b"before")

    def refuse(*arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    write_whole(path, b"after")
    assert path.read_bytes() == b"after"


@pytest.mark.skipif(
    getattr(os, "geteuid", int)() == 0, reason="nothing is protected from root"
)
def test_a_protected_file_is_not_replaced(tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(b"before")
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"
