// Names that an unknown name may be a misspelling of. Strangers send the unknown name, so its comparison has bounds that no text exceeds.

/** Characters. A longer text is no misspelling of a name. */
const LONGEST_NAME = 64
/** Names that are compared with one text. A table with more is compared as far as this. */
const MOST_NAMES = 300

/**
 * Returns the known name that takes the fewest edits, and the first of several. Words that are left out at the end are one edit. Undefined if
 * each takes more than `mostEdits`, and for a name of more than 64 characters.
 */
export const nearestName = (name: string, known: readonly string[], mostEdits: number): string | undefined =>
  nearestBy(name, known, (other) => (other.startsWith(`${name}_`) ? 1 : editDistance(name, other, mostEdits)))

/** Returns the known name at the smallest distance, as the caller measures it. A name at an infinite distance is never returned. */
export function nearestBy(
  name: string,
  known: readonly string[],
  distanceTo: (known: string) => number,
): string | undefined {
  if (name.length > LONGEST_NAME) return undefined
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const other of known.slice(0, MOST_NAMES)) {
    const distance = distanceTo(other)
    if (distance >= least) continue
    least = distance
    nearest = other
  }
  return nearest
}

/**
 * Levenshtein's distance: insertions, deletions and replacements of one character. Infinite where it is more than `mostEdits`, and for texts of
 * more than 64 characters. Only cells of the table that can stay within that are computed.
 */
export function editDistance(from: string, to: string, mostEdits: number): number {
  const most = Math.floor(mostEdits)
  const tooMany = Number.POSITIVE_INFINITY
  if (from.length > LONGEST_NAME || to.length > LONGEST_NAME) return tooMany
  if (Math.abs(from.length - to.length) > most) return tooMany
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let line = 1; line <= from.length; line += 1) {
    const next = Array<number>(to.length + 1).fill(tooMany)
    if (line <= most) next[0] = line
    const last = Math.min(to.length, line + most)
    for (let column = Math.max(1, line - most); column <= last; column += 1) {
      const [above = tooMany, diagonal = tooMany, left = tooMany] = [row[column], row[column - 1], next[column - 1]]
      next[column] = Math.min(above + 1, left + 1, diagonal + (from[line - 1] === to[column - 1] ? 0 : 1))
    }
    row = next
  }
  const distance = row[to.length] ?? tooMany
  return distance <= most ? distance : tooMany
}
