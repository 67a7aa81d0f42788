import { z } from "zod"
import { date, hours, instant, value } from "../rest/fields.ts"
import { ScoreStateSchema, SourceSchema } from "../rest/source.ts"

/** Minutes from the local midnight with which the day begins; a time before it is negative. */
const minutes = (description: string, example: number) =>
  z.int().meta({ description: `${description}, minutes from the local midnight that begins \`date\``, example })

/** The person's own usual range: mean and one standard deviation to both sides, over the 30 scored nights before. */
const BandSchema = z
  .object({
    low: z.number().meta({ example: 58.1 }),
    high: z.number().meta({ example: 71.4 }),
  })
  .nullable()
  .meta({ description: "Mean of the 30 scored nights before, one standard deviation to both sides; null before 5" })

const NightSchema = z
  .object({
    score_state: ScoreStateSchema,
    start: instant("When the night began", "2026-11-18T22:31:05.120Z"),
    end: instant("When it ended", "2026-11-19T06:30:44.870Z"),
    start_minutes: minutes("When it began", -29),
    end_minutes: minutes("When it ended", 451),
    duration_hours: hours("Time in bed", 7.99).unwrap(),
    light_hours: hours("Light sleep", 3.85),
    deep_hours: hours("Deep (slow-wave) sleep", 1.67),
    rem_hours: hours("REM sleep", 1.94),
    awake_hours: hours("Awake inside the sleep period", 0.53),
    performance: value("Sleep got / sleep needed, percent", 92),
    efficiency: value("Time asleep / time in bed, percent", 93.3),
    consistency: value("How alike the times of the last days' sleeps are, percent", 81),
    respiratory_rate: value("Breaths per minute", 14.6),
  })
  .meta({ description: "The night's main sleep: the longest that is no nap" })

const TrendRecoverySchema = z.object({
  score_state: ScoreStateSchema,
  score: value("Recovery, percent", 67),
  hrv: value("Heart rate variability, RMSSD, milliseconds", 64.2),
  resting_heart_rate: value("Beats per minute", 52),
  spo2: value("Blood oxygen, percent", 96.4),
  skin_temp_celsius: value("Skin temperature, degrees Celsius", 33.6),
  skin_temp_deviation_celsius: value("Its deviation from the 30 scored nights before", -0.2),
})

const TrendStrainSchema = z.object({
  score_state: ScoreStateSchema,
  strain: value("The day's strain, 0 to 21", 12.4),
  calories: value("Kilocalories", 2310),
  is_open: z.boolean().meta({ description: "True while the day goes on: its figures still grow", example: false }),
})

const TrendWorkoutSchema = z.object({
  id: z.string().meta({ example: "whoop-9a1c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11" }),
  sport_type: z.string().meta({ example: "running" }),
  score_state: ScoreStateSchema,
  start: instant("When it began", "2026-11-19T17:02:00.000Z"),
  start_minutes: minutes("When it began", 1082),
  duration_hours: hours("How long it was", 0.75).unwrap(),
  strain: value("Strain, 0 to 21", 9.8),
  average_heart_rate: value("Beats per minute", 141),
  max_heart_rate: value("Beats per minute", 171),
  calories: value("Kilocalories", 512),
  distance_meters: value("Metres", 8012.5),
})

export const TrendDaySchema = z
  .object({
    date: date("The local date"),
    sleep: NightSchema.nullable().meta({ description: "Null where there is no record" }),
    nap_hours: hours("Time in bed of all naps; null where there was none", 0.5),
    recovery: TrendRecoverySchema.nullable(),
    hrv_band: BandSchema,
    resting_heart_rate_band: BandSchema,
    strain: TrendStrainSchema.nullable(),
    workouts: z.array(TrendWorkoutSchema).meta({ description: "In the order of their times" }),
  })
  .meta({ id: "TrendDay" })

/** GET /api/account/trends: a row for each date, those without data too. */
export const TrendsResponseSchema = z
  .object({
    period: z.object({
      start_date: date("The first date"),
      end_date: date("The last date: today where the person is"),
      days: z.int().meta({ description: "How many dates", example: 30 }),
    }),
    days: z.array(TrendDaySchema).meta({ description: "Oldest first" }),
    source: SourceSchema.nullable().meta({ description: "Null while no provider is connected" }),
  })
  .meta({ id: "TrendsResponse" })

export type TrendDay = z.infer<typeof TrendDaySchema>
export type TrendsResponse = z.infer<typeof TrendsResponseSchema>
