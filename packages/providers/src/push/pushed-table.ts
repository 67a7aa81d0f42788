// The rows of one push in a few bytes each, and the pieces in which they are stored.
import { PUSHED_TYPES, type PushedType } from "@restwell/client"
import { seriesOf } from "../apple-health/rows.ts"
import type { Sample, SampleSet } from "../contract/series.ts"
import { type PushPieces, piecesOf } from "./push-pieces.ts"
import { isKept, type PushedRow } from "./pushed-rows.ts"

/** More rows than a push has. What one person may store in a day. */
export const MOST_ROWS = 2_000_000
const TOO_MANY_TOGETHER = "more rows of one time than a person has"

/** The push is larger than any push may be. */
export class PushTooLarge extends Error {
  override readonly name = "PushTooLarge"
}

const TYPES: readonly (PushedType | "sleep_sums")[] = [...PUSHED_TYPES, "sleep_sums"]

/** A row as it was pushed. */
export type TableRow = Omit<PushedRow, "clockMinutes">

/** Rows of a few days. */
export interface PushedPiece {
  readonly rows: readonly PushedRow[]
  readonly samples: readonly SampleSet[]
}

const FIRST_ROWS = 64
const NO_OFFSET = -32_768

/** Takes the rows of a push, and gives them back in pieces after the last one. Equal pushes have equal pieces. */
export class PushedTable {
  #count = 0
  #types = new Uint8Array(FIRST_ROWS)
  #sources = new Uint32Array(FIRST_ROWS)
  #startMs = new Float64Array(FIRST_ROWS)
  #endMs = new Float64Array(FIRST_ROWS)
  /** Of text, an index. */
  #values = new Float64Array(FIRST_ROWS)
  #offsets = new Int16Array(FIRST_ROWS)
  /** 1 where a count may be that of its day. */
  #areMaybeOfDay = new Uint8Array(FIRST_ROWS)
  readonly #texts = new Interned()
  readonly #ids = new Map<number, string>()
  readonly #extras = new Map<number, Pick<PushedRow, "figures" | "sleep">>()
  readonly #ignored: Map<string, number>
  #pieces: PushPieces | undefined

  /** @param ignored number of rows that cannot be used, by reason */
  constructor(ignored: Map<string, number>) {
    this.#ignored = ignored
  }

  /** Number of rows that cannot be used, by reason. */
  get ignored(): ReadonlyMap<string, number> {
    this.#pieces ??= this.#cut()
    return this.#ignored
  }

  get count(): number {
    return this.#count
  }

  add({ type, source, id, startMs, endMs, utcOffsetMinutes = NO_OFFSET, value, ...rest }: TableRow): void {
    const { isMaybeOfDay = false, figures, sleep } = rest
    const index = this.#count
    if (index === this.#types.length) this.#grow()
    this.#types[index] = TYPES.indexOf(type)
    this.#sources[index] = this.#texts.indexOf(source)
    this.#startMs[index] = startMs
    this.#endMs[index] = endMs
    this.#values[index] = typeof value === "string" ? this.#texts.indexOf(value) : value
    this.#offsets[index] = utcOffsetMinutes
    this.#areMaybeOfDay[index] = Number(isMaybeOfDay)
    if (id !== undefined) this.#ids.set(index, id)
    if (figures ?? sleep) this.#extras.set(index, { ...(figures && { figures }), ...(sleep && { sleep }) })
    this.#count += 1
  }

  /** When the first row begins. Infinity without rows. */
  get earliestMs(): number {
    return this.#startMs.subarray(0, this.#count).reduce((earliest, startMs) => Math.min(earliest, startMs), Infinity)
  }

  get pieceCount(): number {
    this.#pieces ??= this.#cut()
    return this.#pieces.spans.length
  }

  pieceAt(number: number): PushedPiece {
    this.#pieces ??= this.#cut()
    const { order, spans } = this.#pieces
    const { from, to } = spans[number] ?? { from: 0, to: 0 }
    const rows: PushedRow[] = []
    const samples = new Map<string, SampleSet & { readonly samples: Sample[] }>()
    for (const index of order.subarray(from, to)) {
      const row = this.#rowAt(index)
      const { type, source: device, id, startMs: atMs, endMs, value, utcOffsetMinutes } = row
      if (isKept(type) || id !== undefined) {
        rows.push(row)
        continue
      }
      if (typeof value !== "number") continue
      const set = samples.getOrInsertComputed(`${type}/${device}`, () => ({
        type: seriesOf(type),
        ...(device && { device }),
        samples: [],
      }))
      set.samples.push({
        atMs,
        value,
        ...(endMs !== atMs && { durationMs: endMs - atMs }),
        ...(utcOffsetMinutes !== undefined && { utcOffsetMinutes }),
      })
    }
    return { rows, samples: [...samples.values()] }
  }

  #rowAt(index: number): TableRow {
    const type = TYPES[this.#types[index] ?? 0] ?? "sleep_sums"
    const value = this.#values[index] ?? Number.NaN
    const isText = type === "sleep_segment" || type === "workout" || type === "sleep_sums"
    const id = this.#ids.get(index)
    const utcOffsetMinutes = this.#offsets[index] ?? NO_OFFSET
    return {
      type,
      source: this.#texts.at(this.#sources[index] ?? 0),
      ...(id !== undefined && { id }),
      startMs: this.#startMs[index] ?? Number.NaN,
      endMs: this.#endMs[index] ?? Number.NaN,
      ...(utcOffsetMinutes !== NO_OFFSET && { utcOffsetMinutes }),
      ...(this.#areMaybeOfDay[index] === 1 && { isMaybeOfDay: true }),
      value: isText ? this.#texts.at(value) : value,
      ...this.#extras.get(index),
    }
  }

  #cut(): PushPieces {
    const pieces = piecesOf(this.#times())
    const { dropped } = pieces
    if (dropped > 0) this.#ignored.set(TOO_MANY_TOGETHER, dropped)
    return pieces
  }

  /** A row with an id has the time of the last row of the push with this id, which replaces it. */
  #times(): Float64Array {
    const own = this.#startMs.subarray(0, this.#count)
    const keyOf = (index: number, id: string) => `${this.#types[index]}/${this.#sources[index]}/${id}`
    const last = new Map([...this.#ids].map(([index, id]) => [keyOf(index, id), own[index] ?? 0]))
    const times = last.size < this.#ids.size ? own.slice() : own
    if (times !== own) for (const [index, id] of this.#ids) times[index] = last.get(keyOf(index, id)) ?? 0
    return times
  }

  #grow(): void {
    const length = this.#types.length * 2
    const larger = <Column extends { set(column: Column): void }>(column: Column, longer: Column): Column => {
      longer.set(column)
      return longer
    }
    this.#types = larger(this.#types, new Uint8Array(length))
    this.#sources = larger(this.#sources, new Uint32Array(length))
    this.#startMs = larger(this.#startMs, new Float64Array(length))
    this.#endMs = larger(this.#endMs, new Float64Array(length))
    this.#values = larger(this.#values, new Float64Array(length))
    this.#offsets = larger(this.#offsets, new Int16Array(length))
    this.#areMaybeOfDay = larger(this.#areMaybeOfDay, new Uint8Array(length))
  }
}

/** Equal texts as one number. */
class Interned {
  readonly #indexes = new Map<string, number>()
  readonly #texts: string[] = []

  indexOf(text: string): number {
    return this.#indexes.getOrInsertComputed(text, () => this.#texts.push(text) - 1)
  }

  at(index: number): string {
    return this.#texts[index] ?? ""
  }
}
