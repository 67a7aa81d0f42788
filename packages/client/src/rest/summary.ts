import { z } from "zod"
import { date, hours, instant, value } from "./fields.ts"
import { HrvMethodSchema, SourceSchema, SourcesSchema } from "./source.ts"

const family = (records: string) =>
  z
    .string()
    .nullable()
    .meta({
      description: `The source of these averages: the one that was chosen for most dates of the period; null without ${records}`,
      example: "whoop",
    })
const counted = (description: string, example: number) => z.int().meta({ description, example })

/** The body of `type=summary`. An average without records is null. The counts give the number of records behind each average. */
export const SummaryResponseSchema = z
  .object({
    period: z.object({
      start: instant("Local midnight at the first date", "2026-11-13T23:00:00.000Z"),
      end: instant("Local midnight after the last date", "2026-11-20T23:00:00.000Z"),
      start_date: date("The first local date", "2026-11-14"),
      end_date: date("The last local date", "2026-11-20"),
      days: counted("The number of dates", 7),
    }),
    sleep: z.object({
      average_duration_hours: hours("Mean time in bed of the scored nights, naps excluded", 7.61),
      average_asleep_hours: hours("Mean time asleep of the scored nights, naps excluded", 7.05),
      average_need_hours: hours(
        "Mean sleep need of the scored nights, naps excluded. Null from a vendor without it",
        8.02,
      ),
      average_light_hours: hours("Mean light sleep of the scored nights, naps excluded", 3.72),
      average_deep_hours: hours("Mean deep (slow-wave) sleep of the scored nights, naps excluded", 1.58),
      average_rem_hours: hours("Mean REM sleep of the scored nights, naps excluded", 1.75),
      average_awake_hours: hours("Mean time awake inside of the scored nights, naps excluded", 0.55),
      average_performance: value("Mean sleep performance of the scored nights, percent", 84.1),
      average_efficiency: value("Mean sleep efficiency of the scored nights, percent", 92.7),
      night_count: counted("Number of scored nights in the averages", 7),
      source: family("nights"),
    }),
    recovery: z.object({
      average_score: value("Mean recovery score, percent", 63.4),
      average_hrv: value("Mean heart rate variability, milliseconds", 61.8),
      average_rhr: value("Mean resting heart rate, beats per minute", 52.3),
      day_count: counted("Number of scored recoveries in the averages", 7),
      source: family("recoveries"),
      hrv_method: HrvMethodSchema,
    }),
    strain: z.object({
      total: value(
        "Sum of the strain of the scored cycles. Strain is logarithmic: use the sum only to compare periods",
        78.3,
      ),
      average_daily: value("Mean strain of the scored cycles", 11.2),
      workout_count: counted("Number of workouts. Sauna, massage and similar activities are not counted", 4),
      cycle_count: counted("Number of scored cycles in the sum", 7),
      includes_open_cycle: z.boolean().meta({
        description: "True when the sum includes an open cycle, whose strain may still increase",
        example: true,
      }),
      source: family("strain"),
    }),
    source: SourceSchema,
    sources: SourcesSchema,
  })
  .meta({ id: "SummaryResponse" })

export type SummaryResponse = z.infer<typeof SummaryResponseSchema>
