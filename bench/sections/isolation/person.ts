/** What one person sends: the most expensive reads, writes and tool calls of an account with ten years of data. */
import { DAY_MS } from "@restwell/client/time-units"
import { type BenchAssistant, PROTOCOL_VERSIONS } from "../../targets/assistant.ts"
import { get, type HostileRequest, type Kind, kind, post } from "./hostile-request.ts"

export interface PersonMeans {
  readonly key: string
  readonly cookie: string
  readonly assistant: BenchAssistant
  /** A date with a sample for each second, and five before it. */
  readonly lastSampledDate: string
}

const KNOWN_FIELDS = ["date", "asleep_hours", "awake_hours", "score_performance", "is_nap", "start", "end"]

type Dates = Pick<PersonMeans, "lastSampledDate">

export const kindsOfPerson = (means: PersonMeans): Kind[] => [
  ...readsWithKey(means),
  ...requestsOfSession(means),
  ...toolCalls(means),
]

/** Cold: each range of 90 days is another one. */
function rangesUpTo({ lastSampledDate }: Dates): string[] {
  const last = Temporal.PlainDate.from(lastSampledDate)
  return Array.from({ length: 300 }, (_, index) => {
    const end = last.subtract({ days: index * 3 })
    return `start_date=${end.subtract({ days: 89 })}&end_date=${end}`
  })
}

/** Spans with 20,000 seconds. */
const spansOf = ({ lastSampledDate }: Dates): string[] =>
  Array.from({ length: 300 }, (_, index) => {
    const start = Date.parse(`${lastSampledDate}T00:00:00Z`) - DAY_MS + index * 1_000
    return `start=${new Date(start).toISOString()}&end=${new Date(start + 20_000_000).toISOString()}`
  })

function readsWithKey({ key, lastSampledDate }: PersonMeans): Kind[] {
  const read = (path: string, headers = {}): HostileRequest =>
    get(`/api/v1/${path}`, { authorization: `Bearer ${key}`, ...headers })
  const last = Temporal.PlainDate.from(lastSampledDate)
  const days = (count: number): string => `start_date=${last.subtract({ days: count - 1 })}&end_date=${last}`
  const ranges = rangesUpTo({ lastSampledDate })
  const seconds = spansOf({ lastSampledDate })
  return [
    kind("fields of 7,500 characters", read(`health?type=sleep&fields=${"a".repeat(7_500)}`)),
    kind(
      "1,000 fields",
      read(`health?type=sleep&fields=${Array.from({ length: 800 }, (_, index) => KNOWN_FIELDS[index % 7]).join(",")}`),
    ),
    kind("an unknown metric of 7,500 characters", read(`trend?metric=${"a".repeat(7_500)}`)),
    kind("90 nights", ...ranges.map((range) => read(`health?type=sleep&${range}`))),
    kind("90 nights of all sources", ...ranges.map((range) => read(`health?type=sleep&source=all&${range}`))),
    kind(
      "90 nights of all sources as CSV",
      ...ranges.map((range) => read(`health?type=sleep&source=all&format=csv&${range}`)),
    ),
    kind("summaries of 90 days", ...ranges.map((range) => read(`health?${range}`))),
    kind("journals of 90 days", ...ranges.map((range) => read(`journal?source=all&${range}`))),
    kind("conditional reads", ...ranges.map((range) => read(`health?type=sleep&${range}`, { "if-none-match": '"a"' }))),
    kind("20,000 raw values", ...seconds.map((range) => read(`series?type=heart_rate&resolution=raw&${range}`))),
    kind(
      "20,000 raw values as CSV",
      ...seconds.map((range) => read(`series?type=heart_rate&resolution=raw&format=csv&${range}`)),
    ),
    kind(
      "six days by the minute",
      read(`series?type=heart_rate&resolution=1m&${days(6)}`),
      read(`series?type=heart_rate&resolution=1m&format=csv&${days(6)}`),
    ),
    kind("ten years of values by the day", read(`series?type=heart_rate&resolution=1d&${days(3_650)}`)),
    kind(
      "trends of 4,000 days with all points",
      read("trend?metric=hrv&points=true&days=4000"),
      read("trend?metric=asleep&points=true&days=3999&format=csv"),
    ),
    kind(
      "comparisons of years",
      ...ranges.slice(0, 20).map((_, index) => read(`compare?metric=hrv&days=${1_800 + index}`)),
    ),
    kind(
      "relations of ten years",
      ...ranges.slice(0, 20).map((_, index) => read(`relate?outcome=hrv&days=${3_600 + index}`)),
    ),
    kind(
      "the catalogue of metrics, sports and signs",
      read("metrics"),
      read("sports?days=4000"),
      read("signs?days=90"),
    ),
  ]
}

function requestsOfSession({ cookie, lastSampledDate }: PersonMeans): Kind[] {
  const own = (path: string): HostileRequest => get(`/api/account/${path}`, { cookie })
  const put = (path: string, body: object): HostileRequest => ({
    ...post(`/api/account/${path}`, JSON.stringify(body), { cookie }),
    method: "PUT",
  })
  return [
    kind("charts of all days", own("trends?days=all"), own("journal?days=all")),
    kind("the page of sources", own("sources")),
    kind("the account", get("/api/account", { cookie })),
    kind("the log of reads and that of security", own("access-log"), own("security-log")),
    kind("exports of everything", own("export")),
    kind(
      "exports of nights and values as tables",
      own("export?format=csv&type=sleep"),
      own("export?format=csv&type=series"),
    ),
    kind(
      "entries of the journal",
      put(`journal/${lastSampledDate}`, {
        answers: [{ factor: "alcohol", answer: true, value: 2 }],
        note: "x".repeat(1_000),
      }),
    ),
    kind("choices of sources", put("sources", { choices: choices(lastSampledDate) })),
    kind("preferences", put("preferences", { units: "imperial" }), put("preferences", { units: "metric" })),
  ]
}

function toolCalls({ assistant, lastSampledDate }: PersonMeans): Kind[] {
  const call = (name: string, args: object): HostileRequest => {
    const { headers, body } = assistant.request("2025-11-25", "tools/call", { name, arguments: args })
    return post("/api/mcp/oauth", body, headers)
  }
  return [
    kind(
      "tools/list",
      ...PROTOCOL_VERSIONS.map((version) => {
        const { headers, body } = assistant.request(version, "tools/list")
        return post("/api/mcp/oauth", body, headers)
      }),
    ),
    kind(
      "tool calls of long series",
      call("get_series", { type: "heart_rate", days: 4_000, resolution: "1d" }),
      call("get_series", {
        type: "heart_rate",
        start_date: lastSampledDate,
        end_date: lastSampledDate,
        resolution: "15m",
      }),
    ),
    kind(
      "tool calls of trends and relations",
      call("get_trend", { metric: "hrv", days: 4_000, points: true }),
      call("find_relations", { outcome: "hrv", days: 4_000 }),
    ),
    kind("searches of 5,000 words", call("search", { query: "deep sleep in march above 2 hours ".repeat(800) })),
    kind(
      "a tool name and arguments of 50,000 characters",
      call("x".repeat(50_000), {}),
      call("get_sleep", { ["x".repeat(50_000)]: 1 }),
    ),
    kind("tool calls of 90 nights", call("get_sleep", { days: 90 }), call("get_summary", { days: 90 })),
  ]
}

/** One for each of many dates. */
const choices = (lastDate: string) =>
  Array.from({ length: 500 }, (_, index) => ({
    type: "sleep",
    date: Temporal.PlainDate.from(lastDate).subtract({ days: index }).toString(),
    source: "whoop",
  }))
