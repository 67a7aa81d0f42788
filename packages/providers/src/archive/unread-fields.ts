// What a report says of the fields of rows that are not read: their names, and how many rows have them.
import type { z } from "zod"
import { countNamed } from "../normalize/count-named.ts"
import type { ArchiveItem } from "./archive-items.ts"

/** Names that a note lists. */
const MOST_NAMES = 60
const LONGEST_NAME = 60

/** Counts the fields that rows of one kind have beside those of their schema. */
export class UnreadFields {
  readonly #what: string
  readonly #read: ReadonlySet<string>
  readonly #counts = new Map<string, number>()

  /** @param what the rows are, in the words of the report */
  constructor(what: string, schema: z.ZodObject) {
    this.#what = what
    this.#read = new Set(Object.keys(schema.shape))
  }

  /** A field that is null is empty. */
  readonly add = (row: unknown): void => {
    if (typeof row !== "object" || row === null) return
    for (const [name, value] of Object.entries(row))
      if (value !== null && !this.#read.has(name))
        countNamed(this.#counts, name.slice(0, LONGEST_NAME), { most: MOST_NAMES, further: "further fields" })
  };

  *note(): Generator<ArchiveItem, void> {
    if (this.#counts.size === 0) return
    const sorted = [...this.#counts].toSorted(
      ([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1),
    )
    const listed = sorted.map(([name, count]) => `${name} ${count.toLocaleString("en")}`).join(", ")
    yield { type: "note", note: `Fields of ${this.#what} that Restwell does not read: ${listed}` }
  }
}
