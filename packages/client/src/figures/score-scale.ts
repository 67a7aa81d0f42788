/** What the scores of each source are: percentages or points, in bands or without, and their names. */

import { entryOf, type NamedMetric } from "./metric-table.ts"
import { figure } from "./numbers.ts"
import { type ScoreStep, sourceEntry } from "./source-table.ts"

/** "%" for a score that is a percentage. Other vendors' scores are points. */
export const scoreUnit = (source: string | null): "%" | "" => sourceEntry(source)?.scoreUnit ?? ""

/** What people of a source read as their recovery score: not every vendor calls it recovery. */
export const recoveryTitle = (source: string | null): string => sourceEntry(source)?.recoveryTitle ?? "Recovery"

/** What people of a source read as their sleep score: WHOOP's is how much of the need was slept. */
export const sleepScoreTitle = (source: string | null): string =>
  sleepScoreOf(source) === undefined ? "Sleep score" : "Sleep performance"

/** The bands of a source's scores, the best first. Undefined for sources without bands. */
export const scoreSteps = (source: string | null): readonly ScoreStep[] | undefined => sourceEntry(source)?.bands

/** Whether a source's bands are those of the parts of its scores too. */
export const hasBandsOfParts = (source: string): boolean => sourceEntry(source)?.hasBandsOfParts === true

/** What a source's sleep score compares the sleep with: "need". Undefined for a score of the vendor's own. */
export const sleepScoreOf = (source: string | null): string | undefined => sourceEntry(source)?.sleepScoreOf

const TITLES: Partial<Record<string, (source: string) => string>> = {
  recovery_score: recoveryTitle,
  sleep_performance: sleepScoreTitle,
}

/** The metric as its source gives it: not every vendor's score is a percentage, or has the same name. */
export const ofSource = <Metric extends NamedMetric>(metric: Metric, provider: string): Metric =>
  entryOf(metric).isScore
    ? {
        ...metric,
        unit: scoreUnit(provider) || null,
        title: TITLES[metric.id]?.(provider) ?? metric.title,
      }
    : metric

/** "88 %", or "82" for a score that is no percentage. */
export const scoreText = (score: number, source: string | null): string =>
  [figure(score), scoreUnit(source)].filter((part) => part !== "").join(" ")
