import { type DisplayPreferences, type MissingRecords, round, type Source } from "@restwell/client"
import { heightText, inUnit, preferredUnit, scoreUnit, temperatureIn, unitText } from "@restwell/client/figures"
import { offsetText } from "@restwell/core/connector"
import { fieldsElsewhere, type Sourced } from "./fields-elsewhere.ts"
import { missingRuns } from "./missing-runs.ts"
import { notSharedText } from "./not-shared.ts"
import { onClock } from "./on-clock.ts"
import type {
  CycleOutput,
  JournalOutput,
  Pending,
  ProfileOutput,
  RecoveryOutput,
  SleepOutput,
  SummaryOutput,
  WorkoutOutput,
} from "./tool-schemas.ts"

/*
 * The tools' results as text, for people and small contexts: one line for each record, units in the first line, unknown values left out. The
 * figures are those of the structured result, in the person's units and on the person's clock.
 */

export function summaryText(answer: SummaryOutput, { clock }: DisplayPreferences): string {
  const { period, sleep, recovery, strain, missing, pending, sources } = onClock(answer, clock)
  const from = (family: string | null): string => (sources.length > 1 && family !== null ? ` from ${family}` : "")
  return lines(
    `${period.days} days, ${period.start_date} to ${period.end_date}`,
    sleep &&
      `Sleep${from(sleep.source)}, ${sleep.night_count} scored nights: ${knownFigures({
        "asleep h": sleep.average_asleep_hours,
        "in bed h": sleep.average_duration_hours,
        "need h": sleep.average_need_hours,
        "light h": sleep.average_light_hours,
        "deep h": sleep.average_deep_hours,
        "REM h": sleep.average_rem_hours,
        "awake h": sleep.average_awake_hours,
        [words("performance", scoreUnit(sleep.source))]: sleep.average_performance,
        "efficiency %": sleep.average_efficiency,
      })}`,
    recovery &&
      `Recovery${from(recovery.source)}, ${recovery.day_count} scored days: ${knownFigures({
        [words("score", scoreUnit(recovery.source))]: recovery.average_score,
        [hrvName(recovery.hrv_method)]: recovery.average_hrv,
        "resting heart rate bpm": recovery.average_rhr,
      })}`,
    strain &&
      `Strain${from(strain.source)}, ${strain.cycle_count} scored days${strain.includes_open_cycle ? ", today among them, which is not over" : ""}: ${knownFigures(
        {
          total: strain.total,
          "daily average": strain.average_daily,
          workouts: strain.workout_count,
        },
      )}`,
    notSharedText(Object.entries({ sleep, recovery, strain }).flatMap(([name, part]) => (part === null ? [name] : []))),
    missingLine(missing),
    pendingLine(pending),
    sourceLine(
      sources,
      [sleep, recovery, strain].map((family) => family?.source ?? null),
    ),
  )
}

export function sleepText(answer: SleepOutput, { clock }: DisplayPreferences): string {
  const ofAll = unitOfScores(answer.records)
  const scores = ofAll === "%" ? "% performance, efficiency" : "performance, % efficiency"
  return list(
    `Sleep: date of waking, from-to on the local clock, hours asleep, in bed and needed, then ${scores}, consistency, hours light/deep/REM/awake, breaths a minute`,
    onClock(answer, clock),
    ({ date, start_local, end_local, is_nap, score_state, score, stages, respiratory_rate: breaths, ...hours }) => [
      date,
      `${start_local}-${end_local}`,
      is_nap && "nap",
      hours.night &&
        `part of the night ${hours.night.start_local}-${hours.night.end_local}, ${knownFigures({ "asleep in all": hours.night.asleep_hours })}`,
      knownFigures({ asleep: hours.asleep_hours, "in bed": hours.duration_hours, need: hours.need_hours }),
      unscored(score_state),
      knownFigures({
        perf: scoreBeside(ofAll, score.performance, hours.source),
        eff: score.efficiency,
        cons: score.consistency,
      }),
      inTurn(stages.light_hours, stages.deep_hours, stages.rem_hours, stages.awake_hours),
      knownFigures({ breaths }),
    ],
  )
}

export function recoveryText(answer: RecoveryOutput, { units, clock }: DisplayPreferences): string {
  const ofAll = unitOfScores(answer.records)
  return list(
    `Recovery: date, ${words("score", ofAll)}, HRV ms, resting heart rate bpm, blood oxygen %, skin temperature ${unitText(preferredUnit("C", units).unit)} (and from usual)`,
    onClock(answer, clock),
    (record) => [
      record.date,
      unscored(record.score_state),
      knownFigures({
        score: scoreBeside(ofAll, record.score, record.source),
        [record.hrv_method === "sdnn" ? "hrv (sdnn)" : "hrv"]: record.hrv,
        rhr: record.resting_heart_rate,
        spo2: record.spo2,
        skin: temperatureIn(record.skin_temp_celsius, units),
        "from usual": inUnit(record.skin_temp_deviation_celsius, "C", units),
      }),
    ],
  )
}

/** The unit that the scores of all records have, for the first line of a list. */
const unitOfScores = (records: readonly Sourced[]): "%" | "" =>
  records.every(({ source }) => scoreUnit(source) === "%") ? "%" : ""

/** A score with its unit where the scores of other records have another one. @param ofAll the unit of the first line */
const scoreBeside = (ofAll: "%" | "", score: number | null, source: string): string | null =>
  score === null ? null : words(String(score), ofAll === "" && scoreUnit(source))

const LENGTHS = { metric: "metres", imperial: "miles" } as const

export function workoutText(answer: WorkoutOutput, { units, clock }: DisplayPreferences): string {
  const newestZone = answer.records[0]?.time_zone_offset_minutes ?? 0
  return list(
    `Workouts: date, from on the local clock (UTC${offsetText(newestZone)} unless said), sport, hours, strain, heart rate average/max, kcal, ${LENGTHS[units]}, pace, hours in heart rate zones 0 to 5`,
    onClock(answer, clock),
    (record) => [
      record.date,
      record.start_local,
      record.time_zone_offset_minutes !== newestZone && `UTC${offsetText(record.time_zone_offset_minutes)}`,
      record.sport_type,
      `${record.duration_hours}h`,
      unscored(record.score_state),
      knownFigures({ strain: record.strain, hr: record.average_heart_rate, max: record.max_heart_rate }),
      knownFigures({ kcal: record.calories, ...distance(record.distance_meters, units), ...pace(record, units) }),
      record.zones && words("zones", inTurn(...Object.values(record.zones))),
    ],
  )
}

const KILOMETRE_METERS = 1_000

/** By the name of its unit. */
const pace = (
  { pace_seconds_per_km: seconds }: WorkoutOutput["records"][number],
  units: DisplayPreferences["units"],
) =>
  units === "metric"
    ? { "s/km": seconds }
    : { "s/mi": seconds && round(seconds / KILOMETRE_METERS / preferredUnit("m", units).factor, 0) }

/** By the name of its unit. */
const distance = (meters: number | null, units: DisplayPreferences["units"]) => ({
  [preferredUnit("m", units).unit]: inUnit(meters, "m", units),
})

export const cycleText = (answer: CycleOutput, { units }: DisplayPreferences): string =>
  list(
    `Days: date, strain (0-21), kcal, heart rate average/max, steps, active kcal, ${LENGTHS[units]}`,
    answer,
    (record) => [
      record.date,
      record.end === null && "in progress",
      unscored(record.score_state),
      knownFigures({
        strain: record.strain,
        kcal: record.calories,
        hr: record.average_heart_rate,
        max: record.max_heart_rate,
        steps: record.steps,
        "active kcal": record.active_calories,
        ...distance(record.distance_meters, units),
      }),
    ],
  )

export const profileText = ({ profile, body, source, sources }: ProfileOutput, { units }: DisplayPreferences): string =>
  lines(
    words(
      sources.length > 1 ? `Profile from ${source.provider}:` : "Profile:",
      profile.first_name ?? false,
      profile.last_name ?? false,
      profile.email ?? false,
    ),
    words(
      "Body:",
      commas(
        body.height_meters !== null && heightText(body.height_meters, units),
        knownFigures({
          [`weight ${preferredUnit("kg", units).unit}`]: inUnit(body.weight_kilograms, "kg", units),
          "max heart rate bpm": body.max_heart_rate,
        }),
      ) || "nothing entered at the vendor",
    ),
    sourceLine(sources, [source.provider]),
  )

type Line = string | false | null | undefined

export const lines = (...all: readonly Line[]): string => all.filter(Boolean).join("\n")
export const commas = (...all: readonly Line[]): string => all.filter(Boolean).join(", ")
export const words = (...all: readonly Line[]): string => all.filter(Boolean).join(" ")

/** `name value` of the known values. */
export const knownFigures = (values: Readonly<Record<string, number | string | null>>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]))
    .join(", ")

/** "5.5/1.5/unknown/0.4", or nothing if all are unknown: the place says which one it is. */
const inTurn = (...values: readonly (number | null)[]): Line =>
  values.some((value) => value !== null) && values.map((value) => value ?? "unknown").join("/")

const unscored = (state: string): Line => state !== "scored" && `${state}, no scores`

const hrvName = (method: string | null): string => (method === "sdnn" ? "HRV (sdnn) ms" : "HRV ms")

/** Which morning an answer lacks, since when, and where the newest score is. @param pending with its time as the person reads it */
export const pendingLine = (pending: Pending | undefined): Line =>
  pending &&
  `Pending: ${pending.date}, ${pending.since === null ? "nothing of it yet" : `no scores since ${pending.since}`}. ` +
    (pending.newest_scored_date === null
      ? "No scored date before"
      : `Newest scored date: ${pending.newest_scored_date}`)

/** What the sources lack. Such a date is not one without a night or a workout. */
const missingLine = (missing: readonly MissingRecords[]): Line =>
  missing.length > 0 && `Missing: ${missingRuns(missing).join("; ")}`

const sourcesOf = (records: readonly Sourced[]): string[] => records.map(({ source }) => source)

/** Figures that these records lack and other sources know. The records of all sources have them themselves. */
function othersLine(records: readonly Listed[]): Line {
  if (records.some(({ chosen }) => chosen !== undefined)) return false
  const fields = fieldsElsewhere(records)
  const named = Object.entries(fields).map(([source, names]) => `${source} has ${names.join(", ")}`)
  return named.length > 0 && `Not in these records: ${named.join("; ")}. Ask with source to read them`
}

const noRecords = ({
  empty_reason: reason,
  empty_note: note,
}: Pick<RecoveryOutput, "empty_reason" | "empty_note">): string =>
  `No records: ${note ?? (reason ?? "no_data_in_range").replaceAll("_", " ")}`

interface Listed extends Sourced {
  readonly chosen?: boolean | undefined
}

interface ListOutput<Body>
  extends Pick<RecoveryOutput, "empty_reason" | "empty_note" | "missing" | "sources" | "pending" | "left_out"> {
  readonly records: readonly Body[]
}

function list<Body extends Listed>(
  head: string,
  answer: ListOutput<Body>,
  wordsOf: (record: Body) => readonly Line[],
): string {
  const { records, missing, pending, left_out: leftOut, sources } = answer
  if (records.length === 0)
    return lines(pendingLine(pending) ?? noRecords(answer), missingLine(missing), sourceLine(sources))
  const source = (record: Body): Line =>
    sources.length > 1 && `from ${record.source}${record.chosen === false ? " (not chosen)" : ""}`
  return lines(
    `${head}. ${countText(records.length, leftOut)}`,
    ...records.map((record) => words(...wordsOf(record), source(record))),
    pendingLine(pending),
    missingLine(missing),
    othersLine(records),
    sourceLine(sources, sourcesOf(records)),
  )
}

/** How many records there are, and how many older ones a limit left out. */
const countText = (count: number, leftOut: number | undefined): string =>
  words(`Records: ${count}`, leftOut !== undefined && `and ${leftOut} older ones left out`)

const NOTES: Readonly<Record<Exclude<Source["status"], "ok" | "archive">, string>> = {
  syncing: "syncing, older data may be missing",
  vendor_unavailable: "vendor unavailable, recent data may be missing",
  failing: "failing, recent data may be missing",
  reauthorization_required: "reauthorization required, recent data is missing until the person connects again",
}

/**
 * The time of each source's sync. Unless the status is ok, the status and that data may be missing.
 * @param given the sources that gave the figures of the text. The others are not named, unless there is none
 */
export function sourceLine(sources: readonly Source[], given: Iterable<string | null> = []): string {
  const names = new Set(given)
  const giving = sources.filter(({ provider }) => names.has(provider))
  return `From ${(giving.length > 0 ? giving : sources).map(sourceWords).join("; ")}`
}

const waitingWords = ({ message, until }: NonNullable<Source["waiting"]>): string =>
  until === null ? message : `${message}, until about ${until.slice(0, 16)}Z`

const sourceWords = ({
  provider,
  status,
  last_synced_at: syncedAt,
  archived_at: archivedAt,
  waiting,
}: Source): string =>
  words(
    `${provider},`,
    status === "archive"
      ? `from an archive${archivedAt === undefined ? "" : ` of ${archivedAt.slice(0, 10)}`}`
      : syncedAt === null
        ? "not synced yet"
        : `synced ${syncedAt.slice(0, 16)}Z`,
    status !== "ok" && status !== "archive" && `(${NOTES[status]}${waiting ? `: ${waitingWords(waiting)}` : ""})`,
  )

type Answer = JournalOutput["records"][number]

const HEAD =
  "Journal: date of waking, then each answer. A factor that a date does not name was not asked on that date, so do not count it as no"

/** The journal as text: one line for each date and source, then the questions behind the factors. */
export function journalText(answer: JournalOutput): string {
  const { records, missing, left_out: leftOut, sources } = answer
  if (records.length === 0)
    return lines(`${noRecords(answer)}. Do not count that as no`, missingLine(missing), sourceLine(sources))
  const hasSeveral = sources.length > 1
  const days = Map.groupBy(records, ({ date, source }) => (hasSeveral ? `${date} ${source}` : date))
  const questions = Map.groupBy(records, ({ factor }) => factor)
  return lines(
    `${HEAD}. ${countText(records.length, leftOut)}`,
    ...days.entries().map(([day, answers]) => words(`${day}:`, answers.map(answerText).join(", "))),
    `Questions: ${[...questions].map(([factor, answers]) => `${factor} (${questionsOf(answers)})`).join(", ")}`,
    missingLine(missing),
    sourceLine(sources, sourcesOf(records)),
  )
}

const answerText = ({ factor, answer, value }: Answer): string =>
  words(factor, answer === null ? "not answered" : answer ? "yes" : "no", value !== null && String(value))

const questionsOf = (answers: readonly Answer[]): string =>
  [...new Set(answers.map(({ question }) => question))].join("; ")
