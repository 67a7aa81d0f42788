import { compare } from "../measuring/compare.ts"
import { comparedTo, type Reached, reachedOf } from "../measuring/comparison.ts"
import { inTurn } from "../measuring/load.ts"
import { bytesOf, readOf, type SentRequest } from "../measuring/requests.ts"
import { openTable } from "../measuring/table.ts"
import { expectSameRecords, startPgJson } from "../peers/peers.ts"
import { type Bench, nightRanges } from "../targets/bench.ts"

const CONNECTIONS = [1, 32] as const

/**
 * Reads that the response cache cannot answer: each combination of person and 90 nights was last read thousands of reads before, or never.
 * The peer answers the same sequence from the same database. Returns the comparison with most connections.
 */
export async function coldReads({ service: { port, database }, postgres, people }: Bench): Promise<Reached> {
  const ranges = nightRanges()
  const pairs = ranges.flatMap((search) => people.map((person) => ({ search, ...person })))
  const ours = pairs.map(({ key, search }) => readOf(key, search))
  const theirs = pairs.map(({ userId, search }): SentRequest => ({ path: `/?user_id=${userId}&${search}` }))
  await using peer = await startPgJson(database)
  for (const [index, request] of theirs.slice(0, 1).entries())
    await expectSameRecords({ port, request: ours[index] ?? request }, { port: peer.port, request })
  const row = openTable(
    `Cold reads of 90 nights, ${people.length} people and ${ranges.length} ranges in turn, ${postgres} PostgreSQL`,
    ["read", "connections", "req/s", "p50 ms", "p99 ms", "of peer", "p99 of peer's"],
  )
  const nextOurs = inTurn(ours.map(bytesOf))
  const nextTheirs = inTurn(theirs.map(bytesOf))
  let reached: Reached = { share: Number.NaN, p99: Number.NaN }
  for (const connections of CONNECTIONS) {
    const measured = await compare({
      peer: { port: peer.port, connections, next: nextTheirs, status: 200 },
      ours: { port, connections, next: nextOurs, status: 200 },
    })
    row(["**Restwell**", connections, ...comparedTo(measured.peer, measured.ours)])
    row(["peer: one pg query and JSON.stringify", connections, ...comparedTo(measured.peer, measured.peer)])
    reached = reachedOf(measured.peer, measured.ours)
  }
  return reached
}
