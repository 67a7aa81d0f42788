import { compare, type Figures } from "../measuring/compare.ts"
import { comparedTo, type Reached, reachedOf } from "../measuring/comparison.ts"
import { inTurn, type Load } from "../measuring/load.ts"
import { bytesOf, readOf } from "../measuring/requests.ts"
import { openTable } from "../measuring/table.ts"
import { expectSameRecords, startFastifyPg, startMinimalCountedRead } from "../peers/peers.ts"
import { type Bench, ninetyNights } from "../targets/bench.ts"
import { startLimit, startPlainLimit } from "../targets/limit.ts"

const CONNECTIONS = [1, 32, 256] as const
/** Where a barer limit and the larger peer are measured, too. */
const FULL = 32
const STATUS = 200

export interface CountedReads {
  readonly keys: "one" | "many"
  readonly connections: number
  /** Beside bare node:http. */
  readonly reached: Reached
  /** Share of the minimal counted read. */
  readonly ofMinimal: number
}

/** Counted, authenticated reads of 90 nights that were read before: by one key, and by those of many people in turn. */
export async function countedReads({ service, postgres, person, people }: Bench): Promise<CountedReads[]> {
  const { port, database } = service
  const search = ninetyNights()
  const asked = readOf(person.key, search)
  await using limit = await startLimit(port, asked, STATUS)
  await using plain = await startPlainLimit(port, asked)
  await using peer = await startFastifyPg(database)
  await using minimal = await startMinimalCountedRead(database, port, asked)
  await expectSameRecords({ port, asked }, { port: peer.port, asked })
  const row = openTable(`Counted reads of 90 nights (${limit.bytes} B), ${postgres} PostgreSQL`, [
    "read",
    "connections",
    "req/s",
    "p50 ms",
    "p99 ms",
    "of limit",
    "p99 of limit's",
  ])
  const results: CountedReads[] = []
  for (const [keys, who, all] of [
    ["one", "one key", [person.key]],
    ["many", `${people.length} keys in turn`, people.map(({ key }) => key)],
  ] as const)
    for (const connections of CONNECTIONS) {
      const next = inTurn(all.map((key) => bytesOf(readOf(key, search))))
      const load = { connections, next, status: STATUS }
      const isFull = connections === FULL && keys === "one"
      const loads: Record<string, Load> = {
        limit: { ...load, port: limit.port },
        ours: { ...load, port },
        minimal: { ...load, port: minimal.port },
        ...(isFull && { plain: { ...load, port: plain.port }, peer: { ...load, port: peer.port } }),
      }
      const measured: Record<string, Figures> = await compare(loads)
      const print = (name: string, figures?: Figures): void => {
        if (figures && measured["limit"]) row([name, connections, ...comparedTo(measured["limit"], figures)])
      }
      print(`**Restwell, ${who}**`, measured["ours"])
      print("limit: node:http, same bytes", measured["limit"])
      print("peer: minimal counted read", measured["minimal"])
      print("node:http, body and its type alone", measured["plain"])
      print("peer: plain Fastify and pg", measured["peer"])
      if (measured["limit"] && measured["minimal"] && measured["ours"])
        results.push({
          keys,
          connections,
          reached: reachedOf(measured["limit"], measured["ours"]),
          ofMinimal: measured["ours"].perSecond / measured["minimal"].perSecond,
        })
    }
  return results
}
