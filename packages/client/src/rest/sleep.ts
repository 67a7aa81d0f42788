import { z } from "zod"
import { date, hours, instant, localInstant, value } from "./fields.ts"
import { recordsOf } from "./records.ts"
import { recordSource, ScoreStateSchema } from "./source.ts"

/** One sleep as the REST endpoint returns it. Spec 2.1. */
export const SleepRecordSchema = z
  .object({
    id: z.string().meta({ example: "whoop-5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11" }),
    date: date("The local date of waking"),
    start: instant("When the sleep began", "2026-11-18T22:31:05.120Z"),
    end: instant("When the sleep ended", "2026-11-19T06:30:44.870Z"),
    start_local: localInstant("When the sleep began", "2026-11-18T23:31:05+01:00"),
    end_local: localInstant("When the sleep ended", "2026-11-19T07:30:44+01:00"),
    duration_hours: hours("Time in bed, asleep and awake", 7.99).unwrap(),
    asleep_hours: hours("Time asleep: light, deep and REM sleep. Null without stages", 7.46),
    need_hours: hours(
      "Sleep that the person needed, as the vendor computes it. Null until scored, and from a vendor without a need (Oura)",
      8.12,
    ),
    is_nap: z.boolean().meta({ description: "True for a nap, false for a night", example: false }),
    score_state: ScoreStateSchema,
    score: z.object({
      performance: value("Sleep performance: time asleep / sleep need, percent", 92),
      efficiency: value("Time asleep / time in bed, percent", 93.3),
      consistency: value("Sleep consistency: similarity of the sleep times of the last days, percent", 81),
    }),
    stages: z.object({
      light_hours: hours("Light sleep", 3.85),
      deep_hours: hours("Deep (slow-wave) sleep", 1.67),
      rem_hours: hours("REM sleep", 1.94),
      awake_hours: hours("Awake inside the sleep period", 0.53),
    }),
    respiratory_rate: value("Breaths per minute", 14.6),
    ...recordSource,
  })
  .meta({ id: "SleepRecord" })

/** The body of `type=sleep`. Spec 2.1. */
export const SleepResponseSchema = recordsOf(SleepRecordSchema).meta({ id: "SleepResponse" })

export type SleepRecord = z.infer<typeof SleepRecordSchema>
export type SleepResponse = z.infer<typeof SleepResponseSchema>
