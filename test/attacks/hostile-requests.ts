import { hostileText, hostileValue } from "@restwell/testing/hostile"
import fc from "fast-check"
import type { AttackedRoute } from "./service-routes.ts"
import { type Credential, type Sample, sampleOf } from "./valid-requests.ts"

/** A request before it is sent: `path` and `query` are encoded, the credential and the placeholders are filled in by the sender. */
export interface HostileRequest {
  readonly route: AttackedRoute
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly credential: Credential
  readonly body: string | undefined
  /** A header that is sent although fetch would refuse it. */
  readonly contentType: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** Text in an URL or a form: well encoded, with the bytes of surrogates, or not encoded at all. */
const encoded = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: text.map(encodeAnything) },
    { weight: 1, arbitrary: text.map((raw) => raw.replaceAll(/[^!-~]|[?#]/g, "")) },
    { weight: 1, arbitrary: fc.constantFrom("%", "%FF", "%ED%A0%80", "%00", "%zz", "%C0%80", "%E2%82", "a%00b") },
  )

/** Percent-encodes any text. A lone surrogate gets the three bytes that UTF-8 forbids for it. */
function encodeAnything(text: string): string {
  return [...text]
    .map((character) => {
      if (character.isWellFormed()) return encodeURIComponent(character)
      const code = character.charCodeAt(0)
      const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
      return bytes.map((byte) => `%${byte.toString(16).toUpperCase()}`).join("")
    })
    .join("")
}

/** Of any length: of names that are compared with others, of lists, of words with marks that are not seen, and of one letter. */
const longText = fc
  .tuple(
    fc.constantFrom(
      "x",
      "heart_rate",
      "asleep_hours,",
      "deep sleep in march ",
      "/health",
      "a\u200b",
      "＝＋－＠",
      "date:",
    ),
    fc.oneof(fc.integer({ min: 40, max: 200 }), fc.constantFrom(3_000, 7_500, 9_000, 60_000, 70_000)),
  )
  .map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length))
/** Names that every object has, and values at the edges of what dates, time zones and spreadsheets know. */
const ofPlatforms = fc.constantFrom(
  "__proto__",
  "constructor",
  "toString",
  "valueOf",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "+275760-09-13T00:00:00Z",
  "2026-11-01T00:00:00+23:59",
  "Etc/GMT+99",
  "Mars/Olympus",
  "US/Pacific-New",
  "＝1+1",
  "\u200b=1+1",
)
const outOfRange = fc.constantFrom(
  "99999999999999999999",
  "-1",
  "0",
  "1e400",
  "2147483648",
  "9223372036854775808",
  "0001-01-01",
  "9999-12-31",
  "294277-01-01",
  "-4714-11-24",
  "0000-00-00",
  "2025-02-30",
)
const attackText = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 2, arbitrary: outOfRange },
  ofPlatforms,
  longText,
)

const deepValue = fc
  .tuple(fc.constantFrom(5, 63, 64, 65, 500, 10_000), fc.boolean())
  .map(([depth, isArray]) => new Nested(depth, isArray))

/** Serialized without recursion: JSON.stringify would overflow the stack of the test. */
class Nested {
  readonly #text: string
  constructor(depth: number, isArray: boolean) {
    this.#text = isArray ? "[".repeat(depth) + "]".repeat(depth) : `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`
  }
  /** A mark that `jsonOf` replaces by the text. */
  toJSON(): string {
    return `nested:${this.#text}`
  }
}

/** More than anybody means to send, within the limit of a body. */
const manyValues: fc.Arbitrary<unknown> = fc
  .tuple(fc.integer({ min: 0, max: 6_000 }), fc.constantFrom<unknown[]>({}, [], null, 1, "x", { start: "x" }))
  .map(([count, value]) => Array(count).fill(value))

const attackValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileValue },
  { weight: 2, arbitrary: outOfRange },
  { weight: 1, arbitrary: ofPlatforms },
  { weight: 1, arbitrary: manyValues },
  { weight: 1, arbitrary: deepValue },
  { weight: 1, arbitrary: longText },
)

const jsonOf = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/"nested:((?:[[\]{}:1a]|\\")*)"/g, (_mark, text: string) => text.replaceAll('\\"', '"'))
    .replaceAll('"__proto_key__"', '"__proto__"')

/** A change of one field: any field at any depth, an added one, or one that is left out. */
function mutatedJson(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== "object" || value === null) return attackValue
  const entries = Object.entries(value)
  const rebuilt = (pairs: readonly (readonly [string, unknown])[]) =>
    Array.isArray(value) ? pairs.map(([, inner]) => inner) : Object.fromEntries(pairs)
  const inside = entries.map(([key, inner]) =>
    mutatedJson(inner).map((changed) => rebuilt(entries.map((entry) => (entry[0] === key ? [key, changed] : entry)))),
  )
  const key = fc.oneof(hostileText, fc.constant("__proto_key__"))
  return fc.oneof(
    { weight: 1, arbitrary: attackValue },
    { weight: 2, arbitrary: fc.tuple(key, attackValue).map((added) => rebuilt([...entries, added])) },
    ...inside.map((arbitrary) => ({ weight: 3, arbitrary })),
  )
}

const jsonBody = (sample: unknown): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: mutatedJson(sample ?? {}).map(jsonOf) },
    { weight: 1, arbitrary: fc.constantFrom("", "null", "[]", "{", '{"a":1,"a":2}', '"\\ud800"', "\0", "1e999") },
  )

/** Parameters of a query or form, with one or two of them changed, added or repeated. */
function parameters(sample: Fields): fc.Arbitrary<string> {
  const names = fc.oneof(fc.constantFrom("x", ...Object.keys(sample)), encoded(attackText))
  const changes = fc.array(fc.tuple(names, encoded(attackText), fc.boolean()), { maxLength: 2 })
  return changes.map((changed) => {
    const pairs = Object.entries(sample).map(([name, value]): [string, string] => [name, encodeAnything(String(value))])
    for (const [name, value, isRepeated] of changed) {
      const present = pairs.find((pair) => pair[0] === name)
      if (present && !isRepeated) present[1] = value
      else pairs.push([name, value])
    }
    return pairs.map((pair) => pair.join("=")).join("&")
  })
}

const bodyOf = ({ body }: AttackedRoute, { json, form }: Sample): fc.Arbitrary<string> =>
  body === "form" && form ? parameters(form) : jsonBody(json ?? form)

const TYPES: Readonly<Record<AttackedRoute["body"], string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  bytes: "application/json",
  file: "multipart/form-data; boundary=x",
  stream: "application/json",
}

/** A header's characters as Node sends them. */
const headerText = fc.oneof(
  hostileText.map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "")),
  hostileText.map((text) => Buffer.from(text, "utf16le").toString("base64")),
  fc.constantFrom("*", '"', "Bearer", "Basic", "Basic AA==", `Basic ${btoa("\0:\0")}`, `Basic ${btoa("%00:x")}`, ","),
)
const HEADERS = [
  "authorization",
  "user-agent",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "x-request-id",
  "x-turn-away",
  "idempotency-key",
  "accept",
  "accept-encoding",
  "accept-language",
  "if-none-match",
  "cookie",
  "origin",
  "referer",
  "sec-fetch-site",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
  "last-event-id",
  "x-whoop-signature",
  "x-whoop-signature-timestamp",
]
const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.dictionary(fc.constantFrom(...HEADERS), headerText, { maxKeys: 3 }) },
)

/** The route's own, with any text in its variable parts, or one that resembles it. */
const pathOf = (route: AttackedRoute, sample: Sample): fc.Arbitrary<string> =>
  fc.oneof({ weight: 12, arbitrary: ownPath(route, sample) }, { weight: 1, arbitrary: unknownPath(route) })

const unknownPath = ({ path }: AttackedRoute): fc.Arbitrary<string> =>
  fc
    .tuple(fc.integer({ min: 1, max: path.length }), encoded(attackText))
    .map(([length, text]) => `${path.slice(0, length)}${text}`.slice(0, 8_000))

const ownPath = ({ path }: AttackedRoute, sample: Sample): fc.Arbitrary<string> =>
  fc
    .tuple(origin, ...path.split("/").map((part) => (part.startsWith(":") ? segment(sample) : fc.constant(part))))
    .map(([before, ...parts]) => before + parts.join("/"))

/** The absolute form of a target, which clients send to proxies. RFC 9112 3.2.2 */
const origin = fc.oneof(
  { weight: 30, arbitrary: fc.constant("") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("http://localhost", "https://x.example:99999", "http://[", "http://%", "//x", "*"),
  },
)

const segment = ({ segment: valid }: Sample): fc.Arbitrary<string> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(valid ?? "x") }, { weight: 2, arbitrary: encoded(attackText) })

const methodOf = (method: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(method) },
    { weight: 2, arbitrary: fc.constantFrom("HEAD", "OPTIONS") },
    { weight: 1, arbitrary: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE") },
  )

/** Hostile requests to all of these routes, as often to one as to another. */
export const hostileRequest = (routes: readonly AttackedRoute[]): fc.Arbitrary<HostileRequest> =>
  fc.oneof(...routes.map(requestTo))

function requestTo(route: AttackedRoute): fc.Arbitrary<HostileRequest> {
  const sample = sampleOf(route)
  const takesBody = route.method !== "GET"
  return fc.record({
    route: fc.constant(route),
    method: methodOf(route.method),
    path: pathOf(route, sample),
    query: fc.oneof(
      { weight: takesBody ? 4 : 0, arbitrary: fc.constant("") },
      { weight: 2, arbitrary: parameters(sample.query ?? {}) },
    ),
    headers,
    credential: fc.oneof(
      { weight: 3, arbitrary: fc.constant(sample.credential ?? "none") },
      { weight: 1, arbitrary: fc.constantFrom<Credential[]>("none", "key", "session", "token", "phone") },
    ),
    body: takesBody ? fc.option(bodyOf(route, sample), { nil: undefined, freq: 12 }) : fc.constant(undefined),
    contentType: fc.oneof(
      { weight: 9, arbitrary: fc.constant(takesBody ? TYPES[route.body] : undefined) },
      { weight: 1, arbitrary: fc.constantFrom("text/plain", "application/json; charset=utf-16", "x", undefined) },
    ),
  })
}
