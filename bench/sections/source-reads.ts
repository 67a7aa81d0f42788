import { compare } from "../measuring/compare.ts"
import { comparedTo, reachedOf } from "../measuring/comparison.ts"
import { inTurn } from "../measuring/load.ts"
import { bytesOf, readOf } from "../measuring/requests.ts"
import { openTable } from "../measuring/table.ts"
import { type Bench, COPIED_DAYS, nightRanges } from "../targets/bench.ts"
import { withClient } from "../targets/database.ts"
import { addSources, type BenchPerson, copyPeople } from "../targets/people.ts"

const CONNECTIONS = [1, 32] as const
/** With all ranges, their answers are more than the response cache holds. */
export const PEOPLE_OF_SOURCES = 50
const MORE_SOURCES = ["oura", "polar"] as const

/**
 * Cold reads of people whose nights one source measured, and of as many people whose nights three sources measured. One of the three is
 * chosen for each night, so both get as many records. Returns how often as much a read of three costs, with most connections.
 */
export async function sourceReads({ service: { port, database }, postgres, person, people }: Bench): Promise<number> {
  const several = await withClient(database, async (client) => {
    const copies = await copyPeople(client, person, { prefix: "several", count: PEOPLE_OF_SOURCES, days: COPIED_DAYS })
    await addSources(client, copies, MORE_SOURCES)
    return copies
  })
  const readsOf = (whose: readonly BenchPerson[]) =>
    inTurn(nightRanges().flatMap((search) => whose.map(({ key }) => bytesOf(readOf(key, search)))))
  const [nextOfOne, nextOfThree] = [readsOf(people.slice(0, PEOPLE_OF_SOURCES)), readsOf(several)]
  const row = openTable(
    `Cold reads of 90 nights of one source and of three, ${PEOPLE_OF_SOURCES} people each, ${postgres} PostgreSQL`,
    ["read", "connections", "req/s", "p50 ms", "p99 ms", "of one", "p99 of one's"],
  )
  let cost = Number.NaN
  for (const connections of CONNECTIONS) {
    const { one, three } = await compare({
      one: { port, connections, next: nextOfOne, status: 200 },
      three: { port, connections, next: nextOfThree, status: 200 },
    })
    row(["one source", connections, ...comparedTo(one, one)])
    row(["**three sources**", connections, ...comparedTo(one, three)])
    cost = 1 / reachedOf(one, three).share
  }
  return cost
}
