import type { ChartedMetric, Metric } from "@restwell/client"
import {
  differenceText,
  differenceWord,
  factorNameOf,
  figure,
  inSentence,
  isClear,
  isOfDaytime,
  metricNamed,
  nameOf,
  plural,
  rangeWords,
  rhoText,
  wordsOf,
} from "@restwell/client/figures"
import { factorName } from "../charts/journal-marks.tsx"
import { sportName } from "../format/provider-name.ts"
import type { Finding } from "./findings.ts"

/* A relation as a sentence that a person would say. It says what goes together, and never what causes what. */

/** Factors of journals whose title is no word of a sentence. Others are quoted. */
const AFTER: Readonly<Record<string, string>> = {
  alcohol: "After alcohol",
  caffeine: "After caffeine",
  late_meal: "After a late meal",
  nicotine: "After nicotine",
  screen_in_bed: "After a screen in bed",
  read_in_bed: "After reading in bed",
  shared_bed: "After a night in a shared bed",
  sick: "When you were sick",
  stress: "After stress",
  meditation: "After meditation",
  melatonin: "After melatonin",
  magnesium: "After magnesium",
  sauna: "After a sauna",
  travel: "After travel",
  away: "After a night in another time zone",
}

const JOURNAL = "journal:"
const WORKOUT = "workout:"

/** What a factor is called in a list. Sports, and topics of a journal without answers, have no entry in the catalogue. */
export function factorTitle(factor: string, metrics: readonly Metric[]): string {
  if (factor.startsWith(WORKOUT)) return sportName(factor.slice(WORKOUT.length))
  const known = metrics.find(({ id }) => id === factor)
  return known?.title ?? (factor.startsWith(JOURNAL) ? factorName(factor.slice(JOURNAL.length)) : factor)
}

/** "After alcohol", "With a later bedtime", "With more strain the day before" */
function factorPhrase({ factor, kind, lag }: Finding, metrics: readonly Metric[]): string {
  const title = factorTitle(factor, metrics)
  if (factor.startsWith(WORKOUT)) return `${lag === 1 ? "The day after" : "On days with"} ${inSentence(title)}`
  if (kind === "yes_no") {
    const after = AFTER[factorNameOf(factor) ?? factor] ?? `With \u201c${title}\u201d`
    return lag === 1 ? `${after}, one day later,` : after
  }
  const metric = metrics.find(({ id }) => id === factor) ?? metricNamed(factor)
  return `With ${wordsOf(metric).upBefore} ${inSentence(title)}${lag === 1 ? " the day before" : ""}`
}

/** What the outcome has a value for. */
const occasions = (n: number, { id }: ChartedMetric): string =>
  plural(n, isOfDaytime(id) || id.startsWith(JOURNAL) ? "day" : "morning")

export interface FindingText {
  /** The factor: "After alcohol". */
  readonly lead: string
  readonly middle: string
  /** The direction, with the amount where there is one: "9 ms lower". */
  readonly strong: string
  readonly rest: string
  /** Counts, and the rank correlation of a number. */
  readonly small: string
}

/** A relation with a clear link as a sentence. */
export function findingText(found: Finding, outcome: ChartedMetric, metrics: readonly Metric[]): FindingText {
  const lead = factorPhrase(found, metrics)
  const { difference, interval, n, yes_n: yes, verdict } = found
  if (typeof difference === "number") {
    const rest = interval === null ? "." : `, ${rangeWords(outcome, interval)}.`
    return {
      lead,
      middle: `your ${nameOf(outcome)} was`,
      strong: `${differenceText(outcome, Math.abs(difference))} ${differenceWord(outcome, difference)}`,
      rest,
      small: yes === undefined ? occasions(n, outcome) : `${figure(yes)} of ${occasions(n, outcome)}`,
    }
  }
  const { up, down } = wordsOf(outcome)
  return {
    lead,
    middle: `your ${nameOf(outcome)} tends to be`,
    strong: verdict === "negative" ? down : up,
    rest: ".",
    small: correlationText(found, outcome),
  }
}

/** A relation without a clear link in a few words. */
export function unclearText(found: Finding, outcome: ChartedMetric): string {
  const { difference, interval, n, yes_n: yes } = found
  if (typeof difference !== "number") return correlationText(found, outcome)
  const range = interval === null ? "" : ` \u00b7 ${rangeWords(outcome, interval)}`
  return `${yes === undefined ? occasions(n, outcome) : `${figure(yes)} of ${occasions(n, outcome)}`}${range}`
}

function correlationText({ n, rho = null, interval }: Finding, outcome: ChartedMetric): string {
  if (rho === null) return occasions(n, outcome)
  const range = interval === null ? "" : `, between ${rhoText(interval[0])} and ${rhoText(interval[1])}`
  return `${occasions(n, outcome)} \u00b7 rank correlation ${rhoText(rho)}${range}`
}

/** Whether a clear link is one that people want. Undefined where neither way is. */
export function isWanted({ verdict }: Finding, { better }: Pick<Metric, "better">): boolean | undefined {
  if (better === "neither" || !isClear(verdict)) return undefined
  return (verdict === "higher" || verdict === "positive") === (better === "higher")
}
