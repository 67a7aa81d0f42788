import { z } from "zod"
import { date, hours, instant, localInstant, value, wholeValue } from "./fields.ts"
import { recordsOf } from "./records.ts"
import { recordSource, ScoreStateSchema } from "./source.ts"

const zone = (number: number, example: number) => hours(`Time in heart rate zone ${number}`, example).unwrap()

/** Time in each heart rate zone. */
export const WorkoutZonesSchema = z
  .object({
    zone_0_hours: zone(0, 0.02),
    zone_1_hours: zone(1, 0.11),
    zone_2_hours: zone(2, 0.36),
    zone_3_hours: zone(3, 0.28),
    zone_4_hours: zone(4, 0.09),
    zone_5_hours: zone(5, 0),
  })
  .meta({ id: "WorkoutZones" })

/** One workout as the REST endpoint returns it. */
export const WorkoutRecordSchema = z
  .object({
    id: z.string().meta({ example: "whoop-ecfc6a15-4661-442f-a9a4-f160dd7afae8" }),
    date: date("The local date of its start"),
    start: instant("When it began", "2026-11-19T16:02:10.000Z"),
    end: instant("When it ended", "2026-11-19T16:53:40.000Z"),
    start_local: localInstant("When it began", "2026-11-19T17:02:10+01:00"),
    end_local: localInstant("When it ended", "2026-11-19T17:53:40+01:00"),
    duration_hours: hours("Duration", 0.86).unwrap(),
    sport_type: z.string().meta({
      description:
        "running, cycling, swimming, strength, yoga, hiit, walking or other; any other sport keeps the vendor's name",
      example: "running",
    }),
    score_state: ScoreStateSchema,
    strain: value("Strain (WHOOP: 0-21, logarithmic)", 11.4),
    average_heart_rate: wholeValue("Beats per minute", 142),
    max_heart_rate: wholeValue("Beats per minute", 171),
    calories: wholeValue("Energy burned, kilocalories", 613),
    distance_meters: value("Distance, metres", 9120.4),
    zones: WorkoutZonesSchema.nullable().meta({ description: "Time in each heart rate zone, hours" }),
    ...recordSource,
  })
  .meta({ id: "WorkoutRecord" })

/** The body of `type=workout`. */
export const WorkoutResponseSchema = recordsOf(WorkoutRecordSchema).meta({ id: "WorkoutResponse" })

export type WorkoutZones = z.infer<typeof WorkoutZonesSchema>
export type WorkoutRecord = z.infer<typeof WorkoutRecordSchema>
export type WorkoutResponse = z.infer<typeof WorkoutResponseSchema>
