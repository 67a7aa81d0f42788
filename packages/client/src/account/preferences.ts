import { z } from "zod"
import { WEEKDAYS, type Weekday } from "../base/calendar-dates.ts"

export const UNITS = ["metric", "imperial"] as const
export const CLOCKS = ["24h", "12h"] as const
export const FIRST_WEEKDAYS = ["monday", "sunday", "saturday"] as const

/** The cards of the page Trends, in their usual order. */
export const TREND_CARDS = [
  "recovery_score",
  "asleep",
  "hrv",
  "resting_heart_rate",
  "strain",
  "steps",
  "bedtime",
  "skin_temp_deviation",
  "weight",
  "body_fat",
  "strain_and_recovery",
] as const
export type TrendCardId = (typeof TREND_CARDS)[number]

/** Names of time zones, and not offsets such as +01:00, which are wrong for half of a year. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone
    // Dates are counted by Temporal, which does not know all names of Intl, such as PST. Not every browser has it.
    if ("Temporal" in globalThis) Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return known.length > 0
  } catch {
    return false
  }
}

const units = z.enum(UNITS, { error: `must be one of ${UNITS.join(", ")}` }).meta({
  description: "metric: kilometres, kilograms, degrees Celsius. imperial: miles, pounds, degrees Fahrenheit",
  example: "metric",
})
const clock = z.enum(CLOCKS, { error: `must be one of ${CLOCKS.join(", ")}` }).meta({ example: "24h" })
const firstWeekday = z
  .enum(FIRST_WEEKDAYS, { error: `must be one of ${FIRST_WEEKDAYS.join(", ")}` })
  .meta({ description: "The first day of a week in calendars", example: "monday" })

const daysOff = z
  .array(z.enum(WEEKDAYS, { error: `must be some of ${WEEKDAYS.join(", ")}` }))
  .min(1, { error: "must have 1 to 6 weekdays" })
  .max(WEEKDAYS.length - 1, { error: "must have 1 to 6 weekdays" })
  .refine((each) => new Set(each).size === each.length, { error: "must have each weekday once" })
  .meta({
    description: "The days off. Trends with `by=weekend` and `social_jetlag_minutes` go by them",
    example: ["saturday", "sunday"],
  })

const cards = z
  .array(z.enum(TREND_CARDS, { error: `must be some of ${TREND_CARDS.join(", ")}` }))
  .refine((each) => new Set(each).size === each.length, { error: "must have each card once" })
  .nullable()
const trendCards = cards.meta({
  description: "The order of the cards of the page Trends. Cards that it leaves out follow. Null for the usual order",
  example: ["hrv", "recovery_score", "asleep"],
})
const hiddenCards = cards.meta({ description: "The cards that are hidden. Null for none", example: ["steps"] })
const noMainDevice = z.boolean().meta({
  description: "True for who lets Restwell choose among several devices: the page asks for a main one no more",
  example: false,
})

/** PUT /api/account/preferences. What it leaves out stays as it is. */
export const PreferencesChangeSchema = z
  .strictObject({
    units: units.optional(),
    clock: clock.optional(),
    first_weekday: firstWeekday.optional(),
    days_off: daysOff
      .nullable()
      .optional()
      .meta({ description: "The days off. Null for Saturday and Sunday", example: ["friday", "saturday"] }),
    time_zone: z
      .string()
      .max(60)
      .refine(isTimeZone, { error: "must be a time zone by name, like Europe/Berlin" })
      .nullable()
      .optional()
      .meta({
        description: "It decides which date is today until the first record says where the person is",
        example: "Europe/Berlin",
      }),
    trend_cards: trendCards.optional(),
    hidden_cards: hiddenCards.optional(),
    no_main_device: noMainDevice.optional(),
    suggested: z.boolean().optional().meta({
      description:
        "True for what the browser prefers: it is stored where nothing is, and an import of Restwell's own export replaces it",
      example: false,
    }),
  })
  .meta({ id: "PreferencesChange" })

/** The keys of {@link PreferencesResponseSchema} that a person or their browser sets. */
export const PREFERENCE_KEYS = [
  "units",
  "clock",
  "first_weekday",
  "days_off",
  "time_zone",
  "trend_cards",
  "hidden_cards",
  "no_main_device",
] as const

/** GET and PUT /api/account/preferences. */
export const PreferencesResponseSchema = z
  .object({
    units,
    clock,
    first_weekday: firstWeekday,
    days_off: daysOff,
    time_zone: z.string().nullable().meta({ description: "Null where none is stored", example: "Europe/Berlin" }),
    trend_cards: trendCards,
    hidden_cards: hiddenCards,
    no_main_device: noMainDevice,
    stored: z.array(z.enum(PREFERENCE_KEYS)).meta({
      description:
        "The keys that were set. The others are defaults, so the page asks the browser for them and sets them",
      example: ["units", "clock", "first_weekday", "time_zone"],
    }),
  })
  .meta({ id: "PreferencesResponse" })

export type PreferencesChange = z.infer<typeof PreferencesChangeSchema>
export type PreferencesResponse = z.infer<typeof PreferencesResponseSchema>
/** What figures and clock times are written by. */
export type DisplayPreferences = Pick<PreferencesResponse, "units" | "clock" | "first_weekday">

/** Where nothing is stored. */
export const DEFAULT_PREFERENCES: DisplayPreferences = { units: "metric", clock: "24h", first_weekday: "monday" }
/** Where nothing is stored. */
export const DEFAULT_DAYS_OFF: readonly Weekday[] = ["saturday", "sunday"]
