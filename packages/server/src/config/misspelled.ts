/** Prefixes under which a variable can only be meant for us. */
const OUR_PREFIXES = ["WHOOP_", "RESTWELL_", "FREE_MONTHLY", "PRO_MONTHLY"]

/** Set for tests, not for the service. */
const NOT_SETTINGS = ["RESTWELL_TEST_"]

/** A line for each variable that looks like ours and is none: a setting that silently does nothing is worse than an error. */
export function misspelled(given: readonly string[], known: readonly string[]): string[] {
  return given
    .filter((name) => !known.includes(name) && !NOT_SETTINGS.some((prefix) => name.startsWith(prefix)))
    .filter((name) => OUR_PREFIXES.some((prefix) => name.startsWith(prefix)))
    .map((name) => `${name} is no setting, did you mean ${meant(name, known)}`)
}

/** Our name before a setting that has none, or a word left out, is a habit from other programs. */
function meant(name: string, known: readonly string[]): string {
  const words = name.replace(/^RESTWELL_/, "").split("_")
  return known.find((other) => words.every((word) => other.split("_").includes(word))) ?? nearest(name, known)
}

/** The known name that takes the fewest edits. */
export function nearest(name: string, known: readonly string[]): string {
  const [best] = known.toSorted((one, other) => editDistance(name, one) - editDistance(name, other))
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
