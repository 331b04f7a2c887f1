"""HTTPS by the server itself: a certificate and its key, and what can be wrong with them."""

import shutil
import ssl
import threading
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
import uvicorn

from nought.cli.serve import serve
from nought.errors import NoughtError
from nought.server.http.common import Common
from nought.server.run import check_certificate, configured, listen
from nought.server.settings import Settings
from tests.support.programs import run_program, until
from tests.support.skips import OPENSSL

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason=OPENSSL)
KIND = ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory) -> Path:
    """A folder with two certificates for this machine, a and b, their keys, and a's key locked by a password."""
    folder = tmp_path_factory.mktemp("pairs")
    for name in "ab":
        make = ["openssl", "req", "-x509", "-newkey", *KIND, "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        make += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{name}.key", "-out", f"{name}.pem"]
        assert run_program(make, cwd=folder).returncode == 0
    lock = ["openssl", "pkey", "-in", "a.key", "-aes256", "-passout", "pass:secret", "-out", "locked.key"]
    assert run_program(lock, cwd=folder).returncode == 0
    return folder


async def hello(scope, receive, send) -> None:
    """An application that says how it was asked."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["scheme"].encode()})


def test_a_server_with_a_certificate_answers_whoever_trusts_it(pairs: Path) -> None:
    settings = replace(Settings(), certificate=pairs / "a.pem", key=pairs / "a.key")
    check_certificate(settings)
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(configured(settings, Common.alone(settings), hello))
    server.config.lifespan = "off"
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        until(lambda: server.started, 30)
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        trusting = ssl.create_default_context(cafile=pairs / "a.pem")
        with urllib.request.urlopen(f"https://{address}/", timeout=30, context=trusting) as answer:
            assert answer.read() == b"https"
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            urllib.request.urlopen(f"https://{address}/", timeout=30)
        with pytest.raises(OSError, match=r"closed|reset"):  # nothing is said without encryption
            urllib.request.urlopen(f"http://{address}/", timeout=30)
    finally:
        server.should_exit = True
        thread.join(30)


@pytest.mark.parametrize(
    ("certificate", "key", "why"),
    [
        ("a.pem", None, "needs both"),
        (None, "a.key", "needs both"),
        ("a.pem", "b.key", "b.key is not the key of the certificate"),
        ("a.pem", "nothing.key", "nothing.key cannot be read"),
        ("a.pem", ".", "cannot be read"),
        ("a.key", "a.pem", "in PEM"),
        ("a.pem", "locked.key", "locked by a password"),
    ],
)
def test_a_pair_that_is_none(pairs: Path, certificate: str | None, key: str | None, why: str) -> None:
    files = [pairs / name if name else None for name in (certificate, key)]
    with pytest.raises(NoughtError, match=why):
        check_certificate(Settings(certificate=files[0], key=files[1]))


def test_a_key_that_others_own(pairs: Path, monkeypatch) -> None:
    """Whoever runs the tests may be allowed everything, so that the system's answer is made up."""

    def refuse(self: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(NoughtError, match="cannot be read: Permission denied"):
        check_certificate(Settings(certificate=pairs / "a.pem", key=pairs / "a.key"))


def test_the_command_line_says_it_before_anything_starts(pairs: Path) -> None:
    with pytest.raises(NoughtError, match="is not the key"):
        serve(
            port=0, browser=False, certificate=pairs / "a.pem", key=pairs / "b.key", database="nonsense://x"
        )
