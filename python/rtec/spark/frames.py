"""Records in a DataFrame: their columns, and Spark's expressions for keys, arrival and time.

Three forms are known: a `table` with the columns of a stream, and the lines of a file, which are
`lines` of pipe-separated text or of `json`. Lines are parsed by the workers, with the parser of
`rtec run`; the driver looks only at what it needs to send them to the right partition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from rtec.errors import Problem, StreamError
from rtec.runtime.layouts import Layout, Layouts
from rtec.runtime.records import Input
from rtec.spark.objects import FLOAT, FUNCTOR
from rtec.spark.plan import PartitionPlan
from rtec.spark.worker import LINE

Form = Literal["table", "lines", "json"]
Inputs = Mapping[str, Sequence[Input]]
_APART, _CODE = "rtec_apart", "rtec_code"
_WHOLE = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)


@dataclass(frozen=True)
class Fields:
    """Expressions for what the driver needs of a record.

    Attributes:
        code: Name, layout and number of fields, as `_code` writes them.
        arrival: When it becomes known.
        time: Its time-point.
        args: Texts among which are the arguments; for lines, all fields.
    """

    code: Column
    arrival: Column
    time: Column
    args: Column
    form: Form


def check_frame(frame: DataFrame) -> None:
    """Refuse a DataFrame whose columns are not those of a stream, before any job starts.

    Raises:
        StreamError: A column is missing, or of a type that it cannot have.
    """
    kinds = {f.name: f.dataType for f in frame.schema.fields}
    for name in ("name", "time"):
        if name not in kinds:
            have = ", ".join(f"`{c}`" for c in kinds)
            raise StreamError(
                Problem(
                    f"the DataFrame has no column `{name}`, only {have or 'none at all'}",
                    "stream-columns",
                    remedy="columns of a stream: name, time, arrival, end, value, args, op, prob",
                )
            )
    _want(kinds, ("name", "op"), T.StringType, "text")
    _want(kinds, ("time", "arrival", "end"), _WHOLE, "integers")
    _want(kinds, ("prob",), (T.DoubleType, T.FloatType, *_WHOLE), "numbers")
    _want(kinds, ("args",), (T.ArrayType, T.StringType), "a list, or the text of a JSON list")


def _want(kinds: dict[str, Any], names: Sequence[str], wanted: Any, said: str) -> None:
    for name in names:
        kind = kinds.get(name)
        if kind is not None and not isinstance(kind, (wanted, T.NullType)):
            message = f"the column `{name}` holds {kind.simpleString()}; it has to hold {said}"
            raise StreamError(Problem(message, "stream-columns"))


def fields(frame: DataFrame, form: Form) -> Fields:
    """Make the expressions for a form."""
    if form == "lines":
        return _line_fields()
    if form == "json":
        return _json_fields()
    return _table_fields(frame)


def _table_fields(frame: DataFrame) -> Fields:
    columns = {f.name: f.dataType for f in frame.schema.fields}

    def given(name: str) -> Column:
        return F.col(f"`{name}`") if name in columns else F.lit(None)

    kind = columns.get("args")
    if isinstance(kind, T.ArrayType):
        args = F.col("args").cast("array<string>")
    elif isinstance(kind, T.StringType):
        args = F.from_json("args", "array<string>")
    else:
        own = [f"arg{i}" for i in range(1, len(columns) + 1)]
        own = own[: next((i for i, c in enumerate(own) if c not in columns), len(own))]
        texts = [F.col(c).cast("string") for c in own]
        args = F.array_compact(F.array(*texts)) if own else F.array().cast("array<string>")
    time = given("time").cast("bigint")
    return Fields(
        _kind_code(given("name"), given("value"), given("end"), args),
        F.coalesce(given("arrival").cast("bigint"), time),
        time,
        args,
        "table",
    )


def prepared(frame: DataFrame, form: Form) -> DataFrame:
    """Add what `fields` needs: lines are taken apart once, not for each expression."""
    if form == "lines":
        line = F.col(LINE)
        ends = line.endswith("|") | line.endswith("\r")
        line = F.when(ends, F.regexp_replace(line, r"\|?\r?$", "")).otherwise(line)
        apart = frame.withColumn(_APART, F.split(line, r"\|", -1))
        parts, name = F.col(_APART), F.get(F.col(_APART), F.lit(0))
        marked = name.startswith("-") | name.contains("::")
        name = F.when(marked, F.regexp_replace(name, "^(.*?::)?-?", "")).otherwise(name)
        return apart.withColumn(_CODE, F.concat_ws("|", name, F.size(parts).cast("string")))
    if form == "json":
        kinds = "name string, arrival string, time string, end string, value string"
        return frame.withColumn(_APART, F.from_json(LINE, f"{kinds}, args array<string>"))
    return frame


def _line_fields() -> Fields:
    parts = F.col(_APART)

    def part(i: int) -> Column:
        return F.get(parts, F.lit(i))

    return Fields(
        F.col(_CODE),
        part(1).try_cast("bigint"),
        part(2).try_cast("bigint"),
        parts,
        "lines",
    )


def _json_fields() -> Fields:
    def at(name: str) -> Column:
        return F.col(f"{_APART}.{name}")

    time = at("time").try_cast("bigint")
    return Fields(
        _kind_code(at("name"), at("value"), at("end"), at("args")),
        F.coalesce(at("arrival").try_cast("bigint"), time),
        time,
        at("args"),
        "json",
    )


def _kind_code(name: Column, value: Column, end: Column, args: Column) -> Column:
    kind = F.when(value.isNull(), "event").when(end.isNull(), "point").otherwise("interval")
    count = F.when(args.isNull(), 0).otherwise(F.size(args))
    return F.concat_ws("|", name, kind, count.cast("string"))


def known(found: Fields, inputs: Inputs) -> Column:
    """Whether a record is one that the description reads."""
    codes = [code for code, _ in _codes(found, inputs)]
    return found.code.isin(codes) if codes else F.lit(False)


def keys(found: Fields, inputs: Inputs, plan: PartitionPlan) -> Column:
    """The names of the objects at the keys of a record; null where it has none."""
    names = _names(found, inputs, plan)
    if not names:
        return F.lit(None).cast("array<string>")
    return F.array_compact(F.array(*names))


def parts(found: Fields, inputs: Inputs, plan: PartitionPlan, count: int) -> Column:
    """The parts that a record goes to, as `split.part_of` says.

    These are those of its objects, or all. Where every record goes to one, it is a number, else
    an array.
    """
    names = _names(found, inputs, plan)
    first = F.coalesce(_part(names[0], count), F.lit(0)) if names else F.lit(0)
    everybody = _keyless_codes(found, inputs, plan)
    if len(names) < 2 and not everybody:
        return first
    own = F.array(first)
    if len(names) > 1:  # few records are about several objects
        others = [F.coalesce(_part(name, count), first) for name in names[1:]]
        several = F.array_distinct(F.array(first, *others))
        own = F.when(names[1].isNull(), own).otherwise(several)
    if not everybody:
        return own
    everywhere = F.array(*[F.lit(i) for i in range(count)])
    return F.when(found.code.isin(everybody), everywhere).otherwise(own)


def _part(name: Column, count: int) -> Column:
    return F.pmod(F.crc32(name.cast("binary")), F.lit(count)).cast("int")


def _names(found: Fields, inputs: Inputs, plan: PartitionPlan) -> list[Column]:
    """The name at the first key of a record, at the second, and so on."""
    entries: list[list[Column]] = []
    for code, layout in _codes(found, inputs):
        first = layout.leading if found.form == "lines" else 0
        for n, path in enumerate(plan.paths(layout.name, layout.arity, layout.kind == "event")):
            if n == len(entries):
                entries.append([])
            entries[n] += [F.lit(code), F.lit(first + path[0])]
    # A look-up instead of a condition for each input: Spark compiles its expressions.
    places = [F.try_element_at(F.create_map(*each), found.code) for each in entries]
    return [object_column(F.get(found.args, place)) for place in places]


def _keyless_codes(found: Fields, inputs: Inputs, plan: PartitionPlan) -> list[str]:
    """The codes of the records that concern everybody."""
    return [
        code
        for code, layout in _codes(found, inputs)
        if not plan.paths(layout.name, layout.arity, layout.kind == "event")
    ]


def object_column(text: Column) -> Column:
    """Name an object, as `rtec.spark.objects.object_name` does."""
    fraction = r"^-?[0-9]+(\.[0-9]+([eE][+-]?[0-9]+)?|[eE][+-][0-9]+)$"
    digit = F.substring(F.ltrim(text, F.lit("-")), 1, 1).between("0", "9")
    number = (
        F.when(text.rlike(r"^-?[1-9][0-9]*$"), text)
        .when(text.rlike(r"^-?0+$"), F.lit("0"))
        .when(text.rlike(r"^-?[0-9]+$"), F.regexp_replace(text, "^(-?)0+", "$1"))
        .when(text.rlike(fraction), F.lit(FLOAT))
    )
    compound = F.concat(F.regexp_extract(text, FUNCTOR, 1), F.lit("()"))
    return (
        F.when(digit, F.coalesce(number, text))
        .when(text.endswith(")") | text.endswith("]"), compound)
        .otherwise(text)
    )


@dataclass(frozen=True)
class _Named:
    name: str
    kind: str
    arity: int
    leading: int


def _codes(found: Fields, inputs: Inputs) -> Iterator[tuple[str, _Named]]:
    """Yield each layout of each input with its code."""
    layouts = Layouts(inputs)
    for name, entries in inputs.items():
        for entry in entries:
            kinds = ("interval", "point") if entry.kind == "fluent" else (entry.kind,)
            for kind in kinds:
                layout = Layout(kind, entry.arity)  # type: ignore[arg-type]
                leading = layout.fields - entry.arity
                named = _Named(name, kind, entry.arity, leading)
                if found.form != "lines":
                    yield f"{name}|{kind}|{entry.arity}", named
                elif layouts.of_line(name, layout.fields) == layout:
                    yield f"{name}|{layout.fields}", named
