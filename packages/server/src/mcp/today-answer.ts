import type { Figure, Source, TrendResponse } from "@restwell/client"
import { clock, lines, pendingLine, sourceLine, words } from "./answer-text.ts"
import type { DayRecords } from "./days-of-record.ts"
import type { TodayFigure, TodayOutput } from "./today-schemas.ts"
import type { Answered } from "./tool-result.ts"
import { positionOf } from "./usual-position.ts"

export interface TodayFacts {
  readonly today: string
  /** Of today; a type that is not shared is absent. */
  readonly records: Pick<DayRecords, "sleep" | "recovery" | "cycle">
  /** The newest value of each figure with its usual range. */
  readonly trends: readonly TrendResponse[]
}

/** Last night and this morning relative to the usual range, and what is pending. */
export function todayAnswer(facts: TodayFacts): Answered {
  const answer = todayOutput(facts)
  return { text: todayText(answer), structured: answer }
}

function todayOutput({ today, records: { sleep, recovery, cycle }, trends }: TodayFacts): TodayOutput {
  const night = sleep?.records.find((record) => record.date === today && !record.is_nap)
  const morning = recovery?.records.find((record) => record.date === today)
  const states = [...(sleep ? [night?.score_state] : []), ...(recovery ? [morning?.score_state] : [])]
  const isPending = states.some((state) => state === undefined || state === "pending")
  const newest =
    trends
      .flatMap(({ latest }) => latest?.date ?? [])
      .toSorted()
      .at(-1) ?? null
  const strain = cycle?.records.find((record) => record.date === today)
  return {
    date: today,
    pending: isPending ? { date: today, since: night?.end ?? null, newest_scored_date: newest } : null,
    night: night
      ? {
          start_local: night.start_local,
          end_local: night.end_local,
          asleep_hours: night.asleep_hours,
          need_hours: night.need_hours,
          duration_hours: night.duration_hours,
          score_state: night.score_state,
          stages: night.stages,
        }
      : null,
    figures_date: newest,
    figures: trends.flatMap((trend) => figureOf(trend, newest) ?? []),
    strain_so_far: strain ? { strain: strain.strain, calories: strain.calories } : null,
    sources: [...(trends[0]?.sources ?? sourcesOf(sleep, recovery, cycle))],
  }
}

const sourcesOf = (...answers: readonly ({ readonly sources: readonly Source[] } | undefined)[]): readonly Source[] =>
  answers.find((answer) => answer !== undefined)?.sources ?? []

function figureOf({ metric, unit, latest, usual }: TrendResponse, newest: string | null): TodayFigure | undefined {
  if (!latest) return undefined
  const { date, value } = latest
  return {
    metric,
    unit,
    value,
    ...(date !== newest && { date }),
    usual_low: usual?.low ?? null,
    usual_high: usual?.high ?? null,
    position: usual && positionOf(value, usual.low, usual.high),
  }
}

function todayText({
  date,
  pending,
  night,
  figures_date: newest,
  figures,
  strain_so_far: strain,
  sources,
}: TodayOutput) {
  return lines(
    `Today is ${date}`,
    pendingLine(pending ?? undefined),
    night &&
      words(
        `Last night ${clock(night.start_local)} to ${clock(night.end_local)} local time,`,
        night.asleep_hours !== null && `${night.asleep_hours} h asleep,`,
        `${night.duration_hours} h in bed`,
        night.need_hours !== null && `, ${night.need_hours} h needed`,
        night.score_state !== "scored" && `(${night.score_state})`,
        night.stages.light_hours !== null &&
          `, light ${night.stages.light_hours}, deep ${night.stages.deep_hours}, REM ${night.stages.rem_hours}, awake ${night.stages.awake_hours} h`,
      ),
    newest !== null && `Figures of ${newest}, and their usual range:`,
    ...figures.map(figureText),
    strain &&
      words("Strain so far today", text(strain.strain), strain.calories !== null && `, ${strain.calories} kcal`),
    sourceLine(sources),
  )
}

const text = (value: Figure | null): string => (value === null ? "unknown" : String(value))

function figureText({ metric, unit, value, date, usual_low: low, usual_high: high, position }: TodayFigure): string {
  const range = low === null || high === null ? "no usual range yet" : `usual ${low} to ${high}, ${position} it`
  return words(`${metric} ${value}${unit === null ? "" : ` ${unit}`}`, date !== undefined && `on ${date}`, `(${range})`)
}
