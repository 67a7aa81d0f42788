import { namedFigure } from "./search-phrases.ts"

/** A limit that a question names, as in "under 7 hours". */
export interface Limit {
  readonly side: "above" | "below"
  /** Whether the limit itself counts, as in "at least". */
  readonly isInclusive: boolean
  /** In hours, metres, or as it is written. A clock time is minutes of the day. */
  readonly value: number
  readonly unit: Unit | undefined
  /** The question without the limit. */
  readonly rest: string
}

type Unit = "h" | "m" | "%" | "ms" | "bpm" | "kcal" | "steps" | "clock"

const BELOW = "no more than|less than|fewer than|shorter than|lower than|earlier than|at most|up to|under|below|before"
const ABOVE =
  "no less than|more than|greater than|higher than|longer than|later than|at least|exceeding|over|above|beyond|after"
const INCLUSIVE = /^(?:no more than|no less than|at most|at least|up to)$/

/** Each unit as questions write it, and its size in ours. */
const UNITS: readonly (readonly [words: string, unit: Unit, size: number])[] = [
  ["hours?|hrs?|h", "h", 1],
  ["minutes?|mins?", "h", 1 / 60],
  ["kilomet(?:er|re)s?|kms?", "m", 1000],
  ["miles?|mi", "m", 1609.344],
  ["met(?:er|re)s?|m", "m", 1],
  ["%|percent", "%", 1],
  ["ms|milliseconds?", "ms", 1],
  ["bpm|beats", "bpm", 1],
  ["kcals?|calories", "kcal", 1],
  ["steps?", "steps", 1],
]

const NUMBER = String.raw`(?<number>\d{1,6}(?:[.,]\d{1,3})?)(?<thousand>k)?`
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?:\s*(?<half>[ap])m)?|(?<full>\d{1,2})\s*(?<fullHalf>[ap])m|(?<midnight>midnight)`
const UNIT = UNITS.map(([words]) => words).join("|")
const LIMIT = new RegExp(
  String.raw`(?<![\p{L}\d])(?<words>${BELOW}|${ABOVE})\s+(?:${CLOCK}|${NUMBER}\s*(?<unit>${UNIT})?)(?![\p{L}\d]|-\d|\s+(?:days?|weeks?|months?|nights?|years?|times?)\b)`,
  "iu",
)
const BELOW_WORDS = new RegExp(`^(?:${BELOW})$`, "i")

/** The limit of a question. Undefined where it names none. */
export function namedLimit(question: string): Limit | undefined {
  const found = LIMIT.exec(question)
  const groups = found?.groups
  if (!found || !groups) return undefined
  const words = groups["words"]?.toLowerCase() ?? ""
  const rest = `${question.slice(0, found.index)} ${question.slice(found.index + found[0].length)}`
  const minutes = clockOf(groups)
  const [, unit, size = 1] = UNITS.find(([each]) => new RegExp(`^(?:${each})$`, "i").test(groups["unit"] ?? "")) ?? []
  const number =
    Number((groups["number"] ?? "").replace(/,(?=\d{3}$)/, "").replace(",", ".")) * (groups["thousand"] ? 1000 : 1)
  return {
    side: BELOW_WORDS.test(words) ? "below" : "above",
    isInclusive: INCLUSIVE.test(words),
    value: minutes ?? number * size,
    unit: minutes === undefined ? unit : "clock",
    rest,
  }
}

/** Minutes of the day. Undefined for a number. */
function clockOf(groups: Readonly<Record<string, string | undefined>>): number | undefined {
  if (groups["midnight"] !== undefined) return 0
  const hour = groups["hour"] ?? groups["full"]
  if (hour === undefined) return undefined
  const half = (groups["half"] ?? groups["fullHalf"])?.toLowerCase()
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === "p" ? 12 : 0)
  return (hours * 60 + Number(groups["minute"] ?? 0)) % DAY_MINUTES
}

const DAY_MINUTES = 1440

/** What a limit is about where the unit alone says it. */
const METRIC_OF_UNIT: Readonly<Partial<Record<Unit, string>>> = {
  steps: "steps",
  kcal: "calories",
  bpm: "resting_heart_rate",
  ms: "hrv",
}
const UNIT_OF_METRIC: Readonly<Record<string, Unit | undefined>> = {
  hrv: "ms",
  resting_heart_rate: "bpm",
  deep: "h",
  rem: "h",
  awake: "h",
  asleep: "h",
  steps: "steps",
  calories: "kcal",
  bedtime: "clock",
  wake_time: "clock",
}
const PERCENT = ["recovery_score", "sleep_performance", "sleep_efficiency", "spo2"]
/** Without a unit, a sleep up to this value is in hours. */
const MOST_HOURS = 24

/** The metric that a limit is of, and the words that were not understood. Undefined where it is of none, or the unit is of another. */
export function limitedMetric({
  rest,
  value,
  unit,
}: Limit): { readonly metric: string; readonly rest: string } | undefined {
  const figure = namedFigure(rest.toLowerCase())
  const ofUnit = unit && METRIC_OF_UNIT[unit]
  const [first] = figure?.metrics ?? []
  if (first === undefined) return ofUnit === undefined ? undefined : { metric: ofUnit, rest }
  const isHours = unit === "h" || (unit === undefined && value <= MOST_HOURS)
  const metric = first === "sleep_performance" && isHours ? "asleep" : first
  // "days over 10000 steps" is about steps: a day alone is no figure with a unit.
  if (unit !== undefined && expectedUnit(metric) !== unit) {
    if (
      ofUnit === undefined ||
      /\S/.test((figure?.rest ?? "").replaceAll(/\bdays?\b/g, "")) ||
      metric !== "recovery_score"
    )
      return undefined
    return { metric: ofUnit, rest: figure?.rest ?? "" }
  }
  return { metric, rest: figure?.rest ?? "" }
}

const expectedUnit = (metric: string): Unit | undefined => (PERCENT.includes(metric) ? "%" : UNIT_OF_METRIC[metric])

/** Whether a value is beyond the limit. Bedtimes go on after midnight: 00:30 is after 23:00. */
export function isBeyond({ side, isInclusive, value: limit }: Limit, metric: string, value: number | string): boolean {
  const place = (minutes: number): number =>
    metric === "bedtime" ? (minutes + DAY_MINUTES / 2) % DAY_MINUTES : minutes
  const [one, other] = typeof value === "number" ? [value, limit] : [place(minutesOf(value)), place(limit)]
  if (one === other) return isInclusive
  return side === "above" ? one > other : one < other
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number)
  return hours * 60 + minutes
}
