// Questions about workouts, streaks, weekends and sums.
import { byDate, inThisYear, last, sumOf, THIS_YEAR, TODAY } from "./everyday-figures.ts"
import type { Question } from "./everyday-questions.ts"
import { clockMean, highestOf, meanOf, rounded, type Truth, type Values, within } from "./everyday-truth.ts"

/** A figure of each date's workouts. Of dates that are over. */
const ofWorkouts = (
  { workouts }: Truth,
  figure: (workout: Truth["workouts"][number]) => number | undefined,
  join: (values: readonly number[]) => number,
): Values =>
  byDate(
    workouts.filter(({ date }) => date < TODAY).map((workout) => [workout.date, figure(workout)] as const),
    join,
  )

/** Dates in a row with more than that. A date without a value ends them. */
function longestStreak(
  values: Values,
  above: number,
): { readonly n: number; readonly start: string; readonly end: string } {
  const runs: string[][] = [[]]
  for (const [date, value] of values) {
    const run = runs.at(-1) ?? []
    const isNext =
      run.length === 0 ||
      Temporal.PlainDate.from(run.at(-1) ?? date)
        .add({ days: 1 })
        .toString() === date
    if (value <= above) runs.push([])
    else if (isNext) run.push(date)
    else runs.push([date])
  }
  const longest = runs.toReversed().toSorted((one, other) => other.length - one.length)[0] ?? []
  return { n: longest.length, start: longest[0] ?? "", end: longest.at(-1) ?? "" }
}

const isWeekend = (date: string): boolean => Temporal.PlainDate.from(date).dayOfWeek > 5

export const QUESTIONS_OF_WORKOUTS: readonly Question[] = [
  {
    ask: "What was my highest heart rate in a workout this year, and when?",
    calls: [{ tool: "get_trend", input: { metric: "workout_max_heart_rate", ...THIS_YEAR } }],
    facts: (truth) => {
      const { date, value } = highestOf(
        inThisYear(
          ofWorkouts(
            truth,
            ({ highestHeartRate }) => highestHeartRate,
            (all) => Math.max(...all),
          ),
        ),
        0,
      )
      return [date, value]
    },
  },
  {
    ask: "How long was I in zone 2 in the last four weeks?",
    calls: [{ tool: "get_trend", input: { metric: "zone_2_hours", days: 28 } }],
    facts: (truth) => {
      const hours = ofWorkouts(
        truth,
        ({ zoneTwoHours }) => zoneTwoHours,
        (all) => all.reduce((sum, each) => sum + each, 0),
      )
      return [rounded(sumOf(last(hours, 28)), 2)]
    },
  },
  {
    ask: "When do I usually start my workouts?",
    calls: [{ tool: "get_trend", input: { metric: "first_workout_start", days: 90 } }],
    facts: (truth) => [
      clockMean(
        last(
          ofWorkouts(
            truth,
            ({ startMinutes }) => startMinutes,
            (all) => Math.min(...all),
          ),
          90,
        ),
      ),
    ],
  },
  {
    ask: "How far did I go in workouts in the last four weeks?",
    calls: [{ tool: "get_trend", input: { metric: "distance", days: 28 } }],
    facts: (truth) => {
      const metres = ofWorkouts(
        truth,
        ({ metres: each = 0 }) => each,
        (all) => all.reduce((sum, each) => sum + each, 0),
      )
      return [rounded(sumOf(last(metres, 28)), 1)]
    },
  },
  {
    ask: "What was my longest run of nights over seven hours?",
    calls: [{ tool: "get_trend", input: { metric: "asleep", ...THIS_YEAR, above: "7" } }],
    facts: ({ asleep }) => {
      const { n, start, end } = longestStreak(inThisYear(asleep), 7)
      return [n, start, end]
    },
  },
  {
    ask: "Do I sleep longer at weekends than on working days?",
    calls: [{ tool: "get_trend", input: { metric: "asleep", days: 90, by: "weekend" } }],
    facts: ({ asleep }) =>
      [true, false].flatMap((wanted) => {
        const side: Values = new Map([...last(asleep, 90)].filter(([date]) => isWeekend(date) === wanted))
        return [rounded(meanOf(side), 2), side.size]
      }),
  },
  {
    ask: "How many hours did I sleep in each of the last weeks?",
    calls: [
      { tool: "get_trend", input: { metric: "asleep", start_date: "2026-11-02", end_date: "2026-11-15", by: "week" } },
    ],
    facts: ({ asleep }) =>
      [
        ["2026-11-02", "2026-11-08"],
        ["2026-11-09", "2026-11-15"],
      ].map(([from = "", to = ""]) => rounded(sumOf(within(asleep, from, to)), 2)),
  },
  {
    ask: "What is HRV usually?",
    calls: [{ tool: "get_trend", input: { metric: "HRV", days: 30 } }],
    facts: ({ hrv }) => [rounded(meanOf(last(hrv, 30)), 1)],
  },
]
