import { exportAccount, exportCsv, mergeSamples } from "@restwell/core"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"

const DAY_MS = 86_400_000
/** A value for each five seconds. */
const SAMPLES = 17_280
/** Characters of a piece that others do not notice. One day of values in columns is the largest part. */
const LONGEST_PIECE = 400_000
const LONGEST_TABLE_PIECE = 65_536

let world: World
let userId: string
beforeAll(async () => {
  world = await createWorld({ days: 30 })
  userId = await world.addUser()
  await world.connect(userId, world.simulator.people.add({ email: "ada@example.com" }))
  await world.store.pool.query(`
    insert into restwell.record (user_id, provider, kind, provider_id, score_state, vendor_updated_at, date, started_at, ended_at, detail, candidate, raw)
    select user_id, provider, kind, copy || provider_id, score_state, vendor_updated_at, date, started_at, ended_at, detail, candidate, raw
    from (select * from restwell.record where kind = 'sleep' and date is not null limit 1) one, generate_series(1, 2000) copy`)
  const startMs = Date.parse("2026-11-01T00:00:00Z")
  for (let day = 0; day < 3; day += 1) {
    const samples = Array.from({ length: SAMPLES }, (_, index) => ({
      atMs: startMs + day * DAY_MS + (index * DAY_MS) / SAMPLES,
      value: 60 + ((index * 7) % 40),
    }))
    await world.context.database
      .transaction()
      .execute((transaction) =>
        mergeSamples(transaction, { userId, provider: "whoop" }, [{ type: "heart_rate", samples }]),
      )
  }
})
afterAll(() => world.close())

test("everything about a person comes in short pieces, so that others are answered between them", async () => {
  const pieces = await Array.fromAsync(exportAccount(world.context, userId))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(LONGEST_PIECE)
  const whole = JSON.parse(pieces.join(""))
  expect(whole.series).toHaveLength(3)
  expect(whole.records.length).toBeGreaterThan(2_000)
  expect(whole.records[0]).toHaveProperty("raw")
})

test.each(["sleep", "series"] as const)(
  "a table of type %s comes in short pieces, each of whole lines",
  async (type) => {
    const pieces = await Array.fromAsync(exportCsv(world.context, userId, type))
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(LONGEST_TABLE_PIECE)
    for (const piece of pieces) expect(piece.endsWith("\r\n")).toBe(true)
    const lines = pieces.join("").split("\r\n").length - 2
    expect(lines).toBe(type === "series" ? 3 * SAMPLES : await countSleeps())
  },
)

async function countSleeps(): Promise<number> {
  const { rows } = await world.store.pool.query(
    "select count(*)::int as count from restwell.record where kind = 'sleep'",
  )
  return rows[0].count
}
