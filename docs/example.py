"""Uploads a genotype and a phenotype file, trains a model of one trait, runs its GWAS and saves the results.

    export HETEROSIS_URL=http://127.0.0.1:3000 HETEROSIS_TOKEN=hx_...
    python3 example.py PROJECT_ID genotypes.vcf.gz phenotypes.csv Yield

Python 3.8 or newer, nothing to install. Start it again after a break: the upload goes on where it ended.
"""

import hashlib
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ["HETEROSIS_URL"].rstrip("/")
TOKEN = os.environ["HETEROSIS_TOKEN"]


def send(method, url, body=None, headers=None):
    """Returns the answer's bytes; waits when the server asks for it, and ends with its sentence when it refuses."""
    while True:
        request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code in (429, 503):
                time.sleep(int(error.headers.get("Retry-After", 5)))
                continue
            sys.exit(f"{method} {url.split('?')[0]}: {error.code} {json.load(error).get('detail')}")


def call(method, path, body=None):
    headers = {"authorization": f"Bearer {TOKEN}"}
    if body is not None:
        headers["content-type"] = "application/json"
    answer = send(method, URL + "/api" + path, None if body is None else json.dumps(body).encode(), headers)
    return json.loads(answer) if answer else None


def pages(path):
    """All rows of a list."""
    cursor = ""
    while cursor is not None:
        page = call("GET", f"{path}{'&' if '?' in path else '?'}limit=500{cursor and '&cursor=' + cursor}")
        yield from page["data"]
        cursor = page["next_cursor"]


def upload(project, path, file_type):
    """Sends a file in parts and returns its id once it has been checked."""
    name, size = os.path.basename(path), os.path.getsize(path)
    fingerprint = f"{name} {size} {os.path.getmtime(path)}"
    begun = [one["id"] for one in pages(f"{project}/uploads") if one["fingerprint"] == fingerprint]
    if begun:
        upload_id = begun[0]
    else:
        link = {"name": name, "file_type": file_type, "size_bytes": size, "fingerprint": fingerprint}
        upload_id = call("POST", f"{project}/files/upload_link", link)["file_id"]
    state = call("GET", f"{project}/uploads/{upload_id}")
    arrived = {part["number"] for part in state["parts"]}
    sha256 = hashlib.sha256()
    with open(path, "rb") as file:
        for number in range(1, -(-size // state["part_bytes"]) + 1):
            part = file.read(state["part_bytes"])
            sha256.update(part)
            if number not in arrived:
                (link,) = call("POST", f"{project}/uploads/{upload_id}/parts", {"numbers": [number]})["data"]
                send("PUT", link["put_url"], part, {"content-type": "application/octet-stream"})
    body = {"name": name, "file_id": upload_id, "file_type": file_type, "sha256": sha256.hexdigest()}
    file_id = call("POST", f"{project}/files", body)["id"]

    checked = wait(f"{project}/files/{file_id}", lambda file: file["status"] not in ("UPLOADED", "CHECKING"))
    for problem in pages(f"{project}/files/{file_id}/problems"):
        line = "" if problem["line"] is None else f", line {problem['line']}"
        print(f"{name}{line}: {problem['severity']}: {problem['message']}")
    if checked["status"] == "INVALID":
        sys.exit(f"{name} cannot be used.")
    return file_id


def wait(path, has_ended):
    """Asks until it is so."""
    while True:
        answer = call("GET", path)
        if has_ended(answer):
            return answer
        time.sleep(1)


def download(url, name):
    """Signed addresses need no token."""
    with open(name, "wb") as file:
        file.write(send("GET", url))
    print(f"{name} is written")


def main(project_id, genotype, phenotype, trait):
    project = f"/projects/{project_id}"
    inputs = {
        "genotype_id": upload(project, genotype, "GENOTYPE"),
        "phenotype_id": upload(project, phenotype, "PHENOTYPE"),
    }
    match = call("POST", f"{project}/match", inputs)
    print(f"{match['both']} individuals are in both files, {match['only_right']} have no genotype")

    run = {**inputs, "name": f"{trait} {time.strftime('%Y-%m-%d %H:%M')}", "traits": [trait]}
    model_id = call("POST", f"{project}/models", run)["id"]
    gwas_id = call("POST", f"{project}/gwas", {**run, "test": "WALD", "fixed": 3})["id"]

    model = wait(f"{project}/models/{model_id}", lambda one: one["status"][trait] in ("EVALUATED", "ERROR"))
    if model["status"][trait] == "ERROR":
        sys.exit(model["error_extras"][trait]["message"])
    evaluation = model["evaluation"][trait]
    print(f"predictive ability {evaluation['pearson_r']['mean']:.2f}, h2 {model['variance'][trait]['h2']:.2f}")
    if evaluation["accuracy"]:
        print(f"accuracy {evaluation['accuracy']['value']:.2f} (H2: {evaluation['accuracy']['basis']})")
    download(model["gebv_csv_urls"][trait], "gebv.csv")

    gwas = wait(f"{project}/gwas/{gwas_id}", lambda one: one["status"][trait] != "PROCESSING")
    if gwas["status"][trait] == "ERROR":
        sys.exit(gwas["error_extras"][trait]["message"])
    print(f"{gwas['summary'][trait]['hits']} hits, lambda {gwas['summary'][trait]['lambda']:.2f}")
    for hit in pages(f"{project}/gwas/{gwas_id}/results?trait={urllib.parse.quote(trait)}&max_p=1e-5"):
        print(f"{hit['id']} chromosome {hit['chr']} {hit['pos']:.0f} bp, p = {hit['p']:.2g}, {hit['beta']:+.2f} per copy of {hit['A2']}")
    download(gwas["result_urls"][trait], "gwas.csv")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
