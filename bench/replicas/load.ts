import autocannon from "autocannon"
import type { Reader } from "./cluster.ts"

const CONNECTIONS = 32
const PATH = "/api/v1/health?type=sleep&days=30"
/** nginx closes a connection after 1,000 requests, and autocannon then assigns responses to the wrong requests. */
const LONGEST_RUN = CONNECTIONS * 900

/** Responses to one reader, by status. */
type Tally = Map<number, number>

/** Responses, by the email address of the reader. */
export interface Outcome {
  readonly byReader: ReadonlyMap<string, Tally>
  /** Connections that broke. */
  readonly broken: number
}

/** Reads with each key in turn, over connections that stay open. Returns after the last response. */
export async function load(url: string, readers: readonly Reader[], amount: number): Promise<Outcome> {
  const byReader = new Map<string, Tally>(readers.map(({ member }) => [member.email, new Map()]))
  const requests = readers.map(({ key, member }): autocannon.Request => {
    const tally: Tally = byReader.get(member.email) ?? new Map()
    return { ...readBy(key), onResponse: (status) => void tally.set(status, (tally.get(status) ?? 0) + 1) }
  })
  let broken = 0
  for (let left = amount; left > 0; left -= LONGEST_RUN) {
    const { errors } = await autocannon({
      url,
      connections: CONNECTIONS,
      amount: Math.min(left, LONGEST_RUN),
      requests,
    })
    broken += errors
  }
  return { byReader, broken }
}

/** How many responses have a matching status. */
export const total = ({ byReader }: Outcome, matches: (status: number) => boolean): number =>
  [...byReader.values()]
    .flatMap((tally) => [...tally])
    .reduce((sum, [status, count]) => sum + (matches(status) ? count : 0), 0)

export interface Speed {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Measures one run of reads. @throws if a response is not 200 */
export async function measure(url: string, readers: readonly Reader[]): Promise<Speed> {
  const requests = readers.map(({ key }) => readBy(key))
  const result = await autocannon({ url, connections: CONNECTIONS, amount: LONGEST_RUN, requests })
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} broken`)
  return { perSecond: result["2xx"] / result.duration, p50Ms: result.latency.p50, p99Ms: result.latency.p99 }
}

const readBy = (key: string) => ({ method: "GET" as const, path: PATH, headers: { authorization: `Bearer ${key}` } })
