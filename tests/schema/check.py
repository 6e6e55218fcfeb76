#!/usr/bin/env python3
"""usage: check.py NTPMU PROJECT

Compares the JSON Schema that `ntpmu schema` prints with `ntpmu validate`: on
every scenario of the suite and on the files below tests/schema. Of those, good
ones are taken by both, bad ones refused by both, and the ones in beyond/ by
ntpmu alone, for what a schema cannot say. Needs jsonschema and PyYAML (Debian:
python3-jsonschema, python3-yaml)."""

import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import yaml


class Loader(yaml.CSafeLoader):
    """The core schema of YAML 1.2, as editors read it: on and off are texts,
    0x10 is a number, and there are no dates."""

    def construct_int(self, node):
        return int(node.value, 0 if node.value[:2] in ("0x", "0o") else 10)


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in [
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"
              r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", "-+.0123456789"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
]:
    Loader.add_implicit_resolver(
        "tag:yaml.org,2002:" + tag, re.compile(f"^({pattern})$"), list(first))
Loader.add_constructor("tag:yaml.org,2002:int", Loader.construct_int)



def is_of_another(case, value):
    """Whether a case of allOf is about another value of a key than that which the
    object has: there are 600 of calls, each of which the library would ask whole."""
    if not isinstance(value, dict) or set(case) != {"if", "then"}:
        return False
    return any(
        isinstance(value.get(key), str) and isinstance(asked.get("const"), str)
        and value[key] != asked["const"]
        for key, asked in case["if"].get("properties", {}).items())


def all_of(validator, cases, value, _):
    for index, case in enumerate(cases):
        if not is_of_another(case, value):
            yield from validator.descend(value, case, schema_path=index)


Validator = jsonschema.validators.extend(
    jsonschema.Draft7Validator, {"allOf": all_of})

failures = []


def fail(where, what):
    failures.append(f"{where}: {what}")


def keys_of(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


def first_error(validator, value):
    """The deepest of the schema's errors, or None."""
    error = jsonschema.exceptions.best_match(validator.iter_errors(value))
    if error is None:
        return None
    path = "/".join(str(part) for part in error.absolute_path)
    return f"{path}: {error.message[:200]}"


class Corpus:
    def __init__(self, program, project):
        self.program = program
        self.project = project
        text = subprocess.run(
            [program, "schema"], stdout=subprocess.PIPE, check=True).stdout
        again = subprocess.run(
            [program, "schema"], stdout=subprocess.PIPE, check=True).stdout
        if text != again:
            fail("ntpmu schema", "two calls differ")
        self.schema = json.loads(text)
        jsonschema.Draft7Validator.check_schema(self.schema)
        self.validator = Validator(self.schema)

    def refused_by_ntpmu(self, paths):
        """The files that ntpmu validate finds an error in. It reads many at
        once, but tells of a limited number of errors."""
        refused = set()
        for first in range(0, len(paths), 40):
            done = subprocess.run(
                [self.program, "validate",
                 *[str(path) for path in paths[first:first + 40]]],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if done.returncode not in (0, 3):
                fail("ntpmu validate", f"exit code {done.returncode}")
            refused |= {match[1] for match in re.finditer(
                r"^(.*?\.yaml)(?::[0-9]+:[0-9]+)?: error\[", done.stderr,
                re.MULTILINE)}
        return refused

    def check(self, path, by_schema):
        where = path.relative_to(self.project)
        error = first_error(
            self.validator, yaml.load(path.read_text(), Loader))
        if by_schema and error is not None:
            fail(where, f"the schema refuses it at {error}")
        if not by_schema and error is None:
            fail(where, "the schema takes it")

    def check_suite(self):
        """The suite's files are found valid by tests of their own."""
        for path in sorted((self.project / "scenarios").rglob("*.yaml")):
            where = path.relative_to(self.project)
            for key in keys_of(yaml.load(path.read_text(), yaml.CSafeLoader)):
                # An address is a number to PyYAML, and a text in JSON.
                if not isinstance(key, str) and type(key) is not int:
                    fail(where, f"PyYAML reads the key {key!r} as no text")
            self.check(path, True)

    def check_corpus(self):
        for name, by_schema, by_ntpmu in [
                ("good", True, True), ("bad", False, False),
                ("beyond", True, False)]:
            paths = sorted((self.project / "tests/schema" / name)
                           .rglob("*.yaml"))
            if not paths:
                fail(name, "no files")
            refused = self.refused_by_ntpmu(paths)
            for path in paths:
                self.check(path, by_schema)
                if (str(path) not in refused) != by_ntpmu:
                    fail(path.relative_to(self.project), "ntpmu validate " +
                         ("refuses it" if by_ntpmu else "takes it"))
                if name == "beyond" and path.read_text()[:2] != "# ":
                    fail(path.relative_to(self.project),
                         "its first line does not say why")

    def definition(self, name):
        return self.schema["definitions"][name]

    def check_parts(self):
        """What the schema has to know, by name."""
        step = self.definition("STEP")
        cases = step["dependencies"]["call"]["allOf"]
        calls = {case["if"]["properties"]["call"]["const"] for case in cases}
        allocate = self.definition("call.HalAllocateHardwareCounters")
        arguments = allocate["properties"]["args"]
        union = self.definition("value.PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR")
        expect = self.definition("EXPECT")
        for what, actual, wanted in [
                ("$schema", self.schema["$schema"],
                 "http://json-schema.org/draft-07/schema#"),
                ("required arguments", arguments["required"],
                 ["GroupAffinty", "GroupCount", "ResourceList"]),
                ("other arguments", arguments["additionalProperties"], False),
                ("a driver's own routine", "DbgPrint" in calls, False),
                ("a routine", "KeQueryHardwareCounterConfiguration" in calls,
                 True),
                ("members of a union",
                 union["properties"]["u"]["maxProperties"], 1),
                ("most covers", expect["properties"]["covers"]["maxItems"], 4),
                ("a refused key", "instances" in
                 self.definition("STATE")["properties"], False)]:
            if actual != wanted:
                fail("ntpmu schema", f"{what}: {actual!r}, not {wanted!r}")


def main():
    corpus = Corpus(sys.argv[1], pathlib.Path(sys.argv[2]))
    corpus.check_parts()
    corpus.check_suite()
    corpus.check_corpus()
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
