import { inSentence } from "@restwell/client"
import { Panel } from "../components/page.tsx"
import { noteText } from "../insights/notes.tsx"
import type { ReportFigure } from "./figures.tsx"

/** Stands for the name of a figure in a note. */
const NAME = "{}"

interface Omission {
  readonly note: string
  /** Titles of the other figures that have the same note. */
  readonly others: readonly string[]
}

/** What the figures leave out, and why. A note that several figures have is there once. */
function omissionsOf(figures: readonly ReportFigure[]): readonly Omission[] {
  const notes = figures.flatMap(({ metric: { title }, answer }) =>
    answer.notes.map((note) => ({ note, title, kind: kindOf(note, title) })),
  )
  return [...Map.groupBy(notes, ({ kind }) => kind).values()].flatMap(([first, ...rest]) =>
    first ? [{ note: first.note, others: rest.map(({ title }) => inSentence(title)) }] : [],
  )
}

/** The note without the name of its figure. */
const kindOf = (note: string, title: string): string =>
  note
    .replaceAll(title, NAME)
    .replaceAll(`${inSentence(title)} score`, NAME)
    .replaceAll(inSentence(title), NAME)

/** What the figures leave out. */
export function LeftOut({ figures }: { figures: readonly ReportFigure[] }) {
  const omissions = omissionsOf(figures)
  return (
    <Panel title="Left out">
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        <li>A day without a value is missing. It is never counted as zero, and never filled in.</li>
        {omissions.map(({ note, others }) => (
          <li key={note}>
            {noteText(note)}
            {others.length > 0 && ` The same for ${LIST.format(others)}.`}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const LIST = new Intl.ListFormat("en")
