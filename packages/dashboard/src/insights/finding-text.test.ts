import type { FoundRelation, Metric } from "@restwell/client"
import { rangeWords } from "@restwell/client/figures"
import { expect, test } from "vitest"
import { factorTitle, findingText, unclearText } from "./finding-text.ts"
import { groupFindings } from "./findings.ts"

const metric = (id: string, title: string, more: Partial<Metric> = {}): Metric => ({
  id,
  title,
  unit: null,
  better: "higher",
  decimals: 1,
  kind: "number",
  sources: ["whoop"],
  first_date: null,
  last_date: null,
  n: 176,
  ...more,
})
const HRV = metric("hrv", "Heart rate variability", { unit: "ms" })
const RECOVERY = metric("recovery_score", "Recovery", { unit: "%" })
const ASLEEP = metric("asleep", "Time asleep", { unit: "h", decimals: 2 })
const BEDTIME = metric("bedtime", "Bedtime", { kind: "clock", decimals: 0 })
const METRICS = [
  HRV,
  RECOVERY,
  ASLEEP,
  BEDTIME,
  metric("strain", "Strain"),
  metric("rem", "REM sleep", { unit: "h" }),
  metric("journal:cold_shower", "Cold shower", { kind: "yes_no" }),
]
const answer = (factor: string, more: Partial<FoundRelation> = {}): FoundRelation => ({
  factor,
  kind: "yes_no",
  n: 176,
  yes_n: 41,
  difference: -9.2,
  interval: [-14.1, -4.3],
  verdict: "lower",
  part_of_outcome: false,
  ...more,
})
const correlation = (factor: string, more: Partial<FoundRelation> = {}): FoundRelation => ({
  factor,
  kind: "number",
  n: 172,
  rho: 0.31,
  interval: [0.16, 0.45],
  verdict: "positive",
  part_of_outcome: false,
  ...more,
})

const sentence = (relation: FoundRelation, outcome: Metric, lag: 0 | 1 = 0): string => {
  const { lead, middle, strong, rest, small } = findingText({ ...relation, lag }, outcome, METRICS)
  return `${lead} ${middle} ${strong}${rest} ${small}`
}

test.each([
  [
    answer("journal:alcohol"),
    HRV,
    0,
    "After alcohol your HRV was 9 ms lower, between 4 and 14 ms lower. 41 of 176 mornings",
  ],
  [
    answer("journal:cold_shower", { difference: 4, interval: [0.001, 8], verdict: "higher" }),
    RECOVERY,
    0,
    "With “Cold shower” your recovery was 4 points higher, up to 8 points higher. 41 of 176 mornings",
  ],
  [
    answer("workout:functional-fitness", { difference: -0.4, interval: [-0.7, -0.1] }),
    ASLEEP,
    1,
    "The day after functional fitness your time asleep was 24 min less, between 6 min and 42 min less. 41 of 176 mornings",
  ],
  [
    answer("journal:alcohol", { difference: 25, interval: [5, 45], verdict: "higher" }),
    BEDTIME,
    0,
    "After alcohol your bedtime was 25 min later, between 5 min and 45 min later. 41 of 176 mornings",
  ],
  [
    correlation("bedtime", { kind: "clock", rho: -0.31, interval: [-0.45, -0.16], verdict: "negative" }),
    RECOVERY,
    0,
    "With a later bedtime your recovery tends to be lower. 172 mornings · rank correlation −0.31, between −0.45 and −0.16",
  ],
  [
    correlation("strain"),
    RECOVERY,
    1,
    "With more strain the day before your recovery tends to be higher. 172 mornings · rank correlation +0.31, between +0.16 and +0.45",
  ],
  [
    correlation("rem"),
    RECOVERY,
    0,
    "With more REM sleep your recovery tends to be higher. 172 mornings · rank correlation +0.31, between +0.16 and +0.45",
  ],
] as const)("a clear link is a sentence that a person would say: %#", (relation, outcome, lag, text) => {
  expect(sentence(relation, outcome, lag)).toBe(text)
})

test("the nearer end of an interval is as fine as the further one", () => {
  expect(rangeWords(RECOVERY, [-9.1, -2.8])).toBe("between 3 and 9 points lower")
  expect(rangeWords(RECOVERY, [0.2, 1.4])).toBe("between 0.2 and 1.4 points higher")
})

test("an interval on both sides of zero names both directions", () => {
  expect(rangeWords(RECOVERY, [-7.02, 3.58])).toBe("between 7 points lower and 4 points higher")
  expect(unclearText({ ...answer("journal:caffeine", { interval: null }), lag: 0 }, RECOVERY)).toBe(
    "41 of 176 mornings",
  )
})

const list = (lag: 0 | 1, relations: FoundRelation[]) => ({
  outcome: "recovery_score",
  lag,
  period: { start_date: "2026-05-29", end_date: "2026-11-24", days: 180 },
  tried: relations.length,
  false_discovery_rate: 0.1,
  relations,
  notes: [`lag ${lag}`],
  source: { provider: "whoop", status: "ok" as const, last_synced_at: null },
  sources: [],
})

test("days count with the morning after them, nights and the journal with their own", () => {
  const relations = (sign: 1 | -1) => [
    answer("journal:alcohol", { difference: 9 * sign }),
    correlation("strain", { rho: 0.3 * sign }),
    correlation("rem", { rho: 0.4 * sign, verdict: "no_clear_relation" }),
    correlation("hrv", { part_of_outcome: true }),
    answer("journal:sick", { n: 4, verdict: "not_enough_data" }),
  ]
  const found = groupFindings([list(0, relations(1)), list(1, relations(-1))], "before")
  expect(found.behaviour.clear.map(({ factor, lag }) => [factor, lag])).toEqual([
    ["journal:alcohol", 0],
    ["strain", 1],
  ])
  expect(found.behaviour.untested.map(({ factor }) => factor)).toEqual(["journal:sick"])
  expect(found.figures).toMatchObject({ clear: [], unclear: [{ factor: "rem", rho: 0.4 }] })
  expect(found.parts.clear.map(({ factor }) => factor)).toEqual(["hrv"])
  expect(found).toMatchObject({ tried: 3, notes: ["lag 0"] })
})

test("a list of one lag has each factor once", () => {
  const one = list(1, [answer("journal:alcohol"), correlation("strain")])
  expect(groupFindings([one], 1).behaviour.clear).toHaveLength(2)
})

test("a sport is a word of the sentence, and an abbreviation stays one", () => {
  expect(factorTitle("workout:table-tennis", METRICS)).toBe("Table tennis")
  expect(factorTitle("workout:hiit", METRICS)).toBe("HIIT")
})

test("a topic of a journal without answers is called by its words", () => {
  expect(factorTitle("journal:late_meal", METRICS)).toBe("Late meal")
})

test("a recovery is in points also where its vendor's score is no percentage", () => {
  const score = metric("recovery_score", "Recovery", { unit: null })
  expect(sentence(answer("journal:alcohol"), score)).toBe(
    "After alcohol your recovery was 9 points lower, between 4 and 14 points lower. 41 of 176 mornings",
  )
})
