"""A bot that plays a character: it attacks the nearest enemy that it can, else ends its turn, and answers as usual.

    python examples/bot.py http://127.0.0.1:8000 FIGHT TOKEN
"""
import json
import sys
import urllib.request

BASE, FIGHT, TOKEN = sys.argv[1].rstrip("/"), sys.argv[2], sys.argv[3]


def call(path, body=None):
    request = urllib.request.Request(f"{BASE}/api/fights/{FIGHT}{path}", body and json.dumps(body).encode())
    request.add_header("Authorization", f"Bearer {TOKEN}")
    request.add_header("Content-Type", "application/json")
    try:
        return json.load(urllib.request.urlopen(request, timeout=30))
    except urllib.error.HTTPError as wrong:  # refused, or somebody else was quicker: look again
        print("refused:", json.load(wrong)["message"])


def act(fight):
    for asked in fight["requests"]:
        return call("/answers", {"n": asked["n"], "usual": True, "seen": fight["version"]})
    for who in [who for who in fight["up"] if who in fight["you"]["own"] and not fight["busy"]]:
        for verb in ("attack", "end"):
            for offer in call(f"/offers?who={urllib.request.quote(who)}") or []:
                if offer["verb"] == verb and not offer["refused"]:
                    named = {f["name"]: f["default"] for f in offer["fields"] if f["default"] is not None}
                    order = {"do": verb, "by": who, **named}
                    if call("/orders", {"order": order, "seen": fight["version"]}):
                        return print(who, verb)


request = urllib.request.Request(f"{BASE}/api/fights/{FIGHT}/stream", headers={"Authorization": f"Bearer {TOKEN}"})
name = ""
for line in urllib.request.urlopen(request):
    name = line[7:].strip().decode() if line.startswith(b"event: ") else name
    if line.startswith(b"data: ") and name == "fight":
        act(json.loads(line[6:]))
