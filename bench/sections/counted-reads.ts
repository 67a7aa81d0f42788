import { compare, type Figures } from "../measuring/compare.ts"
import { comparedTo } from "../measuring/comparison.ts"
import { inTurn, type Load } from "../measuring/load.ts"
import { bytesOf, readOf } from "../measuring/requests.ts"
import { openTable } from "../measuring/table.ts"
import { expectSameRecords, startFastifyPg, startMinimalCountedRead } from "../peers/peers.ts"
import { type Bench, ninetyNights } from "../targets/bench.ts"
import { startLimit, startPlainLimit } from "../targets/limit.ts"

const CONNECTIONS = [1, 32, 256] as const
/** The number of connections at which the plain limit and the larger peer are measured as well. */
const FULL = 32
const STATUS = 200

export interface CountedReads {
  readonly keys: "one" | "many"
  readonly connections: number
  /** Share of the minimal counted read. */
  readonly ofMinimal: number
}

/** Repeated reads of 90 nights, with one key, and with the keys of many people in turn. */
export async function countedReads({ service, postgres, person, people }: Bench): Promise<CountedReads[]> {
  const { port, database } = service
  const search = ninetyNights()
  const request = readOf(person.key, search)
  await using limit = await startLimit(port, request, STATUS)
  await using plain = await startPlainLimit(port, request)
  await using peer = await startFastifyPg(database)
  await using minimal = await startMinimalCountedRead(database, port, request)
  await expectSameRecords({ port, request }, { port: peer.port, request })
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
      if (measured["minimal"] && measured["ours"])
        results.push({ keys, connections, ofMinimal: measured["ours"].perSecond / measured["minimal"].perSecond })
    }
  return results
}
