// What a report says of an archive's files: which were read and as what, and which were not.
import type { ArchiveItem } from "./archive-items.ts"
import { baseName } from "./zip-entries.ts"

type Named = { readonly name: string }

/** Names that a note lists. */
const MOST_NAMES = 60

/** `heart_rate-2024-01-01.json` and the other days of it are one kind. */
const stemOf = ({ name }: Named): string =>
  baseName(name)
    .replace(/\.[a-z0-9]+$/i, "")
    // Digits of a word stay: `vo2`.
    .replaceAll(/\S+@\S+?_|[\d()-]{2,}|(?<![a-z])\d+/gi, " ")
    .replaceAll(/[\s_-]+/g, " ")
    .trim() || baseName(name)

/** `UserSleeps (2), heart rate (730)`. */
function kindsOf(files: readonly Named[]): string {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(stemOf(file), (counts.get(stemOf(file)) ?? 0) + 1)
  const kinds = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const listed = kinds.slice(0, MOST_NAMES).map(([kind, count]) => `${kind} (${count})`)
  return [...listed, ...(kinds.length > MOST_NAMES ? [`${kinds.length - MOST_NAMES} more kinds`] : [])].join(", ")
}

/** Says what files were read as, and which ones were left. */
export function* fileNotes(
  read: readonly (readonly [as: string, files: readonly Named[]])[],
  unread: readonly Named[],
): Generator<ArchiveItem, void> {
  for (const [as, files] of read) if (files.length > 0) yield { type: "note", note: `Read as ${as}: ${kindsOf(files)}` }
  if (unread.length > 0) yield { type: "note", note: `Files that Restwell does not read: ${kindsOf(unread)}` }
}
