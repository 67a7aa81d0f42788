import { compare } from "../measuring/compare.ts"
import { comparedTo } from "../measuring/comparison.ts"
import { inTurn } from "../measuring/load.ts"
import { bytesOf, readOf } from "../measuring/requests.ts"
import { openTable } from "../measuring/table.ts"
import type { Bench } from "../targets/bench.ts"
import { startLimit } from "../targets/limit.ts"

const CONNECTIONS = 32
const STATUS = 200
const SEARCHES = ["type=sleep&days=7", "type=summary&days=7", "type=profile"] as const

/** Reads of other lengths and types. */
export async function otherReads({ service: { port }, postgres, person }: Bench): Promise<void> {
  const row = openTable(`Other counted reads, ${CONNECTIONS} connections, ${postgres} PostgreSQL`, [
    "read",
    "bytes",
    "req/s",
    "p50 ms",
    "p99 ms",
    "of limit",
    "p99 of limit's",
  ])
  for (const search of SEARCHES) {
    const request = readOf(person.key, search)
    await using limit = await startLimit(port, request, STATUS)
    const load = { connections: CONNECTIONS, next: inTurn([bytesOf(request)]), status: STATUS }
    const measured = await compare({ limit: { ...load, port: limit.port }, ours: { ...load, port } })
    row([`**Restwell, ${search}**`, limit.bytes, ...comparedTo(measured.limit, measured.ours)])
    row(["limit: node:http, same bytes", limit.bytes, ...comparedTo(measured.limit, measured.limit)])
  }
}
