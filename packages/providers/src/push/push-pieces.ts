// The pieces in which the rows of a push are stored: some whole days, or a part of a day. Rows that begin together are in one piece.

import { DAY_MS } from "@restwell/client/time-units"

/** A piece is stored in one transaction, which should take a second or two. */
const PIECE_ROWS = 20_000
const PIECE_DAYS = 30

/** A part of the rows in their order. */
interface Span {
  readonly from: number
  readonly to: number
}

export interface PushPieces {
  /** The rows by their UTC days, and those of a day that is cut by their times. Rows of equal times are as they came. */
  readonly order: Uint32Array
  readonly spans: readonly Span[]
  /** Rows that no piece has, because more begin together than a piece holds. */
  readonly dropped: number
}

/** Equal pushes have equal pieces, oldest first. @param times of the rows, epoch milliseconds */
export function piecesOf(times: Float64Array): PushPieces {
  const { order, counts } = byDay(times)
  const spans: Span[] = []
  let [from, to, days, dropped] = [0, 0, 0, 0]
  const end = () => {
    if (to > from) spans.push({ from, to })
    ;[from, days] = [to, 0]
  }
  for (const count of counts) {
    if (days === PIECE_DAYS || to - from + count > PIECE_ROWS) end()
    to += count
    days += 1
    if (count <= PIECE_ROWS) continue
    const parts = partsOfDay(order.subarray(from, to), times)
    spans.push(...parts.spans.map((part) => ({ from: from + part.from, to: from + part.to })))
    dropped += parts.dropped
    ;[from, days] = [to, 0]
  }
  end()
  return { order, spans, dropped }
}

/** Takes linear time: it counts the rows of each day first. */
function byDay(times: Float64Array): { readonly order: Uint32Array; readonly counts: readonly number[] } {
  const dayAt = (index: number) => Math.floor((times[index] ?? 0) / DAY_MS)
  const counts = new Map<number, number>()
  for (let index = 0; index < times.length; index += 1) {
    const day = dayAt(index)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  const days = [...counts].sort(([one], [other]) => one - other)
  const places = new Map<number, number>()
  let start = 0
  for (const [day, count] of days) {
    places.set(day, start)
    start += count
  }
  const order = new Uint32Array(times.length)
  for (let index = 0; index < times.length; index += 1) {
    const day = dayAt(index)
    const place = places.get(day) ?? 0
    order[place] = index
    places.set(day, place + 1)
  }
  return { order, counts: days.map(([, count]) => count) }
}

/** Sorts the rows of a day, and cuts it between rows of different times. */
function partsOfDay(day: Uint32Array, times: Float64Array): Pick<PushPieces, "spans" | "dropped"> {
  const timeOf = (row: number | undefined) => times[row ?? 0] ?? 0
  day.sort((one, other) => timeOf(one) - timeOf(other) || one - other)
  const spans: Span[] = []
  let [from, begin, dropped] = [0, 0, 0]
  for (let at = 1; at <= day.length; at += 1) {
    if (at < day.length && timeOf(day[at]) === timeOf(day[begin])) continue
    if (at - from > PIECE_ROWS && begin > from) {
      spans.push({ from, to: begin })
      from = begin
    }
    if (at - begin > PIECE_ROWS) {
      spans.push({ from: begin, to: begin + PIECE_ROWS })
      dropped += at - begin - PIECE_ROWS
      from = at
    }
    begin = at
  }
  if (day.length > from) spans.push({ from, to: day.length })
  return { spans, dropped }
}
