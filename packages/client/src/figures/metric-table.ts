/** What is known of each metric by its name. Nothing else knows a metric by name: its words, units and rounding follow from here. */
import { OWN_TOPIC } from "../account/own-journal.ts"
import { METRIC_IDS, type Metric, type MetricId, type MetricKind } from "../rest/metric.ts"
import type { SeriesType } from "../rest/series.ts"

/** How two values differ: a level is higher, an amount is more, a time of day is later, and a yes is more frequent. */
export type Direction = "level" | "amount" | "time" | "answer"

/** What a figure is about, which decides its colour. */
export type FigureFamily = "sleep" | "recovery" | "strain" | "heart" | "hrv"

/** What a metric is, as the catalogue of the API has it. */
export type MetricDescription = Pick<Metric, "id" | "title" | "unit" | "better" | "decimals" | "kind">

interface MetricEntry extends Omit<MetricDescription, "id"> {
  /** The records, or the samples, that it is read from. */
  readonly from: "sleep" | "recovery" | "cycle" | "workout" | "series"
  readonly direction: Direction
  readonly family: FigureFamily
  /** Decimals of an average at first sight. */
  readonly calmDecimals: 0 | 1
  /** What it is called within a sentence. Left out where that is its title. "A higher highest heart rate" is no sentence. */
  readonly name?: string
  /** What a tile or a card calls it. Left out where that is its title. */
  readonly label?: string
  /** The vendor's score, whose differences are points. Not every vendor's is a percentage. */
  readonly isScore?: true
  /** Each vendor has a scale of its own, so values of two of them have no difference. Scores are so, too. */
  readonly hasOwnScale?: true
  /** Values below zero are usual. */
  readonly isSigned?: true
  /** An amount whose sum over a period says nothing. */
  readonly isNeverSummed?: true
  /** Zero on a date that is over, where a source would have had an activity. Activities are of any source. */
  readonly isCount?: true
  /** What the person does, by day or around the night. Other metrics are measurements of the body. */
  readonly doing?: "day" | "night"
}

type Own = Partial<MetricEntry>

const level = (from: MetricEntry["from"], title: string, unit: string | null, own: Own = {}): MetricEntry => ({
  from,
  title,
  unit,
  better: "neither",
  decimals: 1,
  kind: "number",
  direction: "level",
  family: "sleep",
  calmDecimals: 0,
  ...own,
})

const amount = (from: MetricEntry["from"], title: string, unit: string | null, own: Own = {}): MetricEntry =>
  level(from, title, unit, { decimals: 2, direction: "amount", ...own })

const clock = (from: MetricEntry["from"], title: string, own: Own = {}): MetricEntry =>
  level(from, title, null, { decimals: 0, kind: "clock", direction: "time", ...own })

const answer = (from: MetricEntry["from"], title: string, own: Own = {}): MetricEntry =>
  level(from, title, null, { decimals: 2, kind: "yes_no", direction: "answer", ...own })

const ofDay = { doing: "day", family: "strain" } as const

const countOfDay = { isCount: true, ...ofDay } as const

const zone = (number: number): MetricEntry => amount("workout", `Time in heart rate zone ${number}`, "h", countOfDay)

const TABLE: Readonly<Record<MetricId, MetricEntry>> = {
  recovery_score: level("recovery", "Recovery", "%", { better: "higher", family: "recovery", isScore: true }),
  hrv: level("recovery", "Heart rate variability", "ms", { better: "higher", family: "hrv", name: "HRV" }),
  resting_heart_rate: level("recovery", "Resting heart rate", "bpm", { better: "lower", family: "heart" }),
  respiratory_rate: level("sleep", "Respiratory rate", "/min", { family: "hrv", calmDecimals: 1 }),
  spo2: level("recovery", "Blood oxygen", "%", { better: "higher", family: "hrv", calmDecimals: 1 }),
  skin_temp_deviation: level("recovery", "Skin temperature deviation", "C", {
    label: "Skin temperature",
    family: "heart",
    calmDecimals: 1,
    isSigned: true,
  }),
  asleep: amount("sleep", "Time asleep", "h", { better: "higher" }),
  in_bed: amount("sleep", "Time in bed", "h"),
  deep: amount("sleep", "Deep sleep", "h", { better: "higher" }),
  rem: amount("sleep", "REM sleep", "h", { better: "higher" }),
  light: amount("sleep", "Light sleep", "h"),
  awake: amount("sleep", "Time awake in bed", "h", { better: "lower" }),
  times_awake: amount("sleep", "Times awake", null, { better: "lower", decimals: 1, calmDecimals: 1 }),
  sleep_efficiency: level("sleep", "Sleep efficiency", "%", { better: "higher" }),
  sleep_performance: level("sleep", "Sleep performance", "%", { better: "higher", isScore: true }),
  sleep_consistency: level("sleep", "Sleep consistency", "%", { better: "higher" }),
  sleep_need: amount("sleep", "Sleep need", "h"),
  sleep_debt: amount("sleep", "Sleep debt", "h", { better: "lower", isSigned: true }),
  night_heart_rate: level("sleep", "Heart rate asleep", "bpm", { better: "lower" }),
  lowest_heart_rate: level("sleep", "Lowest heart rate of the night", "bpm", {
    better: "lower",
    name: "minimum heart rate of the night",
  }),
  lowest_heart_rate_time: clock("sleep", "Time of the lowest heart rate"),
  bedtime: clock("sleep", "Bedtime", { doing: "night" }),
  wake_time: clock("sleep", "Wake time", { doing: "night" }),
  midsleep: clock("sleep", "Sleep midpoint"),
  away: answer("sleep", "Night in another time zone", { doing: "night" }),
  nap: amount("sleep", "Time asleep in naps", "h", { doing: "day", isCount: true }),
  strain: amount("cycle", "Strain", null, {
    decimals: 1,
    calmDecimals: 1,
    isNeverSummed: true,
    hasOwnScale: true,
    ...ofDay,
  }),
  calories: amount("cycle", "Energy burned", "kcal", { decimals: 0, ...ofDay }),
  steps: amount("cycle", "Steps", null, { better: "higher", decimals: 0, ...ofDay }),
  floors: amount("series", "Floors climbed", null, { better: "higher", decimals: 0, ...ofDay }),
  exercise_minutes: amount("series", "Exercise", "min", { better: "higher", decimals: 0, ...ofDay }),
  // Vendors' scores differ: some rise with stress, and Fitbit's falls.
  stress: level("series", "Stress score", null, { hasOwnScale: true, ...ofDay }),
  walking_heart_rate: level("series", "Heart rate while walking", "bpm", { better: "lower", family: "heart" }),
  workout_count: amount("workout", "Workouts", null, { decimals: 1, calmDecimals: 1, ...countOfDay }),
  workout: amount("workout", "Time in workouts", "h", countOfDay),
  distance: amount("workout", "Distance in workouts", "m", { decimals: 1, calmDecimals: 1, ...countOfDay }),
  zone_1_hours: zone(1),
  zone_2_hours: zone(2),
  zone_3_hours: zone(3),
  zone_4_hours: zone(4),
  zone_5_hours: zone(5),
  workout_max_heart_rate: level("workout", "Highest heart rate in workouts", "bpm", {
    ...ofDay,
    family: "heart",
    name: "maximum heart rate in workouts",
  }),
  first_workout_start: clock("workout", "Start of the first workout", ofDay),
  last_workout_end: clock("workout", "End of the last workout", ofDay),
  weight: level("series", "Weight", "kg", { decimals: 2, calmDecimals: 1 }),
  body_fat: level("series", "Body fat", "%", { calmDecimals: 1 }),
}

export const isMetricId = (id: string): id is MetricId => Object.hasOwn(TABLE, id)

/** The records, or the samples, that a metric is read from. */
export const readFrom = (id: MetricId): MetricEntry["from"] => TABLE[id].from

const described = (id: string, { title, unit, better, decimals, kind }: MetricEntry): MetricDescription => ({
  id,
  title,
  unit,
  better,
  decimals,
  kind,
})

/** Every metric without the factors of the journal. */
export const METRICS: readonly MetricDescription[] = METRIC_IDS.map((id) => described(id, TABLE[id]))

const JOURNAL = "journal:"
const WORKOUT = "workout:"

/** The words of a factor's name, as in "Late meal". */
export function journalTitle(factor: string): string {
  const words = (factor.startsWith(OWN_TOPIC) ? factor.slice(OWN_TOPIC.length) : factor).replaceAll("_", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A factor of the journal: 1 for a date answered with yes, 0 for no. @param factor its canonical name, as in late_meal */
export const journalMetric = (factor: string): MetricDescription =>
  described(`${JOURNAL}${factor}`, answer("series", journalTitle(factor)))

/** A workout of one sport: 1 for a date with one, 0 for another date on which a source would have had one. @param sport as workouts have it */
export const sportMetric = (sport: string): MetricDescription =>
  described(`${WORKOUT}${sport}`, answer("workout", `Workout: ${sport}`))

/** The factor's name of a metric id as in journal:late_meal. Null for other ids. */
export const factorNameOf = (id: string): string | null => (id.startsWith(JOURNAL) ? id.slice(JOURNAL.length) : null)

/** The sport of a metric id as in workout:running. Null for other ids. */
export const sportNameOf = (id: string): string | null => (id.startsWith(WORKOUT) ? id.slice(WORKOUT.length) : null)

/** The metric of an id of the API. Undefined for an id that this version does not know. */
export function metricOf(id: string): MetricDescription | undefined {
  const [factor, sport] = [factorNameOf(id), sportNameOf(id)]
  if (factor !== null) return journalMetric(factor)
  if (sport !== null) return sportMetric(sport)
  return isMetricId(id) ? described(id, TABLE[id]) : undefined
}

/** The metric of an id. One of another version of Restwell is a number, and its id is its title. */
export const metricNamed = (id: string): MetricDescription =>
  metricOf(id) ?? { id, title: id, unit: null, better: "neither", decimals: 1, kind: "number" }

/** A metric as programs that write its figures have it. Answers of another version may have others than the table. */
export type NamedMetric = Pick<MetricDescription, "id" | "title" | "unit" | "kind">

const AMOUNT_UNITS: readonly (string | null)[] = ["h", "kcal", "m"]

/** The words and the rounding of a metric, by its kind and unit where the table has no such name. */
export function entryOf({ id, title, unit, kind }: NamedMetric): Omit<MetricEntry, "from"> {
  if (isMetricId(id)) return TABLE[id]
  if (kind === "clock") return clock("series", title)
  if (kind === "yes_no") return answer("series", title)
  const family = familyOf(id)
  return AMOUNT_UNITS.includes(unit)
    ? amount("series", title, unit, { family })
    : level("series", title, unit, { family, calmDecimals: 1 })
}

interface SeriesEntry {
  readonly title: string
  readonly family?: FigureFamily
}

/** What is measured within the day, where no metric has the name or where the metric is another figure. */
const SERIES: Readonly<Record<string, SeriesEntry>> = {
  heart_rate: { title: "Heart rate", family: "heart" },
  skin_temperature: { title: "Skin temperature", family: "heart" },
  active_energy: { title: "Active energy", family: "strain" },
  sleep_stages: { title: "Sleep stages" },
  distance: { title: "Distance", family: "strain" },
  blood_pressure_systolic: { title: "Blood pressure systolic" },
  blood_pressure_diastolic: { title: "Blood pressure diastolic" },
  vo2max: { title: "VO2 max" },
} satisfies Partial<Record<SeriesType, SeriesEntry>>

/** "Heart rate": what the values of a type are, as a title. */
export const seriesTitle = (type: SeriesType): string => SERIES[type]?.title ?? metricNamed(type).title

/** What a metric, or a type of values within the day, is about. */
export const familyOf = (id: string): FigureFamily =>
  (isMetricId(id) ? TABLE[id].family : SERIES[id]?.family) ?? "sleep"

/** A title within a sentence: "time asleep", "REM sleep". */
export const inSentence = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title

/** What a metric is called within a sentence: "HRV", "resting heart rate". */
export const nameOf = (metric: NamedMetric): string => entryOf(metric).name ?? inSentence(metric.title)

/** What a tile calls a metric: "Skin temperature". */
export const labelOf = (metric: NamedMetric): string => entryOf(metric).label ?? metric.title

/** What the values of a type are called within a sentence: "heart rate", "HRV". */
export const seriesName = (type: SeriesType): string =>
  SERIES[type] ? inSentence(SERIES[type].title) : nameOf(metricNamed(type))

/** Whether the values of a period add up to something: hours, energy, distances, counts, and dates with a yes. */
export const hasSum = (metric: NamedMetric): boolean => {
  const { direction, isNeverSummed = false } = entryOf(metric)
  return direction === "answer" || (direction === "amount" && !isNeverSummed)
}

/** Whether each vendor measures it on a scale of its own. */
export function isOnOwnScales(metric: NamedMetric): boolean {
  const { isScore, hasOwnScale } = entryOf(metric)
  return isScore === true || hasOwnScale === true
}

/** Whether a date without an activity counts as zero. */
export const isCount = (id: string): boolean =>
  sportNameOf(id) !== null || (isMetricId(id) && TABLE[id].isCount === true)

/** Whether the values may be of any source, and one answer has those of several: activities, and answers of the person. */
export const isOfAnySource = (id: string): boolean => isCount(id) || factorNameOf(id) !== null

/** One step of a figure as records have it: heart rates are whole numbers there, and only their means are not. */
export const stepOf = ({ unit, decimals }: Pick<MetricDescription, "unit" | "decimals">): number =>
  unit === "bpm" ? 1 : 10 ** -decimals

/** What a value may be. A standard deviation below a mean may lie outside of it. */
export const possibleValues = (metric: NamedMetric): { readonly lowest: number; readonly highest: number } => ({
  lowest: entryOf(metric).isSigned ? Number.NEGATIVE_INFINITY : 0,
  highest: metric.unit === "%" ? 100 : Number.POSITIVE_INFINITY,
})

/** Whether a metric is something that the person does, as every yes or no is, and not a measurement of the body. */
export const isBehaviour = ({ id, kind }: { readonly id: string; readonly kind: MetricKind }): boolean =>
  kind === "yes_no" || (isMetricId(id) && TABLE[id].doing !== undefined)

/** Whether a metric is about the day after the waking of its date, and not about that night or morning. */
export const isOfDaytime = (id: string): boolean =>
  sportNameOf(id) !== null || (isMetricId(id) && TABLE[id].doing === "day")

/** Whether a metric is a figure of the night or of the morning, of which a rule may be. */
export const isOfMorning = ({ id, kind }: { readonly id: string; readonly kind: MetricKind }): boolean =>
  isMetricId(id) &&
  (TABLE[id].from === "sleep" || TABLE[id].from === "recovery") &&
  !isOfDaytime(id) &&
  kind !== "yes_no"

/** Metrics that a rule with a limit may be about. */
export const LIMIT_METRICS: readonly MetricDescription[] = METRICS.filter(isOfMorning)

/**
 * The lag at which a factor came before the outcome. Nights and journal answers are dated by the waking after them, so they are of the same
 * date. What a person does by day comes before the next morning.
 */
export const lagBefore = (outcome: string, factor: string): 0 | 1 =>
  !isOfDaytime(outcome) && isOfDaytime(factor) ? 1 : 0
