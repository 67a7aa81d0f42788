import type { Grouping } from "../rest/insight-query.ts"
import type { MetricId } from "../rest/metric.ts"
import type { Provider } from "../rest/source.ts"

/** A metric, or a factor of the journal: `journal:alcohol`. */
export type MetricName = MetricId | `journal:${string}`

interface SourceOnly {
  /** The only source to read. @default the chosen source of each date */
  readonly source?: Provider | undefined
}

interface Dates extends SourceOnly {
  /** How many dates, 1 to 4000, ending today or at `endDate`. `startDate` wins over it. @default 7, for relations 180 */
  readonly days?: number | undefined
  /** First local date, inclusive, YYYY-MM-DD. */
  readonly startDate?: string | undefined
  /** Last local date, inclusive, YYYY-MM-DD. @default today */
  readonly endDate?: string | undefined
}

/** Which metrics to list. */
export type MetricsQuestion = SourceOnly

/** One metric over a period of any length. */
export interface TrendQuestion extends Dates {
  readonly metric: MetricName
  /** Groups of the values. @default none */
  readonly by?: Grouping | undefined
  /** Whether every value is listed. @default false */
  readonly points?: boolean | undefined
  /** How many of the highest and lowest values, 1 to 20. @default 3 */
  readonly top?: number | undefined
}

/** One metric of a period and of another one. */
export interface CompareQuestion extends Dates {
  readonly metric: MetricName
  /** First local date of the other period, inclusive. @default as many dates before the period */
  readonly withStartDate?: string | undefined
  /** Last local date of the other period, inclusive. Given together with `withStartDate`. */
  readonly withEndDate?: string | undefined
}

/** What may go with an outcome. */
export interface RelateQuestion extends Dates {
  readonly outcome: MetricId
  /** @default all metrics and factors of the journal */
  readonly factor?: MetricName | undefined
  /** 1 relates a date's factor to the next date's outcome. @default 0 */
  readonly lag?: 0 | 1 | undefined
}

type Question = MetricsQuestion | TrendQuestion | CompareQuestion | RelateQuestion

/** Returns the URL of a question. Parameters have the names of the options, in snake_case. */
export function insightUrl(
  baseUrl: string,
  path: "metrics" | "trend" | "compare" | "relate",
  question: Question,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(question))
    if (value !== undefined)
      query.set(
        name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        String(value),
      )
  return `${baseUrl}/api/v1/${path}?${query}`
}
