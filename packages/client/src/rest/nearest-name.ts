/** The known name that takes the fewest edits. */
export function nearest(name: string, known: readonly string[]): string {
  const [best] = [...known].sort((one, other) => editDistance(name, one) - editDistance(name, other))
  return best ?? name
}

/** Levenshtein's distance: insertions, deletions and replacements of one character. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const [above = 0, diagonal = 0, left = 0] = [row[column + 1], row[column], next[column]]
      next.push(Math.min(above + 1, left + 1, diagonal + (character === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
