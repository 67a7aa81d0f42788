// What vendors say that the scores of a day are made of, the lowest first. Without weights: those are the vendor's own.
import { type Contributor, type DayResponse, newestNightOf } from "@restwell/client"
import { hasBandsOfParts, hoursText, recoveryTitle, sleepScoreTitle } from "@restwell/client/figures"
import { bandName } from "../trends/recovery-band.ts"

interface Part {
  readonly name: string
  /** "HRV balance" */
  readonly title: string
  /** 0 to 100. */
  readonly value: number
  readonly unit: string
  /** The vendor's word for the value. Undefined for vendors without one. */
  readonly word: string | undefined
}

/** A score with its parts. */
export interface ScoreParts {
  readonly title: string
  readonly source: string
  readonly parts: readonly Part[]
}

type Lists = Pick<DayResponse, "recovery" | "sleep" | "cycle">

/** Scores of a day whose vendor gives parts of them: of the morning, of the night, and of the day. */
export function scorePartsOf({ recovery, sleep, cycle }: Lists): ScoreParts[] {
  const [morning, night, day] = [recovery?.records[0], newestNightOf(sleep?.records ?? []), cycle?.records[0]]
  return [
    ...(morning ? partsOf(recoveryTitle(morning.source), morning) : []),
    ...(night ? partsOf(sleepScoreTitle(night.source), night) : []),
    ...(day ? partsOf("Activity score", day) : []),
  ]
}

interface Scored {
  readonly source: string
  readonly contributors: readonly Contributor[]
}

function partsOf(title: string, { source, contributors }: Scored): ScoreParts[] {
  const parts = contributors
    .filter(({ unit }) => unit === null || unit === "%")
    .toSorted((one, other) => one.value - other.value)
    .map(({ name, value, unit }) => ({
      name,
      title: titleOf(name),
      value,
      unit: unit ?? "",
      word: hasBandsOfParts(source) ? bandName(value, source) : undefined,
    }))
  return parts.length > 0 ? [{ title, source, parts }] : []
}

/** "HRV balance", "REM sleep" */
function titleOf(name: string): string {
  const words = name.replaceAll("_", " ").replace(/\b(?:hrv|rem)\b/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const BASE = "need_baseline"

/** What a sleep need is more or less for. Tonight's "Sleep debt" is the whole of it, and not the part of a need. */
const NEED_FOR: Readonly<Record<string, string>> = {
  need_from_sleep_debt: "debt",
  need_from_recent_strain: "strain",
  need_from_recent_nap: "naps",
}

/**
 * "8 h 21 min: 7 h 54 min base, +6 min for debt, +21 min for strain": what a sleep need is made of. Undefined where the vendor does not say.
 */
export function partsOfNeed({ sleep }: Lists): string | undefined {
  const night = newestNightOf(sleep?.records ?? [])
  const base = night?.contributors.find(({ name }) => name === BASE)
  if (!night || !base || night.need_hours === null) return undefined
  const others = night.contributors.flatMap(({ name, value }) => {
    const of = NEED_FOR[name]
    return of === undefined || value === 0 ? [] : [`${value < 0 ? "−" : "+"}${hoursText(Math.abs(value))} for ${of}`]
  })
  return `${hoursText(night.need_hours)}: ${[`${hoursText(base.value)} base`, ...others].join(", ")}`
}
