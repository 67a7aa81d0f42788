/** Large pushes of a phone in few bytes, and small archives. */

import { gzipSync } from "node:zlib"
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import { type Kind, kind, post } from "./hostile-request.ts"

const LINES = 1_048_576
const FIRST_MS = Date.parse("2010-01-01T00:00:00Z")

const at = (ms: number): string => new Date(ms).toISOString()
const autoExport = (metrics: readonly object[]): string => JSON.stringify({ data: { metrics } })
const steps = (count: number, row: (index: number) => object): string =>
  JSON.stringify({
    records: Array.from({ length: count }, (_, index) => ({ type: "steps", value: 10, ...row(index) })),
  })

/** A night in sums, as apps write it that do not export its parts. */
const night = (index: number) => ({
  sleepStart: at(FIRST_MS + index * MINUTE_MS),
  sleepEnd: at(FIRST_MS + index * MINUTE_MS + 28_000_000),
  totalSleep: 7.1,
  core: 4.2,
  deep: 1.1,
  rem: 1.8,
  awake: 0.3,
  inBed: 7.6,
  source: "Watch",
})

/** @param cookie of the person, for uploads */
export function kindsOfPhone({ token, cookie }: { readonly token: string; readonly cookie: string }): Kind[] {
  const send = (path: string, text: string) =>
    post(`/api/ingest/${path}`, gzipSync(text), { authorization: `Bearer ${token}`, "content-encoding": "gzip" })
  const records = (text: string) => send("records", text)
  const minute = (index: number) => ({
    start: at(FIRST_MS + index * MINUTE_MS),
    end: at(FIRST_MS + index * MINUTE_MS + 50_000),
  })
  const upload = (bytes: string) =>
    post(
      "/api/imports",
      `--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n${bytes}\r\n--x--\r\n`,
      {
        cookie,
        "content-type": "multipart/form-data; boundary=x",
      },
    )
  return [
    kind(
      "pushes of 20,000 nights in sums",
      send(
        "health-auto-export",
        autoExport([
          { name: "sleep_analysis", units: "hr", data: Array.from({ length: 20_000 }, (_, index) => night(index)) },
        ]),
      ),
    ),
    kind("pushes with a source of 49 MB", records(steps(1, () => ({ ...minute(0), source: "x".repeat(49 * LINES) })))),
    kind("pushes of 1.9 million empty rows", records(`{"records":[${"{},".repeat(1_899_999)}{}]}`)),
    kind(
      "pushes of 230,000 rows of one day",
      records(
        steps(230_000, (index) => ({ start: at(FIRST_MS + index * 300), end: at(FIRST_MS + index * 300 + 200) })),
      ),
    ),
    kind(
      "pushes of 20,000 devices",
      records(steps(20_000, (index) => ({ ...minute(index), source: `Device ${index}` }))),
    ),
    kind(
      "pushes of 12,000 days",
      records(
        steps(12_000, (index) => ({
          start: at(FIRST_MS + (index % 5_900) * DAY_MS),
          end: at(FIRST_MS + (index % 5_900) * DAY_MS + MINUTE_MS),
        })),
      ),
    ),
    kind("pushes that inflate to 200 MB", records(" ".repeat(200 * LINES))),
    kind("pushes nested 5 million deep", records("[".repeat(5_000_000))),
    kind("pushes of a row with 5 million empty objects", records(`{"records":[{"x":[${"{},".repeat(4_999_999)}{}]}]}`)),
    kind(
      "pushes of 4 million names",
      records(`{"records":[],${Array.from({ length: 4_000_000 }, (_, index) => `"${index}":0`).join()}}`),
    ),
    kind("uploads of files that are no archive", upload("no archive")),
    kind("uploads of an empty archive", upload(`PK\x05\x06${"\0".repeat(18)}`)),
  ]
}
