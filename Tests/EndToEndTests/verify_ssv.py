"""Verifies a reward callback by Google's published rules, knowing nothing of Weir.

usage: verify_ssv.py openssl|cryptography KEYS_FILE URL
exit:  0 genuine, 1 not, 77 the verifier is not installed
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

tool, keys_file, url = sys.argv[1:]
query = url.split("?", 1)[1]
signed, tail = query.rsplit("&signature=", 1)
signature_text, key_id = tail.split("&key_id=")
text = urllib.parse.unquote(signed).encode()
signature = base64.urlsafe_b64decode(signature_text + "=" * (-len(signature_text) % 4))
with open(keys_file) as file:
    key = next((k for k in json.load(file)["keys"] if k["keyId"] == int(key_id)), None)
if key is None:
    sys.exit(1)

if tool == "cryptography":
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError:
        sys.exit(77)
    public = serialization.load_pem_public_key(key["pem"].encode())
    if public.public_numbers() != serialization.load_der_public_key(base64.b64decode(key["base64"])).public_numbers():
        sys.exit("pem and base64 are different keys")
    try:
        public.verify(signature, text, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        sys.exit(1)
else:
    if shutil.which("openssl") is None:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("key.pem", "signature", "text")]
        for path, content in zip(paths, (key["pem"].encode(), signature, text)):
            with open(path, "wb") as file:
                file.write(content)
        command = ["openssl", "dgst", "-sha256", "-verify", paths[0], "-signature", paths[1], paths[2]]
        sys.exit(0 if subprocess.run(command, capture_output=True).returncode == 0 else 1)
