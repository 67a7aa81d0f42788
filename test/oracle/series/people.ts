/** Made-up people: their samples, the zones they live in, and the clocks of their nights. */
import type { SeriesType } from "@restwell/client"

export interface PlainSample {
  readonly provider: string
  readonly type: SeriesType
  readonly method: "rmssd" | "sdnn" | null
  /** Seconds since the epoch, a multiple of UNIT. */
  readonly at: number
  readonly value: number
  /** Seconds, 0 for a moment, a multiple of UNIT. */
  readonly duration: number
  /** Minutes east of UTC, where the vendor gives the clock. */
  readonly offset: number | null
}

/** A night: its end, and the clock there. */
export interface PlainNight {
  readonly at: number
  readonly offset: number
}

export interface PlainPerson {
  readonly zone: string
  /** In the person's order. */
  readonly order: readonly string[]
  readonly nights: readonly PlainNight[]
  readonly samples: readonly PlainSample[]
}

/** Northern and southern changes of clocks, one of half an hour, and an offset of a quarter of one. */
export const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"] as const
export const PROVIDERS_OF_PEOPLE = ["oura", "polar"] as const

/** Times are in steps of this number of seconds, so that a minute is divided. */
export const UNIT = 30
/** Units of the time in which half of the samples of a day are. */
const NEAR = 60

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The instant of a local time, seconds since the epoch, and the clock then. */
function localMoment(zone: string, date: string, hour: number): PlainNight {
  const moment = Temporal.PlainDate.from(date).toZonedDateTime({
    timeZone: zone,
    plainTime: Temporal.PlainTime.from({ hour }),
  })
  return { at: moment.epochMilliseconds / 1000, offset: Math.round(moment.offsetNanoseconds / 60e9) }
}

/** A person of this number. @param dates on which samples begin, by UTC */
export function personOf(seed: number, dates: readonly string[]): PlainPerson {
  const random = randomOf(seed)
  const whole = (most: number) => Math.floor(random() * most)
  const zone = ZONES[seed % ZONES.length] ?? ZONES[0]
  const nights = dates.flatMap((date) => (random() < 0.9 ? [localMoment(zone, date, 7)] : []))
  const samples = dates.flatMap((date) => {
    const midnight = Date.parse(date) / 1000
    return PROVIDERS_OF_PEOPLE.flatMap((provider) =>
      random() < 0.25 ? [] : samplesOfDay({ provider, midnight, random, whole, zone }),
    )
  })
  const order = random() < 0.5 ? PROVIDERS_OF_PEOPLE : PROVIDERS_OF_PEOPLE.toReversed()
  return { zone, order, nights, samples }
}

interface DayOptions {
  readonly provider: string
  readonly midnight: number
  readonly random: () => number
  readonly whole: (most: number) => number
  readonly zone: string
}

function samplesOfDay({ provider, midnight, random, whole, zone }: DayOptions): PlainSample[] {
  const of = (
    type: SeriesType,
    count: number,
    longest: number,
    highest: number,
    method: PlainSample["method"] = null,
  ) => {
    // Many near one another, as in a workout.
    const near = whole(86_400 / UNIT - NEAR)
    const starts = new Set(
      Array.from({ length: count }, (_, index) => UNIT * (index % 2 === 0 ? whole(86_400 / UNIT) : near + whole(NEAR))),
    )
    const hasOffset = random() < 0.3
    const ordered = [...starts].toSorted((one, other) => one - other)
    return ordered.map((second, index): PlainSample => {
      const at = midnight + second
      const offset = Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9
      const lasting = longest === 0 ? 0 : UNIT * (1 + whole(longest / UNIT))
      // Of counts that overlap only some count: packages/providers/src/normalize/counts.test.ts has that rule.
      const room = (ordered[index + 1] ?? 86_400) - second
      const duration = type === "steps" ? Math.min(lasting, room) : lasting
      return {
        provider,
        type,
        method,
        at,
        value: whole(highest * 10) / 10,
        duration,
        offset: hasOffset ? Math.round(offset) : null,
      }
    })
  }
  const early = midnight < Date.parse("2026-04-01") / 1000
  return [
    ...of("heart_rate", 30, random() < 0.5 ? 0 : 600, 180),
    ...of("hrv", 6, 300, 120, early ? "sdnn" : "rmssd"),
    ...of("steps", 12, 7_200, 900),
    ...of("weight", random() < 0.3 ? 2 : 0, 0, 90),
  ]
}
