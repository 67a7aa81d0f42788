/** One vocabulary of figures: names, units, rounding, directions and sentences, of one table by metric. */
export * from "./answer-writer.ts"
export * from "./best-text.ts"
export * from "./clock.ts"
export * from "./day-sentences.ts"
export * from "./directions.ts"
export * from "./figure-text.ts"
export {
  entryOf,
  type FigureFamily,
  factorNameOf,
  familyOf,
  hasSum,
  inSentence,
  isBehaviour,
  isCount,
  isMetricId,
  isOfAnySource,
  isOfDaytime,
  isOfMorning,
  isOnOwnScales,
  journalMetric,
  journalTitle,
  LIMIT_METRICS,
  labelOf,
  lagBefore,
  METRICS,
  type MetricDescription,
  metricNamed,
  metricOf,
  type NamedMetric,
  nameOf,
  possibleValues,
  readFrom,
  seriesName,
  seriesTitle,
  sportMetric,
  sportNameOf,
  stepOf,
} from "./metric-table.ts"
export * from "./numbers.ts"
export * from "./plain-words.ts"
export * from "./score-scale.ts"
export * from "./sentences.ts"
export * from "./sign-text.ts"
export { consentPageOf, type ScoreBand, type ScoreStep, sourceName } from "./source-table.ts"
export * from "./tonight.ts"
export * from "./units.ts"
export * from "./usual.ts"
export * from "./verdict-text.ts"
