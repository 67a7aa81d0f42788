// A vendor whose values within the day are hostile: each is refused or left out with a reason, and those beside it are stored.
import { readAccount, readSeriesDays } from "@restwell/core"
import { hostileFormsOf } from "@restwell/testing/hostile"
import type { World } from "@restwell/testing/world"
import fc from "fast-check"
import { expect } from "vitest"

const HEART_RATE = "/v2/usercollection/heartrate"
/** Rows of a page that are used. A real one has a thousand. */
const USED_ROWS = 20_000

type Rewrite = (rows: readonly object[]) => string

/** Connects a person of Oura whose pages of heart rates are rewritten. */
async function connectWith(world: World, rewrite: Rewrite) {
  const person = world.simulator.people.addOne()
  const repair = world.vendor.simulator.faults.add({
    match: { path: HEART_RATE, personId: person.userId },
    kind: "rewrite",
    rewrite: (reply) => `{"data":[${rewrite(JSON.parse(reply).data)}],"next_token":null}`,
  })
  const userId = await world.addUser()
  await world.connect(userId, person)
  repair()
  const query = { userId, type: "heart_rate", providers: ["oura"], from: "1970-01-01", to: "2100-01-01" } as const
  const days = await Array.fromAsync(readSeriesDays(world.store.pool, query))
  const stored = days.flatMap(({ samples: { atMs, values } }) =>
    Array.from(atMs, (ms, index) => ({ atMs: ms, bpm: values[index] ?? Number.NaN })),
  )
  const [connection] = (await readAccount(world.context, userId)).connections
  if (!connection) throw new Error("the connection is gone")
  return { stored, connection }
}

/** Replaces every other row by a hostile form. Returns how many there were. */
export async function attackSamples(world: World, seed: number): Promise<number> {
  const untouched: { readonly atMs: number; readonly bpm: number }[] = []
  let hostile = 0
  const { stored, connection } = await connectWith(world, (rows) =>
    rows
      .map((row, index) => {
        if (index % 2 === 1) {
          untouched.push({ atMs: Date.parse(Reflect.get(row, "timestamp")), bpm: Reflect.get(row, "bpm") })
          return JSON.stringify(row)
        }
        hostile += 1
        return fc.sample(hostileFormsOf(row), { seed: seed + hostile, numRuns: 1 })[0]?.text ?? ""
      })
      .join(","),
  )
  expect(connection.status).toBe("ok")
  expect(stored.length).toBeGreaterThan(0)
  const byTime = new Map(stored.map(({ atMs, bpm }) => [atMs, bpm]))
  for (const { atMs, bpm } of untouched) expect(byTime.get(atMs)).toBeGreaterThanOrEqual(bpm)
  for (const { atMs, bpm } of stored) {
    expect(bpm >= 20 && bpm <= 300, `${bpm} bpm`).toBe(true)
    expect(atMs).toBeLessThanOrEqual(world.context.clock.now().getTime() + 86_400_000)
  }
  for (const { reason } of connection.leftOut) expect(reason).toMatch(/^[^\0]{3,300}$/)
  expect(connection.leftOut.length).toBeGreaterThan(0)
  return hostile
}

/** A million rows in one page: as small ones, which are left out, and as a body of 60 MB, which is refused. */
export async function attackWithMillions(world: World): Promise<void> {
  const small = await connectWith(world, () => Array.from({ length: 1_000_000 }, () => 1).join(","))
  expect(small.connection).toMatchObject({ status: "ok", gaps: [] })
  const tooMany = small.connection.leftOut.find(({ reason }) => reason.includes("on a page"))
  expect(tooMany?.reason).toBe(`more than ${USED_ROWS} values on a page`)
  expect(Number(tooMany?.count)).toBeGreaterThanOrEqual(1_000_000 - USED_ROWS)
  const row = JSON.stringify({ timestamp: "2026-11-19T10:00:00.000Z", bpm: 60 })
  const large = await connectWith(world, () => `${`${row},`.repeat(1_000_000)}${row}`)
  expect(large.connection).toMatchObject({ status: "ok", gaps: [{ collection: "heartrate" }], leftOut: [] })
}
