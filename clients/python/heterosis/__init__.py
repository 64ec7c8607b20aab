"""Heterosis from Python: upload files, start runs, wait for them and fetch their results.

    from heterosis import Heterosis

    server = Heterosis("https://heterosis.example.org", "hx_...")  # or HETEROSIS_SERVER and HETEROSIS_TOKEN
    project = server.project("Maize 2026")
    panel = project.upload("panel.vcf.gz", "GENOTYPE")
    trials = project.upload("trials.csv", "PHENOTYPE")
    model = project.train("Yield 2026", panel, trials, ["Yield"])
    project.wait(model)
    project.download(model, "yield.zip")

Python 3.8 or newer; only `Project.frame` and `Project.frames` need pandas, and read large tables faster with pyarrow.
"""

import hashlib
import http.client
import itertools
import json
import os
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence

if TYPE_CHECKING:
    import pandas

__all__ = ["Heterosis", "HeterosisError", "Project"]

Row = Dict[str, Any]
Progress = Callable[[str, float], None]

ENDED = {"SUCCESS", "EVALUATED", "ERROR"}
POLL_SECONDS = 1.0
#: Silence after which a request is given up.
TIMEOUT_SECONDS = 120
BLOCK_BYTES = 1 << 20
#: Times that a download which broke off goes on without a byte having come.
TRIES = 5
TABLE_TYPES = {"parquet": "application/vnd.apache.parquet", "lines": "application/x-ndjson"}


class HeterosisError(Exception):
    """A refusal of the server, a file that cannot be used, or a run that has failed."""

    def __init__(self, code: str, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        #: Stable, for example `request/not-found`.
        self.code = code
        #: HTTP status of a refusal.
        self.status = status


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token must not follow a redirect to somebody else."""

    def redirect_request(self, *_args: Any, **_named: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


class Heterosis:
    """A server, and the access token by which it knows you."""

    def __init__(self, server: Optional[str] = None, token: Optional[str] = None) -> None:
        self.server = (server or os.environ.get("HETEROSIS_SERVER", "")).rstrip("/")
        self._token = token or os.environ.get("HETEROSIS_TOKEN", "")
        if self.server == "" or self._token == "":
            raise HeterosisError("client/no-token", "Give a server and a token, or set HETEROSIS_SERVER and HETEROSIS_TOKEN.")

    def call(self, method: str, path: str, body: Optional[Row] = None) -> Any:
        """Calls the API: `call("GET", "/projects")`. Returns the parsed answer; None where there is none."""
        headers = {"authorization": "Bearer " + self._token}
        if body is not None:
            headers["content-type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        with _open(method, self.server + "/api" + path, data, headers) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def rows(self, path: str, **query: str) -> Iterator[Row]:
        """All rows of a list, page by page."""
        cursor: Optional[str] = ""
        while cursor is not None:
            asked = {**query, "limit": "500", **({"cursor": cursor} if cursor else {})}
            page = self.call("GET", path + "?" + urllib.parse.urlencode(asked))
            yield from page["data"]
            cursor = page["next_cursor"]

    def projects(self) -> List[Row]:
        """The projects that you see."""
        return list(self.rows("/projects"))

    def project(self, name_or_id: str) -> "Project":
        """A project by its name or id."""
        return Project(self, _one_of(self.projects(), name_or_id, "project"))

    def save(self, path: str, target: str, accept: str = "*/*") -> None:
        """
        Saves what an address of the API answers; a broken download leaves no file. What the server sends by ranges goes
        on where it broke off.
        """
        headers = {"authorization": "Bearer " + self._token, "accept": accept}
        part = target + ".part"
        try:
            with open(part, "wb") as file:
                etag, tries = None, TRIES
                while tries > 0:
                    begun = file.tell()
                    going_on = {"range": "bytes=%d-" % begun, "if-range": etag} if etag and begun else {}
                    try:
                        with _open("GET", self.server + "/api" + path, None, {**headers, **going_on}) as answer:
                            if accept != "*/*" and answer.headers.get_content_type() != accept:
                                raise HeterosisError("client/no-table", "%s is no table." % path)
                            if answer.status != 206:
                                file.seek(0)
                                file.truncate()
                            etag, left = answer.headers.get("etag"), answer.headers.get("content-length")
                            end = None if left is None else file.tell() + int(left)
                            for block in iter(lambda: answer.read(BLOCK_BYTES), b""):
                                file.write(block)
                        if end is None or file.tell() >= end:
                            break
                    except (OSError, http.client.HTTPException):
                        if etag is None:
                            raise
                    tries = TRIES if file.tell() > begun else tries - 1
                else:
                    raise HeterosisError("client/connection", "The connection broke off %d times." % TRIES)
            os.replace(part, target)
        finally:
            if os.path.exists(part):
                os.remove(part)


class Project:
    """A project: its files and runs."""

    def __init__(self, server: Heterosis, row: Row) -> None:
        self.server = server
        self.row = row
        self.id: str = row["id"]
        self._path = "/projects/" + self.id

    def files(self) -> List[Row]:
        """The files of the project, in all its folders."""
        return list(self.server.rows(self._path + "/files"))

    def file(self, name_or_id: str) -> Row:
        """A file by its name or id."""
        return _one_of(self.files(), name_or_id, "file")

    def upload(self, path: str, file_type: str, name: Optional[str] = None, progress: Optional[Progress] = None) -> Row:
        """
        Sends a file and waits for its check. `file_type` is GENOTYPE, PHENOTYPE, CROSSING_TABLE, LINKAGE_MAP, PEDIGREE
        or GENES. After a break, call it again: what has arrived is not sent twice. Raises HeterosisError with the first
        problems when the file cannot be used.
        """
        name = name or os.path.basename(path)
        size = os.path.getsize(path)
        fingerprint = "%s %d %s" % (name, size, os.path.getmtime(path))
        begun = [one["id"] for one in self.server.rows(self._path + "/uploads") if one["fingerprint"] == fingerprint]
        if begun:
            upload_id = begun[0]
        else:
            link = {"name": name, "file_type": file_type, "size_bytes": size, "fingerprint": fingerprint}
            upload_id = self.server.call("POST", self._path + "/files/upload_link", link)["file_id"]
        address = "%s/uploads/%s" % (self._path, upload_id)
        state = self.server.call("GET", address)
        arrived = {part["number"] for part in state["parts"]}
        sha256, sent = hashlib.sha256(), 0
        with open(path, "rb") as file:
            for number in range(1, -(-size // state["part_bytes"]) + 1):
                part = file.read(state["part_bytes"])
                sha256.update(part)
                if number not in arrived:
                    (link,) = self.server.call("POST", address + "/parts", {"numbers": [number]})["data"]
                    _open("PUT", link["put_url"], part, {"content-type": "application/octet-stream"}).close()
                sent += len(part)
                if progress is not None:
                    progress(name, sent / size)
        body = {"name": name, "file_id": upload_id, "file_type": file_type, "sha256": sha256.hexdigest()}
        return self.checked(self.server.call("POST", self._path + "/files", body)["id"])

    def checked(self, file_id: str) -> Row:
        """Waits for the check of a file and returns it."""
        address = "%s/files/%s" % (self._path, file_id)
        while True:
            file = self.server.call("GET", address)
            if file["status"] == "INVALID":
                problems = self.server.call("GET", address + "/problems?limit=5")["data"]
                raise HeterosisError("client/invalid-file", "; ".join(_problem(one) for one in problems))
            if file["status"] not in ("UPLOADED", "CHECKING"):
                return file
            time.sleep(POLL_SECONDS)

    def start(self, kind: str, name: str, **fields: Any) -> Row:
        """
        Starts a run of a kind, named as in its address (`gwas`, `crossing_plans`), with the fields that the API's page
        lists. Files and runs may be given as their rows.
        """
        body = {key: value["id"] if key.endswith("_id") and isinstance(value, dict) else value for key, value in fields.items()}
        return {**self.server.call("POST", self._path + "/" + kind, {"name": name, **body}), "kind": kind}

    def train(self, name: str, genotype: Row, phenotype: Row, traits: Sequence[str], **fields: Any) -> Row:
        """Trains and evaluates a model for each trait."""
        return self.start("models", name, genotype_id=genotype, phenotype_id=phenotype, traits=list(traits), **fields)

    def predict(self, name: str, model: Row, genotype: Row, **fields: Any) -> Row:
        """Predicts the individuals of a genotype with a model."""
        return self.start("predictions", name, model_id=model, genotype_id=genotype, **fields)

    def gwas(self, name: str, genotype: Row, phenotype: Row, traits: Sequence[str], **fields: Any) -> Row:
        """Tests every marker for association with each trait."""
        return self.start("gwas", name, genotype_id=genotype, phenotype_id=phenotype, traits=list(traits), **fields)

    def cross(self, name: str, model: Row, genotype: Row, crossing_table: Row, **fields: Any) -> Row:
        """Predicts and simulates the progeny of the crosses of a table."""
        inputs = {"model_id": model, "genotype_id": genotype, "crossing_table_id": crossing_table}
        return self.start("crossing_simulations", name, **inputs, **fields)

    def read(self, run: Row) -> Row:
        """A run as it is now."""
        return {**self.server.call("GET", self._address(run)), "kind": run["kind"]}

    def wait(self, run: Row, timeout: Optional[float] = None, progress: Optional[Progress] = None) -> Row:
        """Waits for the end of a run. Raises HeterosisError when it, or one of its traits, has failed."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            now = self.read(run)
            states = list(now["status"].values()) if isinstance(now["status"], dict) else [now["status"]]
            if progress is not None:
                progress(now["name"], sum(one in ENDED for one in states) / max(1, len(states)))
            if _has_ended(now, states):
                break
            if deadline is not None and time.monotonic() > deadline:
                raise HeterosisError("client/timeout", "%s has not ended in %s seconds." % (now["name"], timeout))
            time.sleep(POLL_SECONDS)
        errors = now.get("error_extras") or {}
        failed = ["%s: %s" % (trait, _reason(one)) for trait, one in errors.items() if one is not None]
        if now.get("error_extra") is not None:
            failed.append(_reason(now["error_extra"]))
        if failed:
            raise HeterosisError("client/run-failed", "; ".join(failed))
        return now

    def results(self, run: Row, **query: str) -> Iterator[Row]:
        """The rows of the results of a run, page by page: `results(gwas, trait="Yield", max_p="1e-5")`."""
        return self.server.rows(self._address(run) + "/results", **query)

    def save_table(self, run: Row, target: str, table: str = "results", format: str = "parquet", **query: str) -> None:
        """
        Saves all rows of a table of a run as Apache Parquet or, with `format="lines"`, as lines of JSON. `table` is the
        end of its address: `results`, of models `gebv` and `effects`, of trial analyses `means`.
        """
        address = "%s/%s?%s" % (self._address(run), table, urllib.parse.urlencode(query))
        self.server.save(address, target, TABLE_TYPES[format])

    def frame(self, run: Row, table: str = "results", **query: str) -> "pandas.DataFrame":
        """
        All rows of a table as a data frame; needs pandas. Fields within fields are columns such as `gebv.Yield`.
        """
        frames = list(self.frames(run, table=table, **query))
        return _pandas().concat(frames, ignore_index=True) if frames else _pandas().DataFrame()

    def frames(
        self, run: Row, rows: int = 50_000, table: str = "results", **query: str
    ) -> "Iterator[pandas.DataFrame]":
        """
        The same as data frames of at most so many rows each, so that a large table need not fit into memory. With
        pyarrow it comes as Parquet.
        """
        pandas = _pandas()
        try:
            from pyarrow import parquet
        except ImportError:
            parquet = None
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "table")
            self.save_table(run, path, table, "lines" if parquet is None else "parquet", **query)
            if parquet is not None:
                with parquet.ParquetFile(path) as file:
                    for batch in file.iter_batches(batch_size=rows):
                        yield batch.to_pandas()
                return
            with open(path, encoding="utf-8") as file:
                for some in iter(lambda: list(itertools.islice(file, rows)), []):
                    yield pandas.DataFrame([json.loads(line) for line in some])

    def means(self, analysis: Row, name: str) -> Row:
        """Makes a phenotype file of the means of a trial analysis, with their covariance, and waits for its check."""
        return self.checked(self.server.call("POST", self._address(analysis) + "/phenotype", {"name": name})["id"])

    def download(self, run: Row, target: str) -> None:
        """Saves a zip of everything: results, parameters, SHA-256 of the inputs, seed, version."""
        self.server.save(self._address(run) + "/bundle", target)

    def _address(self, run: Row) -> str:
        return "%s/%s/%s" % (self._path, run["kind"], run["id"])


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise HeterosisError("client/no-pandas", "Data frames need pandas: pip install pandas.") from error
    return pandas


def _has_ended(run: Row, states: Sequence[str]) -> bool:
    # A trained trait of a model has the state SUCCESS until its evaluation has ended as well.
    ended = ENDED - {"SUCCESS"} if run["kind"] == "models" else ENDED
    return all(one in ended for one in states)


def _one_of(rows: Sequence[Row], name_or_id: str, noun: str) -> Row:
    found = [row for row in rows if row["id"] == name_or_id] or [row for row in rows if row["name"] == name_or_id]
    if len(found) != 1:
        many = "There is no %s %r." if not found else "Several %ss are called %r: give the id."
        raise HeterosisError("client/not-found", (many % (noun, name_or_id)))
    return found[0]


def _problem(problem: Row) -> str:
    line = "" if problem["line"] is None else "line %d: " % problem["line"]
    return "%s%s %s" % (line, problem["code"], problem["message"])


def _reason(error: Row) -> str:
    return ("%s %s" % (error["message"], error.get("action") or "")).strip()


def _open(method: str, url: str, data: Optional[bytes], headers: Row) -> Any:
    """Opens an answer; waits where the server asks for it, and raises its refusal."""
    while True:
        request = urllib.request.Request(url, data=data, method=method, headers=headers)
        try:
            return _OPENER.open(request, timeout=TIMEOUT_SECONDS)
        except urllib.error.HTTPError as error:
            if error.code in (429, 503):
                time.sleep(int(error.headers.get("Retry-After") or 5))
                continue
            text = error.read().decode("utf-8", "replace")
            try:
                problem = json.loads(text)
            except ValueError:
                problem = {}
            detail = problem.get("detail") or problem.get("title") or "the server answered with %d" % error.code
            raise HeterosisError(problem.get("code", "client/answer"), detail, error.code) from None
