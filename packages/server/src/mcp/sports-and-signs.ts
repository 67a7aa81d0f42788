import {
  DAYS,
  type DisplayPreferences,
  INSIGHT_DAYS,
  SignsResponseSchema,
  SportSchema,
  SportsQuerySchema,
  SportsResponseSchema,
} from "@restwell/client"
import { amountText, metricNamed, nameOf, scoreUnit, signText } from "@restwell/client/figures"
import { SCOPE_OF } from "@restwell/core/connector"
import { z } from "zod"
import { lines, sourceLine, words } from "./answer-text.ts"
import { defineTool } from "./define-tool.ts"
import { INSIGHT_RANGE, sharedDates } from "./insight-answers.ts"
import { notSharedNote } from "./not-shared.ts"
import type { Answered } from "./tool-protocol.ts"
import { plainWords } from "./tool-schemas.ts"
import type { ToolSource } from "./tool-source.ts"

type Units = DisplayPreferences["units"]

const INPUTS = {
  sports: z.strictObject({ ...INSIGHT_RANGE, sport: SportsQuerySchema.shape.sport.describe("") }),
  signs: z.strictObject({ days: z.int().min(DAYS.min).max(DAYS.max).optional() }),
} as const

/** A sport as REST has it, without the vendor's ids, and without what is unknown. */
const SportOutputSchema = SportSchema.extend({
  longest: SportSchema.shape.longest.omit({ id: true }),
  farthest: SportSchema.shape.farthest.unwrap().omit({ id: true }),
}).partial({
  distance_meters: true,
  calories: true,
  average_strain: true,
  average_heart_rate: true,
  farthest: true,
  next_day_recovery: true,
})

const SportsSchema = SportsResponseSchema.omit({ source: true }).extend({
  sports: z.array(SportOutputSchema),
  /** Workouts of each rarer sport. Their figures are there with `sport`. */
  others: z.record(z.string(), z.int()).optional(),
})

/** As REST has it, and what it lacks because the person does not share it. */
const SignsSchema = SignsResponseSchema.extend({ not_shared: z.string().optional() })

type SportsOutput = z.infer<typeof SportsSchema>

/** Rarer sports would not be read, and their means would be chance. */
const MOST_SPORTS = 5

function sportsOutput(body: unknown): SportsOutput {
  const { source: _, ...whole } = plainWords(SportsResponseSchema.parse(body))
  const rarer = whole.sports.slice(MOST_SPORTS)
  const known = (sport: object) => Object.fromEntries(Object.entries(sport).filter(([, value]) => value !== null))
  return SportsSchema.parse({
    ...whole,
    sports: whole.sports.slice(0, MOST_SPORTS).map(known),
    ...(rarer.length > 0 && {
      others: Object.fromEntries(rarer.map(({ sport_type: sport, count }) => [sport, count])),
    }),
  })
}

/** Workouts by sport, and mornings that are far from usual. */
export const sportsAndSignsTools = [
  defineTool({
    name: "get_sports",
    title: "Sports",
    description:
      "Workouts by sport, default 365 days: count, hours, metres, longest, farthest, last date, the next day's recovery.",
    input: INPUTS.sports,
    output: SportsSchema,
    needs: [SCOPE_OF.workout],
    answer: readSports,
  }),
  defineTool({
    name: "get_signs",
    title: "What is unusual",
    description: "Mornings with a resting heart rate, HRV, breathing or skin temperature far from usual. No diagnosis.",
    input: INPUTS.signs,
    output: SignsSchema,
    needs: [SCOPE_OF.sleep, SCOPE_OF.recovery],
    answer: readSigns,
  }),
]

async function readSports(source: ToolSource, question: z.infer<typeof INPUTS.sports>): Promise<Answered> {
  const dates = await sharedDates(source, question, INSIGHT_DAYS.sportsDefault)
  const [body] = await source.read("get_sports", [{ type: "sports", ...dates, ...question }])
  const answer = sportsOutput(body)
  const text = sportsText(answer, source, { sport: question.sport, isOfAllDates: dates.days !== undefined })
  if (question.sport === undefined || answer.count > 0) return { text, structured: answer }
  const { sport, ...open } = question
  const [whole] = await source.readMore("get_sports", [{ type: "sports", ...dates, ...open }])
  const known = plainWords(SportsResponseSchema.parse(whole)).sports.map((each) => each.sport_type)
  const others = known.length === 0 ? "" : `There are workouts of ${known.join(", ")}.`
  return { text: lines(text, others), structured: answer }
}

function sportsText(
  { period, sports, others, count, sources }: SportsOutput,
  { sharing, preferences: { units } }: ToolSource,
  { sport, isOfAllDates }: { readonly sport: string | undefined; readonly isOfAllDates: boolean },
): string {
  const dates = `${period.start_date} to ${period.end_date} (${period.days} days)`
  return lines(
    sports.length === 0
      ? `No workouts${sport === undefined ? "" : ` of ${sport}`} from ${dates}`
      : `Workouts by sport (${count}), ${dates}`,
    ...sports.map((sport) => sportText(sport, units)),
    others &&
      `Others, with their workouts: ${Object.entries(others)
        .map(([sport, workouts]) => `${sport} ${workouts}`)
        .join(", ")}. Their figures are there with sport`,
    notSharedNote(sharing, sports.length > 0 ? [SCOPE_OF.recovery] : [], { isOfAllDates }),
    sourceLine(sources),
  )
}

const sportText = (
  { sport_type: sport, longest, farthest, next_day_recovery: recovery, ...figures }: SportsOutput["sports"][number],
  units: Units,
) =>
  [
    `${sport}: ${figures.count} workouts, ${figures.hours} h`,
    figures.distance_meters != null && amountText(figures.distance_meters, "m", units),
    figures.calories != null && `${figures.calories} kcal`,
    figures.average_strain != null && `mean strain ${figures.average_strain}`,
    figures.average_heart_rate != null && `mean heart rate ${figures.average_heart_rate} bpm`,
    `longest ${longest.hours} h on ${longest.date}`,
    farthest && `farthest ${amountText(farthest.distance_meters, "m", units)} on ${farthest.date}`,
    `last on ${figures.last_date}`,
    recovery && `next day's recovery ${words(String(recovery.mean), scoreUnit(recovery.source))} (n ${recovery.n})`,
  ]
    .filter(Boolean)
    .join(", ")

async function readSigns(source: ToolSource, question: z.infer<typeof INPUTS.signs>): Promise<Answered> {
  const dates = await sharedDates(source, question, DAYS.default)
  const days = dates.days ?? question.days ?? DAYS.default
  const [body] = await source.read("get_signs", [{ type: "signs", days }])
  const notShared = notSharedNote(source.sharing, [], { isOfAllDates: dates.days !== undefined })
  const answer = {
    ...plainWords(SignsResponseSchema.parse(body)),
    ...(notShared !== undefined && { not_shared: notShared }),
  }
  return { text: signsText(answer, days, source.preferences), structured: answer }
}

function signsText(
  { records, checked, sources, not_shared: notShared }: z.infer<typeof SignsSchema>,
  days: number,
  preferences: DisplayPreferences,
): string {
  const period = days === 1 ? "today" : `the last ${days} days`
  const names = checked.map((id) => nameOf(metricNamed(id))).join(", ")
  return lines(
    checked.length === 0 && `Nothing could be checked in ${period}: no figures with a usual range yet`,
    checked.length > 0 && records.length === 0 && `Nothing far from usual in ${period}. Checked: ${names}`,
    records.length > 0 &&
      `${records.length} mornings with figures far from usual in ${period}: more than two standard deviations from the mean of the 30 before. Checked: ${names}`,
    ...records.map(
      ({ date, figures }) => `${date}: ${figures.map((figure) => signText(figure, preferences)).join("; ")}`,
    ),
    records.length > 0 && "Figures, no diagnosis.",
    notShared,
    sourceLine(sources),
  )
}
