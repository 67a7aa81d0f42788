import type { Metric } from "@restwell/client"
import {
  capitalized,
  certaintyText,
  entryOf,
  figure,
  inSentence,
  nameOf,
  plural,
  strengthText,
} from "@restwell/client/figures"
import type { ComponentProps, ReactNode } from "react"
import { Link } from "wouter"
import { DataTable } from "../components/data-table.tsx"
import { Disclosure, Panel } from "../components/page.tsx"
import { factorTitle, findingText, isWanted, unclearText } from "./finding-text.ts"
import { allOf, type Finding, type Findings, type GroupedFindings } from "./findings.ts"
import { axisText, IntervalMark, type Reach, reachOf } from "./interval-mark.tsx"
import { Notes } from "./notes.tsx"

interface Subject {
  readonly outcome: Metric
  readonly metrics: readonly Metric[]
  readonly reach: Reach
  /** The page about a factor. */
  readonly hrefOf: (factor: string) => string
}

interface FindingPanelsProps {
  readonly found: GroupedFindings
  readonly outcome: Metric
  readonly metrics: readonly Metric[]
  /** The standard deviation of the outcome. */
  readonly spread: number | null
  readonly period: ComponentProps<typeof Notes>["period"]
  readonly hrefOf: (factor: string) => string
}

/** What goes with an outcome: first what the person does, then other figures, then what the outcome is made of. */
export function FindingPanels({ found, outcome, metrics, spread, period, hrefOf }: FindingPanelsProps) {
  const { behaviour, figures, parts, tried, notes } = found
  const all = [behaviour, figures, parts].flatMap(allOf)
  const subject = { outcome, metrics, hrefOf, reach: reachOf(spread, all) }
  const clear = behaviour.clear.length + figures.clear.length
  const name = nameOf(outcome)
  return (
    <>
      <Group title="What you did" found={behaviour} subject={subject} isDrawn>
        {summaryText(clear, { tried, name })}
        {behaviour.clear.length === 0 && behaviour.unclear.length > 0 && closestText(clear)}
      </Group>
      <Group title="Other figures" found={figures} subject={subject} />
      <Parts found={parts} subject={subject} />
      <div className="flex max-w-prose flex-col gap-1.5 px-1 text-xs text-muted">
        <p>
          Figures that go together do not show that one causes the other. About 1 in 10 of the clear ones may be
          coincidence.
        </p>
        <p>{axisText(outcome, subject.reach)}</p>
      </div>
      <Panel title="All factors">
        <Details summary={`Table of ${plural(all.length, "factor")}`}>
          <FactorTable all={all} subject={subject} />
        </Details>
        <Notes notes={notes} period={period} />
      </Panel>
    </>
  )
}

function summaryText(clear: number, { tried, name }: { tried: number; name: string }): string {
  if (tried === 0) return "No factor has enough data yet."
  if (clear === 0) return `None of ${plural(tried, "tested factor")} is clearly associated with your ${name}.`
  return `${figure(clear)} of ${plural(tried, "tested factor")} ${clear === 1 ? "is" : "are"} clearly associated with your ${name}.`
}

/** Introduces the factors that are drawn although none of them is clear. */
const closestText = (clear: number): string =>
  clear === 0 ? " These come closest." : " None of them is something you did. These come closest."

/** How many of the others are drawn if no link is clear. */
const DRAWN = 6

interface GroupProps {
  readonly title: string
  readonly found: Findings
  readonly subject: Subject
  /** Whether some factors are drawn although none is clear. */
  readonly isDrawn?: boolean
  readonly children?: ReactNode
}

/** Sentences for clear links. The others are one line, which opens to all of them. */
function Group({ title, found: { clear, unclear, untested }, subject, isDrawn = false, children }: GroupProps) {
  if (clear.length + unclear.length + untested.length === 0) return null
  const drawn = isDrawn && clear.length === 0 ? unclear.slice(0, DRAWN) : []
  const folded = unclear.slice(drawn.length)
  return (
    <Panel title={title} description={children}>
      <ul className="divide-y divide-line">
        {clear.map((each) => (
          <ClearFinding key={each.factor} found={each} subject={subject} />
        ))}
      </ul>
      <UnclearFindings found={drawn} subject={subject} />
      <div className={`flex flex-col ${clear.length + drawn.length > 0 ? "mt-3 border-t border-line pt-1" : ""}`}>
        {folded.length > 0 && (
          <Details summary={`No clear link${drawn.length > 0 ? " either" : ""}: ${namesText(folded, subject)}`}>
            <UnclearFindings found={folded} subject={subject} />
          </Details>
        )}
        {untested.length > 0 && (
          <Details summary={`Not enough data yet: ${namesText(untested, subject)}`}>
            <p className="max-w-prose text-sm text-muted">
              A figure needs 20 days together with your {nameOf(subject.outcome)}. A yes/no factor also needs 8 days
              with yes and 8 with no, and not always on the same weekdays.
            </p>
          </Details>
        )}
      </div>
    </Panel>
  )
}

const UnclearFindings = ({ found, subject }: { found: readonly Finding[]; subject: Subject }) =>
  found.length > 0 && (
    <ul className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
      {found.map((each) => (
        <UnclearFinding key={each.factor} found={each} subject={subject} />
      ))}
    </ul>
  )

const NAMED = 3

/** "caffeine, melatonin, cold shower and 6 more" */
function namesText(found: readonly Finding[], { metrics }: Subject): string {
  const names = found.map(({ factor }) => inSentence(factorTitle(factor, metrics)))
  const rest = names.length - NAMED
  if (rest > 1) return `${names.slice(0, NAMED).join(", ")} and ${figure(rest)} more`
  return names.length === 1 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
}

function ClearFinding({ found, subject }: { found: Finding; subject: Subject }) {
  const { outcome, metrics, reach, hrefOf } = subject
  const { lead, middle, strong, rest, small } = findingText(found, outcome, metrics)
  const wanted = isWanted(found, outcome)
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <p>
        <Link href={hrefOf(found.factor)} className="font-semibold underline decoration-line-strong underline-offset-2">
          {lead}
        </Link>{" "}
        {middle}{" "}
        <strong className={wanted === undefined ? "font-semibold" : wanted ? "text-good" : "text-poor"}>
          {strong}
        </strong>
        {rest}
      </p>
      <IntervalMark found={found} outcome={outcome} reach={reach} />
      <p className="text-xs text-muted tabular-nums">{small}</p>
    </li>
  )
}

const UnclearFinding = ({
  found,
  subject: { outcome, metrics, reach, hrefOf },
}: {
  found: Finding
  subject: Subject
}) => (
  <li className="text-sm">
    <Link href={hrefOf(found.factor)} className="underline decoration-line-strong underline-offset-2">
      {factorTitle(found.factor, metrics)}
    </Link>
    <IntervalMark found={found} outcome={outcome} reach={reach} />
    <p className="text-xs text-muted tabular-nums">{unclearText(found, outcome)}</p>
  </li>
)

/** Scores are made of other figures. Other outcomes are measured together with them. */
const isScore = (metric: Metric): boolean => entryOf(metric).isScore === true

function Parts({ found, subject }: { found: Findings; subject: Subject }) {
  const parts = [...found.clear, ...found.unclear]
  if (parts.length === 0) return null
  const name = isScore(subject.outcome) ? "What the score is made of" : "What belongs to it by definition"
  return (
    <Panel title={name}>
      <Details
        summary={`${capitalized(namesText(parts, subject))}: ${isScore(subject.outcome) ? "the score is computed from them" : "one is computed from the other"}, so they go together`}
      >
        <UnclearFindings found={parts} subject={subject} />
      </Details>
    </Panel>
  )
}

const VERDICTS: Readonly<Record<Finding["verdict"], string>> = {
  higher: "higher",
  lower: "lower",
  positive: "goes up with it",
  negative: "goes down with it",
  no_clear_difference: "no clear link",
  no_clear_relation: "no clear link",
  not_enough_data: "not enough data",
}

const FactorTable = ({ all, subject: { outcome, metrics } }: { all: readonly Finding[]; subject: Subject }) => (
  <DataTable
    caption="All factors"
    rowHeader="Factor"
    rows={all.map((found) => ({ ...found, key: found.factor, label: factorTitle(found.factor, metrics) }))}
    columns={[
      { header: "Relation", cell: (found) => strengthText(outcome, found) },
      { header: "95 % interval", cell: (found) => certaintyText(outcome, found) },
      {
        header: "Verdict",
        cell: ({ verdict, part_of_outcome: isPart }) => `${VERDICTS[verdict]}${isPart ? ", by definition" : ""}`,
      },
      { header: "Compared with", cell: ({ lag }) => (lag === 1 ? "the day before" : "the same day") },
      { header: "Days", cell: ({ n }) => figure(n) },
    ]}
  />
)

/** A line that opens to more. */
const Details = ({ summary, children }: { summary: string; children: ReactNode }) => (
  <Disclosure summary={summary}>
    <div className="pt-1 pb-2">{children}</div>
  </Disclosure>
)
