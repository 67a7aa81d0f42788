import {
  byWeekday,
  dated,
  daysBack,
  drinks,
  inOctober,
  inThisYear,
  last,
  OCTOBER,
  of,
  THIS_YEAR,
  TODAY,
  usual,
} from "./everyday-figures.ts"
import {
  clock,
  clockMean,
  highestOf,
  lowestOf,
  meanOf,
  rounded,
  slopeOf,
  type Truth,
  within,
} from "./everyday-truth.ts"

import { signsOf, sportsOf } from "./sports-and-signs-truth.ts"

/** A tool call, as an assistant makes it. */
export interface Call {
  readonly tool: string
  readonly input?: Readonly<Record<string, unknown>>
}

export interface Question {
  readonly ask: string
  readonly calls: readonly Call[]
  /** What an answer has to contain, as it stands: an assistant must not have to compute it. */
  facts(truth: Truth): readonly (string | number)[]
}

export const QUESTIONS: readonly Question[] = [
  {
    ask: "How did I sleep last night?",
    calls: [{ tool: "get_today" }],
    facts: ({ asleep, bedtime, wakeTime, performance }) => [
      rounded(of(asleep, TODAY), 2),
      clock(of(bedtime, TODAY)),
      clock(of(wakeTime, TODAY)),
      rounded(of(performance, TODAY), 1),
    ],
  },
  {
    ask: "How recovered am I today, compared with usual?",
    calls: [{ tool: "get_today" }],
    facts: ({ recovery, hrv }) => [of(recovery, TODAY), ...usual(recovery, 1), ...usual(hrv, 1)],
  },
  {
    ask: "Is my breathing rate unusual?",
    calls: [{ tool: "get_today" }],
    facts: ({ breaths }) => [rounded(of(breaths, TODAY), 1), ...usual(breaths, 1)],
  },
  {
    ask: "When did I go to bed this week?",
    calls: [{ tool: "get_trend", input: { metric: "bedtime", days: 7, points: true } }],
    facts: ({ bedtime }) => [...last(bedtime, 7)].flatMap(([date, minutes]) => [date, clock(minutes)]),
  },
  {
    ask: "When do I usually wake up?",
    calls: [{ tool: "get_trend", input: { metric: "wake_time", days: 30 } }],
    facts: ({ wakeTime }) => [clockMean(last(wakeTime, 30))],
  },
  {
    ask: "What was my best sleep this year?",
    calls: [{ tool: "get_trend", input: { metric: "sleep_performance", ...THIS_YEAR } }],
    facts: ({ performance }) => dated(highestOf(inThisYear(performance), 1)),
  },
  {
    ask: "What was my worst night in October?",
    calls: [{ tool: "get_trend", input: { metric: "sleep_performance", ...OCTOBER } }],
    facts: ({ performance }) => dated(lowestOf(inOctober(performance), 1)),
  },
  {
    ask: "Is my HRV rising?",
    calls: [{ tool: "get_trend", input: { metric: "hrv", days: 90 } }],
    facts: ({ hrv }) => [rounded(slopeOf(last(hrv, 90)), 2), rounded(meanOf(last(hrv, 90)), 1)],
  },
  {
    ask: "Was my resting heart rate higher this month than last month?",
    calls: [
      {
        tool: "compare_periods",
        input: {
          metric: "resting_heart_rate",
          start_date: "2026-11-01",
          end_date: TODAY,
          with_start_date: "2026-10-01",
          with_end_date: "2026-10-31",
        },
      },
    ],
    facts: ({ restingHeartRate }) => {
      const [now, before] = [meanOf(within(restingHeartRate, "2026-11-01", TODAY)), meanOf(inOctober(restingHeartRate))]
      return [rounded(now, 1), rounded(before, 1), rounded(now - before, 2)]
    },
  },
  {
    ask: "Compare my recovery of this month with last month",
    calls: [
      {
        tool: "compare_periods",
        input: {
          metric: "recovery_score",
          start_date: "2026-11-01",
          with_start_date: "2026-10-01",
          with_end_date: "2026-10-31",
        },
      },
    ],
    facts: ({ recovery }) => {
      const [now, before] = [within(recovery, "2026-11-01", TODAY), inOctober(recovery)]
      return [rounded(meanOf(now), 1), now.size, rounded(meanOf(before), 1), before.size]
    },
  },
  {
    ask: "Does alcohol go with lower recovery?",
    calls: [{ tool: "find_relations", input: { outcome: "recovery_score", factor: "journal:alcohol" } }],
    facts: (truth) => {
      const { yes, no } = drinks(truth, 180)
      return [rounded(meanOf(yes), 1), yes.size, rounded(meanOf(no), 1), no.size]
    },
  },
  {
    ask: "On which days did I drink this week?",
    calls: [{ tool: "get_trend", input: { metric: "journal:alcohol", days: 7, points: true } }],
    facts: (truth) => [...drinks(truth, 7).yes.keys(), ...drinks(truth, 7).no.keys()],
  },
  {
    ask: "On which weekday do I sleep longest?",
    calls: [{ tool: "get_trend", input: { metric: "asleep", days: 90, by: "weekday" } }],
    facts: ({ asleep }) => byWeekday(last(asleep, 90)).flatMap(({ weekday, mean }) => [weekday, mean]),
  },
  {
    ask: "Do I sleep enough?",
    calls: [{ tool: "get_trend", input: { metric: "sleep_debt", days: 14 } }],
    facts: ({ need, asleep }) => {
      const nights = last(need, 14)
      const debt = [...nights].reduce((sum, [date, hours]) => sum + hours - of(asleep, date), 0)
      // The sum is in words: hours more or less than needed.
      return [rounded(debt / nights.size, 2), nights.size]
    },
  },
  {
    ask: "What is my resting heart rate usually?",
    calls: [{ tool: "get_trend", input: { metric: "resting_heart_rate", days: 30 } }],
    facts: ({ restingHeartRate }) => [...usual(restingHeartRate, 1), rounded(meanOf(last(restingHeartRate, 30)), 1)],
  },
  {
    ask: "How was my week?",
    calls: [{ tool: "get_summary", input: { days: 7 } }],
    facts: ({ asleep, recovery, hrv }) => [
      rounded(meanOf(last(asleep, 7)), 2),
      rounded(meanOf(last(recovery, 7)), 1),
      rounded(meanOf(last(hrv, 7)), 1),
    ],
  },
  {
    ask: "How many workouts did I do last week?",
    calls: [{ tool: "get_summary", input: { start_date: "2026-11-09", end_date: "2026-11-15" } }],
    facts: ({ workouts }) => [workouts.filter(({ date }) => date >= "2026-11-09" && date <= "2026-11-15").length],
  },
  {
    ask: "What was my last workout?",
    calls: [{ tool: "get_workouts", input: { days: 30, limit: 1 } }],
    facts: ({ workouts: [workout] }) => [workout?.date ?? "", workout?.start ?? "", rounded(workout?.hours ?? 0, 2)],
  },
  {
    ask: "What was my hardest day this month?",
    calls: [{ tool: "get_trend", input: { metric: "strain", start_date: "2026-11-01" } }],
    facts: ({ strain }) => dated(highestOf(within(strain, "2026-11-01", TODAY), 1)),
  },
  {
    ask: "Do I get more deep sleep than a month ago?",
    calls: [{ tool: "compare_periods", input: { metric: "deep", days: 30 } }],
    facts: ({ deep }) => [
      rounded(meanOf(last(deep, 30)), 2),
      rounded(meanOf(within(deep, daysBack(59), daysBack(30))), 2),
    ],
  },
  {
    ask: "What was my lowest HRV ever, and when?",
    calls: [{ tool: "get_trend", input: { metric: "hrv", days: 4000, top: 1 } }],
    facts: ({ hrv }) => dated(lowestOf(hrv, 1)),
  },
  {
    ask: "How long did I sleep in October on average?",
    calls: [{ tool: "get_trend", input: { metric: "asleep", ...OCTOBER } }],
    facts: ({ asleep }) => [rounded(meanOf(inOctober(asleep)), 2), inOctober(asleep).size],
  },
  {
    ask: "How did I sleep on 3 November?",
    calls: [{ tool: "get_sleep", input: { start_date: "2026-11-03", end_date: "2026-11-03" } }],
    facts: ({ asleep, bedtime, wakeTime }) => [
      rounded(of(asleep, "2026-11-03"), 2),
      clock(of(bedtime, "2026-11-03")),
      clock(of(wakeTime, "2026-11-03")),
    ],
  },
  {
    ask: "What was on the morning of 3 November? (research mode)",
    calls: [
      { tool: "search", input: { query: "2026-11-03" } },
      { tool: "fetch", input: { id: "day:2026-11-03" } },
    ],
    facts: ({ asleep, recovery, hrv }) => [
      "2026-11-03",
      rounded(of(asleep, "2026-11-03"), 2),
      of(recovery, "2026-11-03"),
      rounded(of(hrv, "2026-11-03"), 1),
    ],
  },
  {
    ask: "Which were my worst nights this year? (research mode)",
    calls: [{ tool: "search", input: { query: "worst nights in 2026" } }],
    facts: ({ performance }) => dated(lowestOf(inThisYear(performance), 1)),
  },
  {
    ask: "How regular are my bedtimes?",
    calls: [{ tool: "get_trend", input: { metric: "bedtime", days: 30 } }],
    facts: ({ bedtime }) => {
      const angles = [...last(bedtime, 30).values()].map((minutes) => (2 * Math.PI * minutes) / 1440)
      const mean = (of: (angle: number) => number) => angles.reduce((sum, angle) => sum + of(angle), 0) / angles.length
      const spread = Math.sqrt(-2 * Math.log(Math.hypot(mean(Math.cos), mean(Math.sin))))
      return [Math.round((spread * 1440) / (2 * Math.PI))]
    },
  },
  {
    ask: "Does a hard day go with a worse recovery the next morning?",
    calls: [{ tool: "find_relations", input: { outcome: "recovery_score", factor: "strain", lag: 1 } }],
    facts: ({ strain, recovery }) => [
      [...last(recovery, 180).keys()].filter((date) =>
        strain.has(Temporal.PlainDate.from(date).subtract({ days: 1 }).toString()),
      ).length,
    ],
  },
  {
    ask: "What affects my recovery?",
    calls: [{ tool: "find_relations", input: { outcome: "recovery_score" } }],
    facts: ({ recovery, hrv }) => [
      "hrv",
      "positive",
      [...last(recovery, 180).keys()].filter((date) => hrv.has(date)).length,
    ],
  },
  {
    ask: "Is my training load going up?",
    calls: [{ tool: "get_trend", input: { metric: "strain", days: 28 } }],
    facts: ({ strain }) => [rounded(meanOf(last(strain, 7)), 1), rounded(meanOf(last(strain, 28)), 1)],
  },
  {
    ask: "In which month of this year was my recovery best?",
    calls: [{ tool: "get_trend", input: { metric: "recovery_score", ...THIS_YEAR, by: "month", top: 1 } }],
    facts: ({ recovery }) => {
      const months = Map.groupBy(inThisYear(recovery), ([date]) => date.slice(0, 7))
      return [...months].flatMap(([month, all]) => [month, rounded(meanOf(new Map(all)), 1)])
    },
  },
  {
    ask: "How many steps did I take this week?",
    calls: [{ tool: "get_trend", input: { metric: "steps" } }],
    // This person's device counts none, and the answer has to say so.
    facts: () => ["Steps: none of the sources has any values."],
  },
  {
    ask: "What was my longest run this year, and my farthest?",
    calls: [{ tool: "get_sports", input: { ...THIS_YEAR, sport: "running" } }],
    facts: (truth) => {
      const run = sportsOf(truth, "2026-01-01", TODAY).find(({ sport_type: sport }) => sport === "running")
      return [
        run?.longest?.date ?? "",
        run?.longest?.hours ?? "",
        run?.farthest?.date ?? "",
        run?.farthest?.distance_meters ?? "",
      ]
    },
  },
  {
    ask: "After which sport do I recover best?",
    calls: [{ tool: "get_sports" }],
    facts: (truth) =>
      sportsOf(truth, daysBack(364), TODAY)
        .slice(0, 5)
        .flatMap(({ sport_type: sport, count, next_day_recovery: next }) => [
          sport,
          count,
          ...(next ? [next.mean, next.n] : []),
        ]),
  },
  {
    ask: "Is anything unusual this week?",
    calls: [{ tool: "get_signs" }],
    facts: (truth) =>
      signsOf(truth, TODAY, 7).flatMap(({ date, figures }) => [
        date,
        ...figures.flatMap(({ value, usual: { low, high } }) => [value, low, high]),
      ]),
  },
  {
    ask: "How was my March? (research mode)",
    calls: [
      { tool: "search", input: { query: "how was my March" } },
      { tool: "fetch", input: { id: "summary:2026-03-01:2026-03-31" } },
    ],
    facts: ({ recovery, asleep }) =>
      [recovery, asleep].map((values, index) => rounded(meanOf(within(values, "2026-03-01", "2026-03-31")), index + 1)),
  },
  {
    ask: "What weight is entered for me?",
    calls: [{ tool: "get_profile" }],
    facts: ({ weightKilograms }) => [weightKilograms],
  },
]
