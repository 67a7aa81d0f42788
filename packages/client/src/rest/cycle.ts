import { z } from "zod"
import { date, instant, localInstant, value, wholeValue } from "./fields.ts"
import { recordsOf } from "./records.ts"
import { recordSource, ScoreStateSchema } from "./source.ts"

/** One physiological cycle as the REST endpoint returns it. */
export const CycleRecordSchema = z
  .object({
    id: z.string().meta({ example: "whoop-1001" }),
    date: date(
      "The local date of waking from its main sleep. Without a main sleep, the local date 12 hours after its start",
    ),
    start: instant("When it began", "2026-11-18T22:31:05.120Z"),
    end: instant("When it ended; null while it is open", "2026-11-19T22:12:40.000Z").nullable(),
    start_local: localInstant("When it began", "2026-11-18T23:31:05+01:00"),
    end_local: localInstant("When it ended; null while it is open", "2026-11-19T23:12:40+01:00").nullable(),
    score_state: ScoreStateSchema,
    strain: value("Strain (WHOOP: 0-21, logarithmic). While the cycle is open, the strain so far", 13.7),
    calories: wholeValue("Energy burned, kilocalories", 2481),
    average_heart_rate: wholeValue("Beats per minute", 66),
    max_heart_rate: wholeValue("Beats per minute", 171),
    steps: wholeValue("Steps; null where the source counts none", 8342),
    active_calories: wholeValue("Energy burned beyond rest, kilocalories; `calories` includes it", 612),
    distance_meters: value("Distance of the day, metres (Oura: the equivalent walking distance)", 6204.5),
    ...recordSource,
  })
  .meta({ id: "CycleRecord" })

/** The body of `type=cycle`. */
export const CycleResponseSchema = recordsOf(CycleRecordSchema).meta({ id: "CycleResponse" })

export type CycleRecord = z.infer<typeof CycleRecordSchema>
export type CycleResponse = z.infer<typeof CycleResponseSchema>
