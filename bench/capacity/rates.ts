/** How often each kind of operation happens in a person's day, and what vendors allow. */
import { VENDORS, type VendorName } from "@restwell/providers"

export interface Rate {
  readonly title: string
  /** Times a person and day, of a vendor that sends webhooks. */
  readonly perDay: number
  /** The same of a vendor that is polled. @default as with webhooks */
  readonly perDayPolled?: number
  readonly from: string
  /** Done between waking and three hours later, by everybody of one country. */
  readonly isOfMorning?: true
}

export const RATES = {
  night: {
    title: "night: two webhooks and their sync",
    perDay: 1,
    from: "a night",
    isOfMorning: true,
  },
  workout: {
    title: "workout: two webhooks and their sync",
    perDay: 1,
    from: "one a day, as in bench:week",
  },
  refresh: {
    title: "sync that a read of old data starts",
    perDay: 30,
    perDayPolled: 0,
    from: "24 hourly reads, and 6 more of a screen within two hours: all find data older than 15 minutes",
  },
  poll: {
    title: "poll that finds nothing new",
    perDay: 0,
    perDayPolled: 24,
    from: "pollEveryMs of the sync policies, half an hour at three vendors",
  },
  push: {
    title: "push of an hour from a phone",
    perDay: 24,
    from: "an hourly automation of Health Auto Export",
  },
  cold: {
    title: "read of 7 nights after a sync",
    perDay: 30,
    from: "after each of these syncs; hourly is the scan_interval of docs/recipes.md",
  },
  hot: {
    title: "read of 7 nights again",
    perDay: 3,
    from: "the rest of the free plan, 1,000 requests a month",
  },
  conditional: {
    title: "conditional read, 304",
    perDay: 16,
    from: "a screen that asks every 5 minutes for two hours",
  },
  briefing: {
    title: "briefing, sent to a webhook",
    perDay: 1,
    from: "one a night",
    isOfMorning: true,
  },
} as const satisfies Readonly<Record<string, Rate>>

export type KindName = keyof typeof RATES

export const KIND_NAMES: readonly KindName[] = [
  "night",
  "workout",
  "refresh",
  "poll",
  "push",
  "cold",
  "hot",
  "conditional",
  "briefing",
]

/** Everybody of one country wakes within three hours, and phones and programs rest for eight. */
const MORNING_HOURS = 3
const WAKING_HOURS = 16

/** How often it happens in the busiest hour of a country. */
export const inBusiestHour = ({ isOfMorning }: Rate, perDay: number): number =>
  perDay / (isOfMorning ? MORNING_HOURS : WAKING_HOURS)

export interface VendorRoom {
  readonly vendor: string
  readonly limit: number
  readonly calls: number
  readonly people: number
}

/**
 * Calls of a person and day. WHOOP's is what `npm run bench:week` measures with webhooks, rounded up, and 30 more with reads. The
 * others are days without webhooks, as `npm run test:faults` measures them (docs/sync.md). Polar's 122 are less the 100 by which each person
 * raises its limit.
 */
const CALLS: readonly { readonly vendor: VendorName; readonly title: string; readonly calls: number }[] = [
  { vendor: "whoop", title: "WHOOP, webhooks alone", calls: 8 },
  { vendor: "whoop", title: "WHOOP, webhooks and reads", calls: 38 },
  { vendor: "whoop", title: "WHOOP, polled", calls: 108 },
  { vendor: "polar", title: "Polar, polled", calls: 22 },
  { vendor: "withings", title: "Withings, polled", calls: 573 },
  { vendor: "oura", title: "Oura, polled", calls: 539 },
]

/** How many people one app of a vendor serves. Vendors that limit each person or key set no bound. */
export const vendorRooms = (): VendorRoom[] =>
  CALLS.map(({ vendor, title, calls }) => {
    const { perDay } = VENDORS[vendor].syncPolicy.calls
    return { vendor: title, limit: perDay, calls, people: Math.floor(perDay / calls) }
  })
