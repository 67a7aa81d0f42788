/** Medians of reads over HTTP, of people in random order: the first read of each after a sync, and later ones. */
import { Agent, request } from "node:http"
import type { Pool } from "pg"
import { inTurns } from "../measuring/in-turns.ts"
import { apiKeyOfMember, userIdOfMember } from "../population/member.ts"

const CONNECTIONS = [1, 32] as const
/** The lowest median of the rounds counts, because other load on the machine only adds time. */
const ROUNDS = 3
const WARM_UP_CONNECTIONS = 8
const WARM_UP_MS = 2_000
const DAYS = [7, 90] as const

export interface Medians {
  /** Days that were read. */
  readonly days: number
  readonly connections: number
  /** Median of the first reads after a sync, milliseconds. Undefined with fewer readers than connections. */
  readonly coldMs: number | undefined
  /** Median of later reads, milliseconds. */
  readonly hotMs: number
}

export interface ReadMedians {
  readonly url: string
  readonly pool: Pool
  /** The numbers of the people who read. */
  readonly readers: readonly number[]
  /** Reads of each kind, for each number of connections. */
  readonly reads: number
}

interface Reader {
  readonly userId: string
  readonly key: string
}

export async function readMedians({ url, pool, readers, reads }: ReadMedians): Promise<Medians[]> {
  const people = readers.map((number) => ({ userId: userIdOfMember(number), key: apiKeyOfMember(number) }))
  // New rows are not written to disk yet, and not in any cache.
  await warmUp(url, people)
  const kinds = DAYS.flatMap((days) => CONNECTIONS.map((connections) => ({ days, connections })))
  const rounds: Medians[][] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const medians: Medians[] = []
    for (const kind of kinds) medians.push(await readRound({ url, pool, people, reads: reads / ROUNDS, ...kind }))
    rounds.push(medians)
  }
  return kinds.map((kind, index) => {
    const medians = rounds.flatMap((round) => round[index] ?? [])
    const coldMs = medians.flatMap((each) => each.coldMs ?? [])
    return {
      ...kind,
      coldMs: coldMs.length > 0 ? Math.min(...coldMs) : undefined,
      hotMs: Math.min(...medians.map(({ hotMs }) => hotMs)),
    }
  })
}

interface Round extends Pick<ReadMedians, "url" | "pool" | "reads"> {
  readonly people: readonly Reader[]
  readonly days: number
  readonly connections: number
}

async function readRound({ url, pool, people, reads, days, connections }: Round): Promise<Medians> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const time = ({ key }: Reader) => timeRead(agent, `${url}/api/v1/health?type=sleep&days=${days}`, key)
  const some = shuffled(people).slice(0, reads)
  const coldMs: number[] = []
  while (some.length >= connections && coldMs.length < reads) {
    await endSyncs(pool, some)
    coldMs.push(...(await inTurns(some, connections, time)))
  }
  const again = Array.from({ length: Math.ceil(reads / some.length) }, () => shuffled(some)).flat()
  const hotMs = await inTurns(again, connections, time)
  agent.destroy()
  return { days, connections, coldMs: median(coldMs), hotMs: median(hotMs) ?? Number.NaN }
}

async function warmUp(url: string, people: readonly Reader[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: WARM_UP_CONNECTIONS })
  const until = performance.now() + WARM_UP_MS
  while (performance.now() < until)
    await inTurns(shuffled(people), WARM_UP_CONNECTIONS, ({ key }) =>
      timeRead(agent, `${url}/api/v1/health?type=sleep&days=90`, key),
    )
  agent.destroy()
}

/** Makes the people look just synced, so that cached responses are invalid. */
export async function endSyncs(pool: Pool, people: readonly Pick<Reader, "userId">[]): Promise<void> {
  const ids = people.map(({ userId }) => userId)
  await pool.query("update restwell.person set data_version = data_version + 1 where user_id = any ($1)", [ids])
  await pool.query("update restwell.connection set last_synced_at = now() where user_id = any ($1)", [ids])
}

/** Milliseconds of one read. */
export const timeRead = (agent: Agent, url: string, key: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sentAt = performance.now()
    request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (answer) => {
      answer.resume().on("error", reject)
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve(performance.now() - sentAt) : reject(new Error(`got ${answer.statusCode}`)),
      )
    })
      .on("error", reject)
      .end()
  })

export function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

export function median(times: readonly number[]): number | undefined {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]
}
