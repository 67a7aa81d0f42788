// What vendors say that the scores of a day are made of, the lowest first. Without weights: those are the vendor's own.
import { type Contributor, type DayResponse, newestNightOf } from "@restwell/client"
import { hasBandsOfParts, hoursText, inSentence, recoveryTitle, sleepScoreTitle } from "@restwell/client/figures"
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

const NEED = "need_"

/** "baseline 7 h 40 min, sleep debt 20 min": what a sleep need is made of. Undefined where the vendor does not say. */
export function partsOfNeed({ sleep }: Lists): string | undefined {
  const parts = (newestNightOf(sleep?.records ?? [])?.contributors ?? []).filter(({ name }) => name.startsWith(NEED))
  const texts = parts
    .filter(({ name, value }) => value !== 0 || name === "need_baseline")
    .map(({ name, value }) => {
      const title = inSentence(titleOf(name.replace(/^need_(?:from_)?(?:recent_)?/, "")))
      return `${title} ${value < 0 ? "−" : ""}${hoursText(Math.abs(value))}`
    })
  return texts.length > 0 ? texts.join(", ") : undefined
}
