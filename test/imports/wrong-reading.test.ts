// A row that an earlier import read as another kind of record is replaced by the right reading, and comes back without it.
import { undoImport } from "@restwell/core"
import { zipOf } from "@restwell/simulator"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { importArchive } from "./import-archive.ts"

let world: World
beforeAll(async () => {
  world = await createWorld({ days: 3, seed: "wrong reading" })
})
afterAll(() => world.close())

const CYCLE = "2026-11-10 23:00:00,2026-11-11 22:50:00,UTC+01:00"
const [START, END] = ["2026-11-10 23:00:00", "2026-11-11 06:40:00"]
const zip = (name: string, text: string) => zipOf([{ name, bytes: Buffer.from(text) }])
/** What a reading by place alone makes of the row of a night. */
const WRONG = zip(
  "workouts.csv",
  `Cycle start time,Cycle end time,Cycle timezone,Workout start time,Workout end time,Activity name,Activity Strain\n${CYCLE},${START},${END},15,20\n`,
)
const RIGHT = zip(
  "sleeps.csv",
  `Cycle start time,Cycle end time,Cycle timezone,Sleep onset,Wake onset,Asleep duration (min),Nap\n${CYCLE},${START},${END},420,false\n`,
)

const kindsOf = async (userId: string) => {
  const { rows } = await world.store.pool.query<{ kind: string }>(
    "select kind from restwell.record where user_id = $1 order by kind",
    [userId],
  )
  return rows.map(({ kind }) => kind)
}

test.each([
  ["a workout that is a night", WRONG, RIGHT, ["workout"], ["sleep"]],
  ["a night that is a workout", RIGHT, WRONG, ["sleep"], ["workout"]],
] as const)("%s is replaced, and undoing brings it back", async (_, first, second, before, after) => {
  const userId = await world.addUser()
  await importArchive(world, userId, { bytes: first })
  expect(await kindsOf(userId)).toEqual(before)
  const { id, report } = await importArchive(world, userId, { bytes: second })
  expect([report?.stored, await kindsOf(userId)]).toEqual([1, after])
  await undoImport(world.context, userId, id)
  expect(await kindsOf(userId)).toEqual(before)
})

test("a workout within a night of another import stays", async () => {
  const userId = await world.addUser()
  const workout = zip(
    "workouts.csv",
    `Cycle start time,Cycle end time,Cycle timezone,Workout start time,Workout end time,Activity name,Activity Strain\n${CYCLE},${START},2026-11-10 23:30:00,Yoga,2\n`,
  )
  await importArchive(world, userId, { bytes: workout })
  await importArchive(world, userId, { bytes: RIGHT })
  expect(await kindsOf(userId)).toEqual(["sleep", "workout"])
})

test("a report has no characters of names that a database or a terminal cannot take", async () => {
  const userId = await world.addUser()
  const name = "a\u0000b\u001b[31m\u202eetar \ud800.csv"
  const { report } = await importArchive(world, userId, {
    bytes: zip(
      name,
      `Cycle start time,Cycle end time,Cycle timezone,Sleep onset,Wake onset,Asleep duration (min),Nap\n${CYCLE},${START},${END},420,false\n`,
    ),
  })
  expect(report).toMatchObject({ stored: 1, notes: [expect.stringContaining("etar")] })
  expect(JSON.stringify(report)).not.toMatch(/\\u0000|\\u001b|\u202e|\\ud800/)
})
