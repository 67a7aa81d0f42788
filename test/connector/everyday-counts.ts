// Questions about counts, sums, weekdays and habits.
import {
  byWeekday,
  daysBack,
  drinks,
  HEART_RATES,
  inThisYear,
  last,
  sumOf,
  THIS_YEAR,
  WEIGHTS,
} from "./everyday-figures.ts"
import type { Question } from "./everyday-questions.ts"
import { clockMean, meanOf, rounded, slopeOf, type Values, within } from "./everyday-truth.ts"

const countOf = (values: Values, isCounted: (value: number) => boolean): number =>
  [...values.values()].filter(isCounted).length

const onWeekday = (values: Values, weekday: number): Values =>
  new Map([...values].filter(([date]) => Temporal.PlainDate.from(date).dayOfWeek === weekday))

const FRIDAY = 5
const MARCH = { start_date: "2026-03-01", end_date: "2026-03-31" }

export const QUESTIONS_OF_COUNTS: readonly Question[] = [
  {
    ask: "How many nights did I sleep under 6 hours this year?",
    calls: [{ tool: "get_trend", input: { metric: "asleep", ...THIS_YEAR, below: "6" } }],
    facts: ({ asleep }) => [countOf(inThisYear(asleep), (hours) => hours < 6)],
  },
  {
    ask: "How many hours did I sleep in 2026?",
    calls: [{ tool: "get_trend", input: { metric: "asleep", ...THIS_YEAR } }],
    facts: ({ asleep }) => [rounded(sumOf(inThisYear(asleep)), 2), inThisYear(asleep).size],
  },
  {
    ask: "When do I go to bed on Fridays?",
    calls: [{ tool: "get_trend", input: { metric: "bedtime", days: 60, by: "weekday" } }],
    // The night of Friday evening ends on Saturday.
    facts: ({ bedtime }) => ["saturday", clockMean(onWeekday(last(bedtime, 60), FRIDAY + 1))],
  },
  {
    ask: "How often was I in the green in the last 90 days?",
    calls: [{ tool: "get_trend", input: { metric: "recovery_score", days: 90, above: "66" } }],
    facts: ({ recovery }) => [countOf(last(recovery, 90), (score) => score > 66), last(recovery, 90).size],
  },
  {
    ask: "How many runs did I do this year?",
    calls: [{ tool: "get_sports", input: { sport: "running", ...THIS_YEAR } }],
    facts: ({ workouts }) => [workouts.filter(({ date, sport }) => sport === "running" && date >= "2026-01-01").length],
  },
  {
    ask: "Do I sleep better at weekends?",
    calls: [{ tool: "get_trend", input: { metric: "asleep", days: 180, by: "weekday" } }],
    facts: ({ asleep }) =>
      byWeekday(last(asleep, 180)).flatMap(({ weekday, mean }) => (weekday.startsWith("s") ? [weekday, mean] : [])),
  },
  {
    ask: "How was my sleep in Lisbon last March?",
    calls: [{ tool: "get_trend", input: { metric: "asleep", ...MARCH } }],
    facts: ({ asleep }) => [rounded(meanOf(within(asleep, MARCH.start_date, MARCH.end_date)), 2)],
  },
  {
    ask: "How has my HRV gone since January?",
    calls: [{ tool: "get_trend", input: { metric: "hrv", ...THIS_YEAR } }],
    facts: ({ hrv }) => [rounded(slopeOf(inThisYear(hrv)), 2), rounded(meanOf(inThisYear(hrv)), 1)],
  },
  {
    // The day before is a likely misunderstanding. The answer says so, and has the verdict of the morning after too.
    ask: "Does alcohol of the day before hurt my recovery?",
    calls: [{ tool: "find_relations", input: { outcome: "recovery_score", factor: "journal:alcohol", lag: 1 } }],
    facts: (truth) => {
      const { yes } = drinks(truth, 400)
      const dayBefore = (date: string) => Temporal.PlainDate.from(date).subtract({ days: 1 }).toString()
      const after = new Map([...last(truth.recovery, 180)].filter(([date]) => yes.has(dayBefore(date))))
      return [rounded(meanOf(after), 1), after.size]
    },
  },
  {
    ask: "Is my sleep debt growing?",
    calls: [{ tool: "get_trend", input: { metric: "sleep_debt", days: 90 } }],
    facts: ({ need, asleep }) => {
      const debts = new Map(
        [...within(need, daysBack(89), daysBack(0))].flatMap(([date, hours]): [string, number][] => {
          const slept = asleep.get(date)
          return slept === undefined ? [] : [[date, hours - slept]]
        }),
      )
      return [rounded(meanOf(debts), 2), debts.size]
    },
  },
  {
    ask: "How was my heart rate yesterday, hour by hour?",
    calls: [{ tool: "get_series", input: { type: "heart_rate", start_date: daysBack(1), end_date: daysBack(1) } }],
    facts: () => HEART_RATES,
  },
  {
    ask: "What were my last weights?",
    calls: [{ tool: "get_series", input: { type: "weight", days: 30 } }],
    facts: () => [...last(WEIGHTS, 30)].flat(),
  },
  {
    ask: "Am I losing weight?",
    calls: [{ tool: "get_trend", input: { metric: "weight", days: 150 } }],
    facts: () => [rounded(slopeOf(WEIGHTS), 3), WEIGHTS.size, rounded(meanOf(WEIGHTS), 2)],
  },
]
