// A field that a night or a workout does not need costs nothing of it, where it is blank or wrong.
import { zipOf } from "@restwell/simulator"
import { expect, test } from "vitest"
import { readBytes } from "./archive-files.ts"

const csv = (name: string, lines: readonly string[]) => zipOf([{ name, bytes: Buffer.from(lines.join("\n")) }])
const recordsIn = async (bytes: Buffer) =>
  (await readBytes(bytes)).flatMap((item) => (item.type === "record" ? [item.archived] : []))

const WHOOP = "Cycle start time,Cycle end time,Cycle timezone"
const cycle = (end: string) => `2026-11-17 23:00:00,${end},UTC+01:00`
const BROKEN = "2026-11-18 24:00:00"

test.each([
  [
    "sleep",
    "sleeps.csv",
    `${WHOOP},Sleep onset,Wake onset,Asleep duration (min),Nap`,
    "2026-11-17 23:00:00,2026-11-18 07:00:00,420,false",
  ],
  [
    "workout",
    "workouts.csv",
    `${WHOOP},Workout start time,Workout end time,Activity name,Activity Strain`,
    "2026-11-18 17:00:00,2026-11-18 18:00:00,Running,12",
  ],
])(
  "WHOOP: a %s whose cycle has an end that cannot be is stored, and the end is counted",
  async (kind, name, header, row) => {
    const items = await readBytes(csv(name, [header, `${cycle(BROKEN)},${row}`]))
    const whole = await recordsIn(csv(name, [header, `${cycle("2026-11-18 22:50:00")},${row}`]))
    const found = items.flatMap((item) => (item.type === "record" ? [item.archived] : []))
    expect(found.map(({ record: { raw: _, ...record }, ...archived }) => [record, archived])).toEqual(
      whole.map(({ record: { raw: _, ...record }, ...archived }) => [record, archived]),
    )
    expect(found.map(({ record }) => record.kind)).toEqual([kind])
    expect(items.filter(({ type }) => type === "left_out")).toMatchObject([
      { reason: expect.stringMatching(/cycle_end/) },
    ])
  },
)

test("WHOOP: a cycle whose end cannot be has its night and its recovery, and none of it is pending", async () => {
  const header = `${WHOOP},Recovery score %,Resting heart rate (bpm),Heart rate variability (ms),Day Strain,Sleep onset,Wake onset,Asleep duration (min)`
  const row = "66,52,71,11.5,2026-11-17 23:00:00,2026-11-18 07:00:00,420"
  const found = await recordsIn(csv("physiological_cycles.csv", [header, `${cycle(BROKEN)},${row}`]))
  expect(found.map(({ record: { kind, scoreState } }) => [kind, scoreState]).toSorted()).toEqual([
    ["cycle", "scored"],
    ["recovery", "scored"],
    ["sleep", "scored"],
  ])
})

test.each(["", "null", "2026-11-31", "soon"])(
  "Oura: a night whose day is %j has the date of its waking",
  async (day) => {
    const header = "id;day;bedtime_start;bedtime_end;type;total_sleep_duration;time_in_bed"
    const row = (text: string) =>
      `s1;${text};2026-11-17T23:00:00+01:00;2026-11-18T07:00:00+01:00;long_sleep;25200;28800`
    const [night] = await recordsIn(csv("sleepmodel.csv", [header, row(day)]))
    expect(night).toMatchObject({ date: "2026-11-18", record: { kind: "sleep", providerId: "s1" } })
  },
)
