// Measures of scales and other devices: groups of them, what they are worth, and the series that they become.
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { HOUR_MS, SECOND_MS } from "@restwell/client/time-units"
import type { SampleRead } from "../contract/sample-read.ts"
import type { LeftOut, Sample, SampleSet, SampleWindow } from "../contract/series.ts"
import { offsetInZone } from "../normalize/derive.ts"
import { plausibleSamples } from "../normalize/plausible-samples.ts"
import { reasonsOf } from "../normalize/read-records.ts"
import { requireReadable } from "../normalize/require-readable.ts"
import { usableZone } from "../normalize/zoned-days.ts"
import { listMeasures, type MeasureGroups, type WithingsAccess } from "./api.ts"
import { type MeasureGroup, MeasureGroupSchema, MeasureSchema } from "./wire.ts"

/** Types of measures that become series. */
const SERIES = {
  weight: 1,
  body_fat: 6,
  blood_pressure_systolic: 10,
  blood_pressure_diastolic: 9,
  vo2max: 123,
} as const satisfies Readonly<Partial<Record<SampleSet["type"], number>>>
const SERIES_TYPES = ["weight", "body_fat", "blood_pressure_systolic", "blood_pressure_diastolic", "vo2max"] as const

/** The scale does not know who stood on it. It may be somebody else of the household. */
const AMBIGUOUS = 1
const MAY_BE_ANOTHER_PERSON =
  "the scale does not know whether it was you. Assign the measurement to yourself in the Withings app"
/** Goals are another category. */
const MEASURED = 1

interface ReadGroups {
  readonly groups: readonly MeasureGroup[]
  /** Groups that may be another person's. */
  readonly ambiguous: readonly MeasureGroup[]
  /** Why groups cannot be read, one text each. */
  readonly unread: readonly string[]
}

/** Reads groups. A page that moved meanwhile may hold one twice. */
export function groupsOf({ rows }: Pick<MeasureGroups, "rows">): ReadGroups {
  const unread: string[] = []
  const byId = new Map<string, MeasureGroup>()
  for (const row of rows) {
    const { data, error } = MeasureGroupSchema.safeParse(row)
    if (error) unread.push(reasonsOf(error))
    else if ((data.category ?? MEASURED) === MEASURED) byId.set(data.grpid, data)
  }
  const all = [...byId.values()]
  return {
    groups: all.filter(({ attrib }) => attrib !== AMBIGUOUS),
    ambiguous: all.filter(({ attrib }) => attrib === AMBIGUOUS),
    unread,
  }
}

/** Returns the measure of a type in a group. Undefined where there is none. */
export function figureOf({ measures }: MeasureGroup, type: number): number | undefined {
  const found = measures.map((measure) => MeasureSchema.safeParse(measure).data).find((one) => one?.type === type)
  // A quotient of whole numbers is exact where a product with 0.001 is not.
  return found && (found.unit < 0 ? found.value / 10 ** -found.unit : found.value * 10 ** found.unit)
}

/** The window ends now, and clocks of devices may be ahead. */
const AHEAD_MS = 24 * HOUR_MS

/**
 * Returns all measures of a window as series. What may be another person's is counted and left out. A measure of long ago is typed, corrected or
 * assigned to the person at any time: with the newest ones come the days of those that were.
 */
export async function readMeasures(access: WithingsAccess, window: SampleWindow, now: Date): Promise<SampleRead> {
  const sets = await setsOf(access, window, now)
  const earlier = window.to >= now ? await changedBefore(access, window.from) : undefined
  return { sets, ...(earlier && { changedBefore: { window: earlier, sets: await setsOf(access, earlier, now) } }) }
}

/** Returns the UTC days before an instant that have measures which were made or changed since, from the first to the last. */
async function changedBefore(access: WithingsAccess, at: Date): Promise<SampleWindow | undefined> {
  const changedSince = Math.floor(at.getTime() / SECOND_MS)
  const { groups, ambiguous } = groupsOf(await listMeasures(access, Object.values(SERIES), { changedSince }))
  const days = [...groups, ...ambiguous].flatMap(({ date }) => (date < at ? utcDateOf(date) : [])).toSorted()
  const [first, last] = [days[0], days.at(-1)]
  return first === undefined || last === undefined
    ? undefined
    : { from: new Date(first), to: new Date(addDays(last, 1)) }
}

async function setsOf(access: WithingsAccess, window: SampleWindow, now: Date): Promise<SampleSet[]> {
  const [fromMs, toMs] = [window.from.getTime(), window.to.getTime()]
  const to = toMs >= now.getTime() ? new Date(toMs + AHEAD_MS) : window.to
  const read = await listMeasures(access, Object.values(SERIES), { from: window.from, to })
  const timezone = usableZone(read.timezone)
  const { groups, ambiguous, unread } = groupsOf(read)
  requireReadable(
    "measure",
    read.rows,
    unread.map((reason) => ({ reason })),
  )
  const isWithin = ({ date }: MeasureGroup) => date.getTime() >= fromMs && date.getTime() < toMs
  const setOf = (type: (typeof SERIES_TYPES)[number]): SampleSet => {
    const samples = groups.filter(isWithin).flatMap((group): Sample[] => {
      const value = figureOf(group, SERIES[type])
      const atMs = group.date.getTime()
      return value === undefined ? [] : [{ atMs, value, utcOffsetMinutes: offsetInZone(atMs, timezone) }]
    })
    const leftOut = ambiguous
      .filter((group) => isWithin(group) && figureOf(group, SERIES[type]) !== undefined)
      .map(({ date }): LeftOut => ({ type, day: utcDateOf(date), reason: MAY_BE_ANOTHER_PERSON, count: 1 }))
    const unreadable = type === "weight" ? unread.map((reason): LeftOut => ({ type, reason, count: 1 })) : []
    return plausibleSamples({ type, samples, leftOut: [...leftOut, ...unreadable] }, now)
  }
  return SERIES_TYPES.map(setOf)
}
