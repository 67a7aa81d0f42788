// What a report says of an archive's files: which were read and as what, and which were not.
import type { ArchiveItem } from "./archive-items.ts"
import { baseName, isHidden } from "./zip-entries.ts"

type Named = { readonly name: string }

/** Names that a note lists. */
const MOST_NAMES = 60

/** A longer name says nothing more. */
const LONGEST_NAME = 120

/** Of a file that is one of many: addresses of devices, ids, emails, times, dates and numbers. Digits of a word stay: `vo2`. */
const OF_ONE_FILE = new RegExp(
  [
    String.raw`(?<![a-z0-9])[0-9a-f]{2}([:_-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?![a-z0-9])`,
    "-?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
    String.raw`\S+@\S+?_`,
    String.raw`\d+\.\d+[ap]m`,
    String.raw`[\d()-]{2,}`,
    String.raw`(?<![a-z])\d+`,
  ].join("|"),
  "gi",
)

const ENDING = /\.[a-z0-9]{1,10}$/i

/** `heart_rate-2024-01-01.json` and the other days of it are one kind. */
const stemOf = (name: string): string =>
  name
    .replace(ENDING, "")
    .replaceAll(OF_ONE_FILE, " ")
    .replaceAll(/[\s_-]+/g, " ")
    .trim()

const ownName = ({ name }: Named): string => baseName(name).slice(-LONGEST_NAME).toWellFormed()

const kindOf = (file: Named): string => stemOf(ownName(file)) || ownName(file)

/** Tables and lists go without their ending. Of others it says what they are: `route.gpx`, `*.fit`. */
function unreadKindOf(file: Named): string {
  const own = ownName(file)
  const ending = /\.(?:csv|json)$/i.test(own) && stemOf(own) !== "" ? "" : (ENDING.exec(own)?.[0].toLowerCase() ?? "")
  return stemOf(own) === "" && ending === "" ? own : `${stemOf(own) || "*"}${ending}`
}

/** `UserSleeps (2), heart rate (730)`. */
function kindsOf(files: readonly Named[], kindOfFile: (file: Named) => string): string {
  const counts = new Map<string, number>()
  for (const kind of files.map(kindOfFile)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const kinds = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const listed = kinds.slice(0, MOST_NAMES).map(([kind, count]) => `${kind} (${count})`)
  return [...listed, ...(kinds.length > MOST_NAMES ? [`${kinds.length - MOST_NAMES} more kinds`] : [])].join(", ")
}

/** Columns that a note lists, and how long the name of one is there. */
const [MOST_COLUMNS, LONGEST_COLUMN] = [20, 60]

/** Says which columns of a table are not read. Undefined for none. Ids say nothing of a person. */
export function columnsNote(file: Named, columns: readonly string[]): string | undefined {
  const unread = columns.filter((column) => column !== "" && !/(?:^|[_ ])id$/i.test(column))
  if (unread.length === 0) return undefined
  const listed = unread.slice(0, MOST_COLUMNS).map((column) => column.slice(0, LONGEST_COLUMN).toWellFormed())
  const further = unread.length > MOST_COLUMNS ? [`${unread.length - MOST_COLUMNS} further columns`] : []
  return `Columns of ${kindOf(file)} that Restwell does not read: ${[...listed, ...further].join(", ")}`
}

/** Says what files were read as, and which ones were left. Hidden ones are nobody's. */
export function* fileNotes(
  read: readonly (readonly [as: string, files: readonly Named[]])[],
  unread: readonly Named[],
): Generator<ArchiveItem, void> {
  for (const [as, files] of read)
    if (files.length > 0) yield { type: "note", note: `Read as ${as}: ${kindsOf(files, kindOf)}` }
  const left = unread.filter(({ name }) => !isHidden(name))
  if (left.length > 0) yield { type: "note", note: `Files that Restwell does not read: ${kindsOf(left, unreadKindOf)}` }
}
