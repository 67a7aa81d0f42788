import { PROVIDERS } from "@restwell/client"
import { Link, useSearchParams } from "wouter"
import { dateInYearOf } from "../format/date.ts"
import { providerName } from "../format/provider-name.ts"
import type { Dates } from "../trends/days.ts"

/** The end of a note that names the source of values that were left out. */
const OTHER_SOURCE = / Ask with source=(\w+) for (?:them|it)\./
const DATE = /\b\d{4}-\d\d-\d\d\b/g
const SOURCE = new RegExp(`\\b(?:${PROVIDERS.join("|")})\\b`, "g")

/** A note of an answer in the words of the page: "Jul 23", "WHOOP". @param end the last date of the answer */
export const noteText = (note: string, end: string): string =>
  note
    .replace(OTHER_SOURCE, "")
    .replaceAll(DATE, (date) => dateInYearOf(date, end))
    .replaceAll(SOURCE, (provider) => providerName(provider))

interface NotesProps {
  readonly notes: readonly string[]
  readonly period: Pick<Dates, "end_date">
}

/** What an answer leaves out, and why. The values of another source are a link away. */
export const Notes = ({ notes, period: { end_date: end } }: NotesProps) =>
  notes.length > 0 && (
    <ul className="mt-2 flex max-w-prose flex-col gap-1 text-xs text-muted">
      {notes.map((note) => (
        <li key={note}>
          {noteText(note, end)} <SourceLink source={OTHER_SOURCE.exec(note)?.[1]} />
        </li>
      ))}
    </ul>
  )

/** The answer in one sentence, above its chart. */
export const AnswerSentence = ({ children }: { children: string }) => (
  <p className="text-text tabular-nums">{children}</p>
)

function SourceLink({ source }: { source: string | undefined }) {
  const [search] = useSearchParams()
  if (source === undefined) return null
  return (
    <Link
      href={`?${new URLSearchParams([...[...search].filter(([name]) => name !== "source"), ["source", source]])}`}
      className="text-accent underline underline-offset-2"
    >
      Show the {providerName(source)} values
    </Link>
  )
}
