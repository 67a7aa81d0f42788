// What a report says of the figures of rows that are not read: their names, and how many rows have them.
import { countNamed } from "../normalize/count-named.ts"
import type { ArchiveItem } from "./archive-items.ts"

/** Names that a note lists. */
const MOST_NAMES = 20
const LONGEST_NAME = 60
/** Numbers that say nothing of a person's body. */
const NO_FIGURE = /(?:id|pk|key|uuid\w*|msb|lsb|version|timestamp|time|_ts|gmt|local|offset|index|order)$/i

/** Counts the figures that rows of one kind have beside those that are read. */
export class UnreadFigures {
  readonly #what: string
  readonly #read: ReadonlySet<string>
  readonly #counts = new Map<string, number>()

  /** @param what the rows are, in the words of the report @param read names of what is read of them */
  constructor(what: string, read: Iterable<string>) {
    this.#what = what
    this.#read = new Set(read)
  }

  readonly add = (row: unknown): void => {
    if (typeof row !== "object" || row === null) return
    for (const [name, value] of Object.entries(row))
      if (typeof value === "number" && !this.#read.has(name) && !NO_FIGURE.test(name))
        countNamed(this.#counts, name.slice(0, LONGEST_NAME), { most: MOST_NAMES, further: "further figures" })
  };

  *note(): Generator<ArchiveItem, void> {
    if (this.#counts.size === 0) return
    const sorted = [...this.#counts].toSorted(
      ([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1),
    )
    const listed = sorted.map(([name, count]) => `${name} ${count.toLocaleString("en")}`).join(", ")
    yield { type: "note", note: `Figures of ${this.#what} that Restwell does not read: ${listed}` }
  }
}
