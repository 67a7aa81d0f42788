// Hostile JSON as text, because no object can hold `1e400` and no object literal a key twice.
import fc from "fast-check"

/** Text that PostgreSQL cannot store: with U+0000 or a lone surrogate. */
const unstorableText = fc
  .tuple(
    fc.string({ maxLength: 10 }),
    fc.constantFrom("\0", "\uD800", "\uDFFF", "\uDC00\uD800"),
    fc.string({ maxLength: 10 }),
  )
  .map((parts) => parts.join(""))

/** Text that attackers try. Some of it is harmless. */
export const hostileText = fc.oneof(
  unstorableText,
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "",
    " ",
    "__proto__",
    "constructor",
    "' or 1=1 --",
    "{{7*7}}",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "%00",
    "%ED%A0%80",
    "%",
    "\u202Egnp.exe",
    "\r\nSet-Cookie: a=b",
    "1e9",
    "NaN",
    "-0",
    "null",
    "undefined",
    "٣",
    "2025-02-30",
    "+275760-09-13T00:00:00Z",
    "-271821-04-20T00:00:00Z",
    "x".repeat(5_000),
  ),
)

/** JSON values of the wrong type, size or range. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    1e308,
    -1e308,
    5e-324,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    [],
    {},
    [[]],
    { $ne: null },
    { __proto__: null },
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.array(hostileText, { maxLength: 3 }),
  fc.dictionary(hostileText, hostileText, { maxKeys: 3 }),
)

const NUMBERS = [
  ...["0", "-0", "-1", "1", "0.5", "7", "19.9", "21.1", "49", "100.5", "251", "501", "100000", "1e9", "4294967296"],
  ...["9007199254740993", "99999999999999999999", "1e308", "-1e308", "5e-324", "1e400", "-1e400"],
]

const INSTANTS = [
  ...["1969-12-31T23:59:59Z", "1999-12-31T23:59:59Z", "2000-01-01T00:00:00Z", "2026-11-01T00:00:00.000Z"],
  ...["2027-06-01T00:00:00.000Z", "2099-12-31T23:59:59.999Z", "2100-01-01T00:00:00Z", "9999-12-31T23:59:59Z"],
  ...["+275760-09-13T00:00:00Z", "-271821-04-20T00:00:00Z", "2026-02-30T00:00:00Z", "2026-11-19T24:00:00Z", "+14:01"],
]

const nested = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels)

const STRUCTURES = [
  ...["null", "true", "false", "[]", "{}", '""', '{"__proto__":{"score":1}}', '{"constructor":{"prototype":null}}'],
  ...['{"__proto__":"\\u0000"}', '{"a":1,"a":"\\u0000"}', '["\\ud800"]', '{"\\udc00\\u0000":1}', nested("[", "]", 60)],
  ...[nested("[", "]", 400), nested("[", "]", 20_000), `${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`],
]

/** One JSON value as text: of a wrong type, size or range, or with text that PostgreSQL cannot store. Some of it is harmless. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom(...INSTANTS).map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.constantFrom(...STRUCTURES) },
  hostileValue.map((value) => JSON.stringify(value) ?? "null"),
)

/** A key of an object as text. */
const hostileKey: fc.Arbitrary<string> = hostileText.map((text) => JSON.stringify(text))

type Path = readonly (string | number)[]

/** Returns the path of every value in it, its own included. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))]
}

const MARK = "\u{1F3AF}"

/** Returns the JSON text of the value with `text` at the path. */
function withText(value: unknown, path: Path, text: string): string {
  if (path.length === 0) return text
  const copy: unknown = structuredClone(value)
  const holder = path.slice(0, -1).reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), copy)
  Reflect.set(Object(holder), path.at(-1) ?? "", MARK)
  return JSON.stringify(copy).replace(`"${MARK}"`, () => text)
}

/** Returns the JSON text of the value with one more field in the object at the path, or around a value that is none. */
function withField(value: unknown, path: Path, key: string, text: string): string {
  const target = path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), value)
  const fields = JSON.stringify(typeof target === "object" && target !== null ? target : { value: target })
  const isEmpty = fields === "{}" || fields === "[]"
  if (fields.startsWith("[")) return withText(value, path, `${fields.slice(0, -1)}${isEmpty ? "" : ","}${text}]`)
  return withText(value, path, `${fields.slice(0, -1)}${isEmpty ? "" : ","}${key}:${text}}`)
}

export interface HostileJson {
  /** The sent bytes. */
  readonly text: string
  /** The field that was replaced or extended, such as `score.strain`. Empty for the whole value. */
  readonly field: string
}

/**
 * Hostile forms of one value: any value in it replaced, or an unknown field with any key added to any object in it.
 * @param isSpared fields to leave alone
 */
export function hostileFormsOf(value: object, isSpared = (_field: string) => false): fc.Arbitrary<HostileJson> {
  const paths = pathsIn(value).filter((path) => !isSpared(path.join(".")))
  const at = fc.constantFrom(...paths)
  const replaced = fc
    .tuple(at, hostileJson)
    .map(([path, text]) => ({ text: withText(value, path, text), field: path.join(".") }))
  const extended = fc
    .tuple(at, hostileKey, hostileJson)
    .map(([path, key, text]) => ({ text: withField(value, path, key, text), field: path.join(".") }))
  return fc.oneof({ weight: 4, arbitrary: replaced }, extended)
}
