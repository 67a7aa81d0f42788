/** The mix of a soak: requests of scripts, assistants, caches and mistaken clients. */
import { randomInt } from "node:crypto"
import { generateApiKey } from "@restwell/core"
import { readOf, type SentRequest } from "../measuring/requests.ts"
import type { BenchAssistant } from "../targets/assistant.ts"
import type { BenchPerson } from "../targets/people.ts"

/** A request and its valid responses. */
export interface Step {
  readonly request: SentRequest
  readonly statuses: readonly number[]
  /** The person whose quota a 200 counts against. Absent if it counts against none. */
  readonly reader?: BenchPerson
  /** The name under which the entity tag is stored for a later read. */
  readonly tagFor?: string
}

export interface Cast {
  /** The person whose data changes during the soak. */
  readonly original: BenchPerson
  /** People with an unlimited quota. */
  readonly readers: readonly BenchPerson[]
  /** People whose quota is nearly used up. */
  readonly poor: readonly BenchPerson[]
  readonly assistant: BenchAssistant
  /** The session of the original. */
  readonly cookie: string
}

const TYPES = ["summary", "sleep", "recovery", "workout", "cycle", "profile"] as const
const LENGTHS = [1, 7, 30, 90] as const
const TOOLS = ["get_summary", "get_sleep", "get_recovery", "get_workouts", "get_cycles"] as const
const BAD_SEARCHES = ["type=steps", "days=0", "type=sleep&days=91", "start_date=2026-02-30", "start=yesterday"] as const
const DASHBOARD_PATHS = ["/api/account", "/api/account/trends", "/api/account/access-log"] as const

const draw = <Item>(items: readonly Item[]): Item => {
  const item = items[randomInt(items.length)]
  if (item === undefined) throw new Error("there is nothing to draw from")
  return item
}

/** Draws a step. The weights are percentages. @param tags entity tags of earlier responses */
export function drawStep(cast: Cast, tags: ReadonlyMap<string, string>): Step {
  const weighted: readonly (readonly [number, () => Step])[] = [
    [30, () => read(draw(cast.readers), hotSearch())],
    [12, () => read(cast.original, hotSearch())],
    [18, () => read(draw(cast.readers), coldSearch())],
    [15, () => revalidate(draw([...cast.readers, cast.original]), hotSearch(), tags)],
    [6, () => ({ ...read(draw(cast.poor), hotSearch()), statuses: [200, 429] })],
    [5, () => ({ request: readOf(draw(cast.readers).key, draw(BAD_SEARCHES)), statuses: [400] })],
    [5, () => ({ request: readOf(draw([generateApiKey().text, "rw_mistyped", ""]), hotSearch()), statuses: [401] })],
    [3, () => ({ request: { ...readOf(draw(cast.readers).key, hotSearch()), method: "HEAD" }, statuses: [200] })],
    [4, () => toolCall(cast)],
    [2, () => ({ request: { path: draw(DASHBOARD_PATHS), headers: { cookie: cast.cookie } }, statuses: [200] })],
  ]
  let left = randomInt(weighted.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, make] of weighted) {
    if (left < weight) return make()
    left -= weight
  }
  throw new Error("no step was drawn")
}

const hotSearch = (): string => `type=${draw(TYPES)}&days=${draw(LENGTHS)}`

function coldSearch(): string {
  const end = Temporal.Now.plainDateISO("UTC").subtract({ days: randomInt(90) + 1 })
  return `type=${draw(TYPES)}&start_date=${end.subtract({ days: randomInt(90) })}&end_date=${end}`
}

const read = (reader: BenchPerson, search: string): Step => ({
  request: readOf(reader.key, search),
  statuses: [200],
  reader,
  tagFor: `${reader.userId} ${search}`,
})

function revalidate(reader: BenchPerson, search: string, tags: ReadonlyMap<string, string>): Step {
  const step = read(reader, search)
  const tag = tags.get(`${reader.userId} ${search}`)
  if (tag === undefined) return step
  return { ...step, request: readOf(reader.key, search, { "if-none-match": tag }), statuses: [200, 304] }
}

function toolCall({ assistant: { url, request }, original }: Cast): Step {
  const call = request("2026-07-28", "tools/call", { name: draw(TOOLS), arguments: { days: draw(LENGTHS) } })
  return { request: { path: new URL(url).pathname, method: "POST", ...call }, statuses: [200], reader: original }
}
