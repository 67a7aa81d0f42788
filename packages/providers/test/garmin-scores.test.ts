// Garmin's export archive: what a night counts, and what scores are made of.
import { expect, test } from "vitest"
import { NIGHT, read, recordsOf } from "./garmin-rows.ts"

test("a night without a waking has none, and a count of -1 is no count", async () => {
  const nightWith = async (awakeCount: number) => recordsOf(await read({ nights: [{ ...NIGHT, awakeCount }] }), "sleep")
  expect(await nightWith(0)).toMatchObject([{ timesAwake: 0 }])
  expect((await nightWith(-1))[0]).not.toHaveProperty("timesAwake")
})

test("a score of a night has its parts, and one that Garmin did not compute is absent", async () => {
  const sleepScores = { overallScore: 82, deepScore: 71, remScore: 0, interruptionsScore: -1, feedback: "POSITIVE" }
  const [night] = recordsOf(await read({ nights: [{ ...NIGHT, sleepScores }] }), "sleep")
  expect(night).toMatchObject({
    scorePercent: 82,
    contributors: [
      { name: "deep", value: 71, unit: null },
      { name: "rem", value: 0, unit: null },
    ],
  })
  const [plain] = recordsOf(await read({ nights: [NIGHT] }), "sleep")
  expect(plain).not.toHaveProperty("contributors")
})

test("the readiness of a morning has the factors of the row that counts", async () => {
  const row = { calendarDate: "2026-11-18", score: 61, hrvFactorPercent: 44, acwrFactorPercent: 90 }
  const readiness = [
    { ...row, inputContext: "AFTER_WAKEUP_RESET", timestamp: "2026-11-18T06:00:00.0" },
    { ...row, score: 1, hrvFactorPercent: 3, timestamp: "2026-11-18T18:00:00.0" },
  ]
  expect(recordsOf(await read({ readiness }), "recovery")).toMatchObject([
    {
      scorePercent: 61,
      contributors: [
        { name: "hrv_status", value: 44, unit: "%" },
        { name: "acute_load", value: 90, unit: "%" },
      ],
    },
  ])
})
