import { setTimeout as wait } from "node:timers/promises"
import { figuresOf } from "../measuring/compare.ts"
import { inTurn, run, type Sample } from "../measuring/load.ts"
import { bytesOf, readOf } from "../measuring/requests.ts"
import { milliseconds, openTable, perSecond, ratio } from "../measuring/table.ts"
import type { Bench } from "../targets/bench.ts"

const ROUNDS = 4
const ROUND_MS = 2_500
/** Relations that one person asks for at the same time. */
const RELATIONS = 20
/** Ten years. */
const DAYS = 3_650
const NIGHTS = 7
/** How far back the cold reads of a person go. */
const COLD_DAYS = 150

type Person = Bench["people"][number]

/** The ranges of seven nights of all these people, so that hardly any repeats. */
export const coldReads = (people: readonly Person[]): Buffer[] =>
  Array.from({ length: COLD_DAYS }, (_, daysAgo) => {
    const end = Temporal.Now.plainDateISO("UTC").subtract({ days: daysAgo })
    const range = `start_date=${end.subtract({ days: NIGHTS - 1 })}&end_date=${end}`
    return people.map(({ key }) => bytesOf(readOf(key, `type=sleep&${range}`)))
  }).flat()

const hotReads = (people: readonly Person[]): Buffer[] =>
  people.map(({ key }) => bytesOf(readOf(key, `type=sleep&days=${NIGHTS}`)))

/**
 * Reads of other people at rest, and while one person asks for 20 relations over ten years at a time, in turns. A client that is refused
 * waits as `Retry-After` says. Returns the median under load as a multiple of that at rest, by kind of read.
 */
export async function besideStatistics({ service: { port, url }, person, people }: Bench) {
  const row = openTable(`7-night reads of others beside ${RELATIONS} relations over ten years of one person`, [
    "read",
    "at rest p50",
    "p99",
    "beside p50",
    "p99",
    "times",
    "relations/s",
    "429/s",
  ])
  const times: Record<string, number> = {}
  for (const [name, requests] of Object.entries({ hot: hotReads(people), cold: coldReads(people) })) {
    const load = { port, connections: 1, status: 200, next: inTurn(requests) }
    const [atRest, beside]: [Sample[], Sample[]] = [[], []]
    const asked = { answered: 0, refused: 0 }
    await run(load, ROUND_MS)
    for (let round = 0; round < ROUNDS; round += 1) {
      atRest.push(await run(load, ROUND_MS))
      const ended = new AbortController()
      const clients = Array.from({ length: RELATIONS }, (_, client) =>
        askForRelations(`${url}/api/v1/relate?outcome=hrv`, { person, first: client, asked, signal: ended.signal }),
      )
      beside.push(await run(load, ROUND_MS))
      ended.abort()
      await Promise.all(clients)
    }
    const [rest, loaded] = [figuresOf(atRest), figuresOf(beside)]
    const seconds = (ROUNDS * ROUND_MS) / 1_000
    times[name] = loaded.p50Ms / rest.p50Ms
    row([
      `7 nights, ${name}`,
      milliseconds(rest.p50Ms),
      milliseconds(rest.p99Ms),
      milliseconds(loaded.p50Ms),
      milliseconds(loaded.p99Ms),
      ratio(times[name]),
      perSecond(asked.answered / seconds),
      perSecond(asked.refused / seconds),
    ])
  }
  return times
}

interface Asking {
  readonly person: Person
  /** The number of the client: no two ask for the same dates. */
  readonly first: number
  readonly asked: { answered: number; refused: number }
  readonly signal: AbortSignal
}

async function askForRelations(question: string, { person, first, asked, signal }: Asking): Promise<void> {
  const today = Temporal.Now.plainDateISO("UTC")
  for (let count = first; !signal.aborted; count += RELATIONS) {
    const end = today.subtract({ days: count % 300 })
    const start = end.subtract({ days: DAYS - Math.floor(count / 300) })
    const response = await fetch(`${question}&start_date=${start}&end_date=${end}`, {
      headers: { authorization: `Bearer ${person.key}` },
    })
    await response.arrayBuffer()
    if (response.status === 200) asked.answered += 1
    else if (response.status === 429) {
      asked.refused += 1
      await wait(1_000 * Number(response.headers.get("retry-after")))
    } else throw new Error(`expected 200 or 429 and got ${response.status}`)
  }
}
