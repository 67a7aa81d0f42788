// The store depends on the rows that were pushed, and not on how they came.
import { createIngestToken, openIngestToken } from "@restwell/core"
import { createWorld, type World } from "@restwell/testing/world"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Row, rowsOfNight, storedOf, storePush } from "./pusher.ts"

let world: World
beforeAll(async () => {
  world = await createWorld({ days: 1 })
})
afterAll(() => world.close())

/** Three nights of a watch, one of them also of a ring, a later version of a count, and heart rates. */
function allRows(): Row[] {
  const at = (minute: number) => new Date(Date.parse("2026-11-18T22:00:00Z") + minute * 60_000).toISOString()
  return [
    ...["2026-11-17", "2026-11-18", "2026-11-19"].flatMap((date) => rowsOfNight(date)),
    ...rowsOfNight("2026-11-18", { source: "Ring", restingHeartRate: 49 }),
    {
      type: "steps",
      start: "2026-11-18T08:00:00+01:00",
      end: "2026-11-18T09:10:00+01:00",
      value: 3200,
      source: "Apple Watch",
    },
    {
      type: "steps",
      start: "2026-11-18T20:00:00+01:00",
      end: "2026-11-18T21:00:00+01:00",
      value: 10,
      source: "Strava",
    },
    ...Array.from({ length: 40 }, (_, index) => ({
      type: "heart_rate",
      start: at(index * 7),
      value: 50 + (index % 9),
    })),
  ]
}

async function phone() {
  const userId = await world.addUser()
  const { token } = await createIngestToken(world.context, { userId, name: "Phone" })
  const pusher = await openIngestToken(world.context, token)
  const push = (records: readonly Row[]) => storePush(world, pusher, { records })
  return { userId, push }
}

test("any batches in any order, some of them twice, store what one push stores", async () => {
  const rows = allRows()
  const clean = await phone()
  await clean.push(rows)
  const expected = await storedOf(world, clean.userId)
  const batches = fc
    .tuple(
      fc.shuffledSubarray(rows, { minLength: rows.length }),
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 }),
    )
    .map(([shuffled, sizes]) => {
      const cut: Row[][] = []
      let start = 0
      for (const size of [...sizes, rows.length]) {
        cut.push(shuffled.slice(start, start + size))
        start += size
      }
      return [...cut, ...cut.slice(0, 2)]
    })
  await fc.assert(
    fc.asyncProperty(batches, async (each) => {
      const { userId, push } = await phone()
      for (const batch of each) await push(batch)
      expect(await storedOf(world, userId)).toBe(expected)
    }),
    { numRuns: 10, seed: 31 },
  )
})

test("pushes at the same time lose nothing", async () => {
  const rows = allRows()
  const clean = await phone()
  await clean.push(rows)
  const { userId, push } = await phone()
  const halves = [rows.slice(0, 20), rows.slice(10, 60), rows.slice(50)]
  await Promise.all([...halves, ...halves].map(push))
  expect(await storedOf(world, userId)).toBe(await storedOf(world, clean.userId))
})
