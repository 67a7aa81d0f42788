import type { DayResponse } from "../rest/day.ts"
import type { CompareResponse, TrendResponse } from "../rest/insights.ts"
import type { MetricId, MetricsResponse } from "../rest/metric.ts"
import type { Grouping, HealthType, SourceValue } from "../rest/query.ts"
import type {
  CycleResponse,
  JournalQuery,
  JournalResponse,
  ProfileResponse,
  RecoveryResponse,
  SleepResponse,
  SourcesResponse,
  WorkoutResponse,
} from "../rest/records.ts"
import type { RelateResponse } from "../rest/relate.ts"
import type { PointSeries, Resolution, SeriesType, StageSeries } from "../rest/series.ts"
import type { Provider } from "../rest/source.ts"
import type { SignsResponse, SportsResponse, SummaryResponse } from "../rest/summary.ts"
import type { Quota } from "./settings.ts"

/** Which source to read. */
export interface SourceChoice {
  /** One source alone, or `all`: every source's records, each with `chosen`. @default the chosen source of each date */
  readonly source?: SourceValue | undefined
}

/** The newest `days` dates: ending today, or at `endDate`. */
export interface LastDays extends SourceChoice {
  /** How many dates, 1 to 90. @default 7 */
  readonly days?: number | undefined
  /** Last local date, inclusive, YYYY-MM-DD. @default today */
  readonly endDate?: string | undefined
  readonly startDate?: undefined
}

/** All dates from `startDate` through `endDate`, at most 90. */
export interface FromDate extends SourceChoice {
  /** First local date, inclusive, YYYY-MM-DD. */
  readonly startDate: string
  /** Last local date, inclusive, YYYY-MM-DD. @default today */
  readonly endDate?: string | undefined
  /** Never with `startDate`: the service would ignore it. */
  readonly days?: undefined
}

/** Which local dates to read, and from which source. "Today" and every date are in the person's time zone, not this machine's. */
export type DateRange = LastDays | FromDate

/** Which dates to read workouts of, from which source, and of which sport. */
export type WorkoutRange = DateRange & {
  /** A sport as `sport_type` has it. @default all sports */
  readonly sport?: string | undefined
}

/** Which dates of the journal to read, and from which source. `restwell` is the source of what the person entered. */
export type JournalRange = (Omit<LastDays, "source"> | Omit<FromDate, "source">) & {
  readonly source?: JournalQuery["source"] | undefined
}

/** Returns the URL of a read. Parameters have the names of the options, in snake_case. */
function questionUrl(baseUrl: string, path: string, question: object): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(question))
    if (value !== undefined)
      query.set(
        name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        String(value),
      )
  return `${baseUrl}/api/v1/${path}?${query}`
}

/** Returns the URL of one read. The service checks the dates, because only it knows the person's "today". */
export function healthUrl(baseUrl: string, type: HealthType | "journal", range: ReadRange): string {
  const { days, startDate, endDate, source, sport } = range
  // Always in this order, so that equal ranges have one address, and with it one cached response.
  const parameters = { days, startDate, endDate, source, sport }
  return type === "journal"
    ? questionUrl(baseUrl, type, parameters)
    : questionUrl(baseUrl, "health", { type, ...parameters })
}

/** What any read has. */
export type ReadRange = WorkoutRange | (JournalRange & { readonly sport?: undefined })

/** A metric, or a factor of the journal: `journal:alcohol`. */
export type MetricName = MetricId | `journal:${string}`

/** A metric, a factor of the journal, or a workout of one sport on the date: `workout:running`. */
export type FactorName = MetricName | `workout:${string}`

interface SourceOnly {
  /** The only source to read. @default the chosen source of each date */
  readonly source?: Provider | undefined
}

interface Dates extends SourceOnly {
  /** How many dates, 1 to 4000, ending today or at `endDate`. `startDate` wins over it. @default 7, for trends 30, for relations 180 */
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
  /** How many of the highest and lowest values, 1 to 100. @default 3 */
  readonly top?: number | undefined
  /** Counts and lists the dates with a value above it. Clock metrics take a local time: "23:30". @default none */
  readonly above?: number | string | undefined
  /** Counts and lists the dates with a value below it. Clock metrics take a local time: "23:30". @default none */
  readonly below?: number | string | undefined
  /** With a metric of workouts: only workouts of this sport, as `sport_type` has it. @default all */
  readonly sport?: string | undefined
}

/** One metric of a period and of another one. */
export interface CompareQuestion extends Dates {
  readonly metric: MetricName
  /** First local date of the other period, inclusive. @default as many dates before the period */
  readonly withStartDate?: string | undefined
  /** Last local date of the other period, inclusive. Given together with `withStartDate`. */
  readonly withEndDate?: string | undefined
  /** Compares `source` with this one instead, on the dates that both have. @default two periods are compared */
  readonly withSource?: Provider | undefined
}

/** What may go with an outcome. */
export interface RelateQuestion extends Dates {
  readonly outcome: MetricId
  /** @default all metrics, factors of the journal and sports */
  readonly factor?: FactorName | undefined
  /**
   * 0: same date. 1: the factor of the day before, for strain, workouts and naps. Journal answers and nights already belong to the morning
   * after: 0.
   * @default 0
   */
  readonly lag?: 0 | 1 | undefined
}

/** The workouts of a period by sport. */
export interface SportsQuestion extends Omit<Dates, "days"> {
  /** How many dates, 1 to 4000, ending today or at `endDate`. `startDate` wins over it. @default 365 */
  readonly days?: number | undefined
  /** One sport, as `sport_type` has it. @default all */
  readonly sport?: string | undefined
}

/** Mornings with figures that are far from usual. */
export interface SignsQuestion extends SourceOnly {
  /** How many dates, 1 to 90, ending today, or at `endDate`. @default 7 */
  readonly days?: number | undefined
  /** The last date, YYYY-MM-DD. */
  readonly endDate?: string | undefined
}

/** One date. */
export interface DayQuestion extends SourceOnly {
  /** The local date, YYYY-MM-DD. @default today */
  readonly date?: string | undefined
  /** How many dates up to it the answer has as rows for charts, 0 to 31. @default 0 */
  readonly rows?: number | undefined
}

/** Values within the day: of local dates, or from one instant to another. */
export interface SeriesQuestion<Type extends SeriesType = SeriesType> extends Dates {
  /** What to read. */
  readonly type: Type
  /** First instant, ISO 8601 with an offset or Z. Given together with `end`, and without dates. */
  readonly start?: string | undefined
  /** The instant after the last one. */
  readonly end?: string | undefined
  /** The length of buckets. @default the finest one with at most 2,000 points */
  readonly resolution?: Resolution | undefined
}

/** Types whose answers are points. Stages of sleep are segments. */
export type PointType = Exclude<SeriesType, "sleep_stages">

/** Returns the URL of a read of values within the day. */
export const seriesUrl = (baseUrl: string, question: SeriesQuestion): string => questionUrl(baseUrl, "series", question)

/** Which fields of the records to read. */
interface Fields {
  /** Names of columns, or of nested fields: `["date", "asleep_hours", "score_performance"]`. @default all */
  readonly fields?: readonly string[] | undefined
}

/** What can be read as CSV, and what selects it. */
export interface CsvQuestions {
  readonly sleep: DateRange & Fields
  readonly recovery: DateRange & Fields
  readonly workout: WorkoutRange & Fields
  readonly cycle: DateRange & Fields
  readonly journal: JournalRange & Fields
  /** The dates with their values. */
  readonly trend: TrendQuestion
  readonly series: SeriesQuestion
}

/** Returns the URL of a list as CSV. */
export function csvUrl<List extends keyof CsvQuestions>(
  baseUrl: string,
  list: List,
  question: CsvQuestions[List],
): string {
  const parameters = { ...question, format: "csv" }
  if (list === "trend" || list === "series" || list === "journal") return questionUrl(baseUrl, list, parameters)
  return questionUrl(baseUrl, "health", { type: list, ...parameters })
}

type Question =
  | MetricsQuestion
  | TrendQuestion
  | CompareQuestion
  | RelateQuestion
  | SportsQuestion
  | SignsQuestion
  | DayQuestion

/** Returns the URL of a question. */
export const insightUrl = (
  baseUrl: string,
  path: "metrics" | "trend" | "compare" | "relate" | "sports" | "signs" | "day",
  question: Question,
): string => questionUrl(baseUrl, path, question)

/** The result of a call. `data` is exactly the body of the API, to be stored or passed on as it is. */
export interface Answer<T> {
  readonly data: T
  /** The monthly quota after this call; null when the response has no quota headers. */
  readonly quota: Quota | null
  /** True when the service replied 304: nothing changed since the last call. Not counted against the quota. */
  readonly notModified: boolean
}

export interface CallOptions {
  /** Ends this call, including its waits, when it aborts. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * Where the answer has today, and its night or recovery is still to come, the service waits this long for the score, seconds, 60 at most.
   * `timeoutMs` begins after it. @default no wait
   */
  readonly waitSeconds?: number | undefined
}

/** Reads one person's health data. Every method sends a request each time, and throws a HealthApiError when it fails. */
export interface HealthClient {
  /** The monthly quota from the latest response, failed ones included; null before the first. */
  readonly quota: Quota | null
  /** Averages and sums over the range. */
  summary(range?: DateRange, options?: CallOptions): Promise<Answer<SummaryResponse>>
  /** Sleeps, naps included, newest first. */
  sleep(range?: DateRange, options?: CallOptions): Promise<Answer<SleepResponse>>
  /** Recoveries, newest first. */
  recovery(range?: DateRange, options?: CallOptions): Promise<Answer<RecoveryResponse>>
  /** Workouts, newest first. */
  workouts(range?: WorkoutRange, options?: CallOptions): Promise<Answer<WorkoutResponse>>
  /** Physiological cycles, newest first. */
  cycles(range?: DateRange, options?: CallOptions): Promise<Answer<CycleResponse>>
  /** Answers of the journal and tags, newest first. A factor that a date lacks was not answered: that is not a no. */
  journal(range?: JournalRange, options?: CallOptions): Promise<Answer<JournalResponse>>
  /** The person's sources: what each brings, with units and methods. */
  sources(options?: CallOptions): Promise<Answer<SourcesResponse>>
  /** Every metric, and which sources have values of which dates. */
  metrics(question?: MetricsQuestion, options?: CallOptions): Promise<Answer<MetricsResponse>>
  /** One metric over a period: figures, slope and verdict. */
  trend(question: TrendQuestion, options?: CallOptions): Promise<Answer<TrendResponse>>
  /** The difference of one metric between two periods. */
  compare(question: CompareQuestion, options?: CallOptions): Promise<Answer<CompareResponse>>
  /** How a metric, a factor of the journal or a sport goes with an outcome, or without a factor each of all. */
  relate(question: RelateQuestion, options?: CallOptions): Promise<Answer<RelateResponse>>
  /** The workouts of a period by sport, with the longest, the farthest and the next day's recovery. */
  sports(question?: SportsQuestion, options?: CallOptions): Promise<Answer<SportsResponse>>
  /** Mornings of the last days with figures that are far from usual for the person. */
  signs(question?: SignsQuestion, options?: CallOptions): Promise<Answer<SignsResponse>>
  /** One date: its records, each figure beside the usual range, what is missing and why, and what is far from usual. */
  day(question?: DayQuestion, options?: CallOptions): Promise<Answer<DayResponse>>
  /** Stages of sleep. */
  readSeries(question: SeriesQuestion<"sleep_stages">, options?: CallOptions): Promise<Answer<StageSeries>>
  /** Values within the day, as heart rate and steps, and measurements of the body: each value, or buckets. */
  readSeries(question: SeriesQuestion<PointType>, options?: CallOptions): Promise<Answer<PointSeries>>
  /** A list as CSV with a header row (RFC 4180). The types of records and of journal answers take `fields`. */
  csv<List extends keyof CsvQuestions>(
    list: List,
    question: CsvQuestions[List],
    options?: CallOptions,
  ): Promise<Answer<string>>
  /** Name and email address at the provider, and body measurements. */
  profile(options?: CallOptions): Promise<Answer<ProfileResponse>>
}
