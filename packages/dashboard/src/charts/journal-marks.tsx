import type { JournalDay } from "@restwell/client"
import { capitalized } from "@restwell/client/figures"
import { createContext, useContext, useState } from "react"
import type { Bucket } from "../trends/days.ts"
import type { XScale } from "./layout.ts"
import { FLOOR } from "./sizes.ts"

/** "late_meal" as "Late meal", and "own:cold shower" as "Cold shower". */
export function factorName(factor: string): string {
  return capitalized(factor.replace(/^own:/, "").replaceAll("_", " "))
}

/** "no_caffeine" is the absence of "caffeine". Undefined for a topic that is no absence. */
export const absentIn = (factor: string): string | undefined =>
  factor.startsWith("no_") ? factor.slice("no_".length) : undefined

type Answer = "yes" | "no"

/** The answers about one factor, to mark charts with. */
export interface Marks {
  /** "Late meal" */
  readonly name: string
  /** Undefined where nothing was answered: that is not a no. */
  readonly answerOn: (date: string) => Answer | undefined
}

/** Returns the marks of a factor. A yes of one source counts beside a no of another. "No caffeine: yes" is marked as "Caffeine: no". */
function marksOf(days: readonly JournalDay[], factor: string): Marks {
  const answers = new Map(
    days.flatMap(({ date, yes, no }): [string, Answer][] => {
      if (yes.includes(factor)) return [[date, "yes"]]
      return no.includes(factor) ? [[date, "no"]] : []
    }),
  )
  const absent = absentIn(factor)
  if (absent === undefined) return { name: factorName(factor), answerOn: (date) => answers.get(date) }
  const opposite = { yes: "no", no: "yes" } as const
  return {
    name: factorName(absent),
    answerOn: (date) => {
      const answer = answers.get(date)
      return answer && opposite[answer]
    },
  }
}

/** Returns the factors of a journal, the one with most yes first. */
function factorsOf(days: readonly JournalDay[]): string[] {
  const counts = new Map<string, number>()
  for (const { yes, no } of days) {
    for (const factor of yes) counts.set(factor, (counts.get(factor) ?? 0) + 1)
    for (const factor of no) counts.set(factor, counts.get(factor) ?? 0)
  }
  return [...counts].toSorted(([one, few], [other, many]) => many - few || (one < other ? -1 : 1)).map(([name]) => name)
}

interface Dates {
  readonly days: readonly { readonly date: string }[]
}

/** The answer of some days: yes if one of them has it. */
function markOf({ days }: Dates, { answerOn }: Marks): Answer | undefined {
  const answers = days.map(({ date }) => answerOn(date))
  return answers.find((answer) => answer === "yes") ?? answers.find((answer) => answer === "no")
}

/** The answers of some days as text: "yes", or "yes on 2 of 5 answered days". */
export function markText({ days }: Dates, marks: Marks): string {
  const answers = days.flatMap(({ date }) => marks.answerOn(date) ?? [])
  if (answers.length === 0) return "not answered"
  if (days.length === 1) return answers[0] ?? ""
  const yes = answers.filter((answer) => answer === "yes").length
  return `yes on ${yes} of ${answers.length} answered days`
}

/** The marks that charts draw. Undefined for none. */
export const MarksContext = createContext<Marks | undefined>(undefined)

export const useMarks = (): Marks | undefined => useContext(MarksContext)

const STORED = "journal-factor"
/** The person wants no marks. */
const NO_FACTOR = ""

/** The factor that charts mark: none until one is picked in this browser. */
export function useMarkedFactor(days: readonly JournalDay[]): {
  readonly factors: readonly string[]
  readonly factor: string
  readonly marks: Marks | undefined
  readonly pick: (factor: string) => void
} {
  const [picked, setPicked] = useState(() => localStorage.getItem(STORED))
  const factors = factorsOf(days)
  const factor = picked !== null && factors.includes(picked) ? picked : NO_FACTOR
  return {
    factors,
    factor,
    marks: factor === NO_FACTOR ? undefined : marksOf(days, factor),
    pick: (next) => {
      localStorage.setItem(STORED, next)
      setPicked(next)
    },
  }
}

/** Selects the factor of the journal that charts mark. */
export const FactorPicker = ({
  factors,
  factor,
  pick,
}: {
  factors: readonly string[]
  factor: string
  pick: (factor: string) => void
}) => (
  <label className="flex min-w-0 items-center gap-2 text-sm text-muted max-sm:gap-1">
    <span className="max-sm:sr-only">Marks</span>
    <select
      value={factor}
      onChange={({ target }) => pick(target.value)}
      className="min-h-9 max-w-44 text-sm min-w-0 max-sm:min-h-11 max-sm:max-w-28 rounded-lg border border-line-strong bg-surface px-2 text-text max-sm:px-1"
    >
      <option value={NO_FACTOR}>no marks</option>
      {factors.map((each) => (
        <option key={each} value={each}>
          {factorName(each)}
        </option>
      ))}
    </select>
  </label>
)

const RADIUS = 2.5

/** Marks a bucket below the axis: a dot for a yes of the journal, a ring for a no. */
const JournalMark = ({ x, y = FLOOR + 5.5, answer }: { x: number; y?: number; answer: "yes" | "no" }) => (
  <circle
    cx={x}
    cy={y}
    r={answer === "yes" ? RADIUS : RADIUS - 0.5}
    strokeWidth={1}
    className={answer === "yes" ? "fill-accent stroke-accent" : "fill-none stroke-line-strong"}
  />
)

/** The marks of all buckets below a date axis. */
export const JournalMarks = ({ buckets, x, marks }: { buckets: readonly Bucket[]; x: XScale; marks: Marks }) => (
  <g>
    {buckets.map((bucket) => {
      const answer = markOf(bucket, marks)
      return answer && <JournalMark key={bucket.key} x={x(bucket.key).center} answer={answer} />
    })}
  </g>
)

/** What the marks mean. */
export const JournalLegend = ({ name }: { name: string }) => (
  <>
    {(["yes", "no"] as const).map((answer) => (
      <li key={answer} className="flex items-center gap-1.5">
        <svg aria-hidden="true" viewBox="0 0 8 8" width={8} height={8}>
          <JournalMark x={4} y={4} answer={answer} />
        </svg>
        {name}: {answer}
      </li>
    ))}
  </>
)
