// Rows of Takeout by their ids: files of two parts have some rows twice, and some of them were changed in between.

export interface NewestRow<Row> {
  readonly row: Row
  /** Other rows of the id. The report counts them. */
  readonly doubles: number
}

/** Of several versions that of the latest change counts, by the time that Google gives it. Without one, the row that comes later. */
export class Versions<Row> {
  readonly #found = new Map<string, NewestRow<Row> & { readonly changedMs: number }>()

  add(id: string, row: Row, changedAt: Date | undefined): void {
    const other = this.#found.get(id)
    const changedMs = changedAt?.getTime() ?? 0
    const newest = other && other.changedMs > changedMs ? other : { row, changedMs }
    this.#found.set(id, { ...newest, doubles: other ? other.doubles + 1 : 0 })
  }

  /** In the order of their first rows. */
  get all(): readonly NewestRow<Row>[] {
    return [...this.#found.values()]
  }
}
