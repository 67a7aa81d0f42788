import type { DisplayPreferences, PeriodFigure } from "@restwell/client"
import {
  averageText,
  comparedOf,
  figure,
  inSentence,
  plural,
  sizeWords,
  usualRangeText,
  writtenUnit,
} from "@restwell/client/figures"
import type { ReactNode } from "react"
import { Panel } from "../components/page.tsx"
import { providerName } from "../format/provider-name.ts"
import { noteText } from "../insights/notes.tsx"

interface ReportFiguresProps {
  readonly figures: readonly PeriodFigure[]
  /** The number of dates. */
  readonly days: number
  readonly preferences: DisplayPreferences
}

/** Average, spread, usual range and change of each figure, with the number of days. On a phone the cells are below each other. */
export function ReportFigures({ figures, days, preferences }: ReportFiguresProps) {
  const hasComparison = figures.some(({ comparison }) => comparison !== null)
  const hasSources = new Set(figures.map(({ trend }) => trend.source.provider)).size > 1
  const headers = ["Average", "Usual range", ...(hasComparison ? ["Change"] : [])]
  return (
    <Panel title="Figures">
      <table className="w-full text-left text-sm tabular-nums">
        <thead className="border-b border-line-strong align-bottom max-sm:sr-only">
          <tr>
            {["Figure", ...headers].map((header) => (
              <th key={header} scope="col" className="py-1.5 pr-3 font-medium">
                {header}
                {header === "Change" && ` from the ${days === 1 ? "day" : `${figure(days)} days`} before`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {figures.map((each) => (
            <tr key={each.metric.id} className="break-inside-avoid align-baseline max-sm:block max-sm:py-2">
              <th scope="row" className="py-1.5 pr-3 font-medium max-sm:block print:py-0.5">
                {each.metric.title}
                <Small>
                  {figure(each.trend.n)} of {plural(days, "day")}
                  {hasSources && `, ${providerName(each.trend.source.provider)}`}
                </Small>
              </th>
              {cellsOf(each, preferences).map(({ text, small }, index) => (
                <td key={headers[index]} className="py-1.5 pr-3 max-sm:flex max-sm:gap-3 max-sm:py-0.5 print:py-0.5">
                  <span aria-hidden="true" className="basis-1/3 text-muted sm:hidden">
                    {headers[index]}
                  </span>
                  <span className="max-sm:flex-1">
                    {text}
                    <Small>{small}</Small>
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

const Small = ({ children }: { children: ReactNode }) => (
  <span className="block text-xs font-normal text-muted">{children}</span>
)

interface Cell {
  readonly text: string
  readonly small: string
}

function cellsOf({ metric, trend, comparison }: PeriodFigure, preferences: DisplayPreferences): readonly Cell[] {
  const { mean, sd, usual } = trend
  const text = (value: typeof mean): string => averageText(metric, value, preferences)
  const before = comparison?.with
  return [
    { text: text(mean), small: sd === null ? "" : `± ${sizeWords(metric, sd, preferences.units)}` },
    usual === null
      ? { text: "not available yet", small: "" }
      : {
          text: `${usualRangeText(metric, usual)} ${writtenUnit(metric)}`.trim(),
          small: `of ${plural(usual.n, "value")}`,
        },
    ...(comparison && before
      ? [
          {
            text: comparedOf(metric, comparison, preferences).words,
            small: before.mean === null ? "" : `before: ${text(before.mean)}, ${plural(before.n, "day")}`,
          },
        ]
      : []),
  ]
}

/** Stands for the name of a figure in a note. */
const NAME = "{}"

interface Omission {
  readonly note: string
  /** The last date of the answer. */
  readonly end: string
  /** Titles of the other figures that have the same note. */
  readonly others: readonly string[]
}

/** What the figures leave out, and why. A note that several figures have is there once. */
function omissionsOf(figures: readonly PeriodFigure[]): readonly Omission[] {
  const notes = figures.flatMap(({ metric: { title }, trend }) =>
    trend.notes.map((note) => ({ note, end: trend.period.end_date, title, kind: kindOf(note, title) })),
  )
  return [...Map.groupBy(notes, ({ kind }) => kind).values()].flatMap(([first, ...rest]) =>
    first ? [{ note: first.note, end: first.end, others: rest.map(({ title }) => inSentence(title)) }] : [],
  )
}

/** The note without the name of its figure. */
const kindOf = (note: string, title: string): string =>
  note
    .replaceAll(title, NAME)
    .replaceAll(`${inSentence(title)} score`, NAME)
    .replaceAll(inSentence(title), NAME)

/** What the figures leave out. */
export function LeftOut({ figures }: { figures: readonly PeriodFigure[] }) {
  const omissions = omissionsOf(figures)
  return (
    <Panel title="Left out">
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        <li>A day without a value is missing. It is never counted as zero, and never filled in.</li>
        {omissions.map(({ note, end, others }) => (
          <li key={note}>
            {noteText(note, end)}
            {others.length > 0 && ` The same for ${LIST.format(others)}.`}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const LIST = new Intl.ListFormat("en")
