import fc from "fast-check"

/** Text that PostgreSQL cannot store: with U+0000 or a lone surrogate. */
export const unstorableText = fc
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
