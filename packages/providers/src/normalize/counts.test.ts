import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import fc from "fast-check"
import { expect, test } from "vitest"
import type { DeviceKind, Sample } from "../contract/series.ts"
import { CountSweep, DayCounts } from "./counts.ts"

interface Row {
  readonly device: string
  readonly atMs: number
  readonly durationMs: number
  readonly value: number
}

const KINDS: Readonly<Record<string, DeviceKind>> = {
  Watch: "watch",
  "A second iPhone": "phone",
  iPhone: "phone",

  Oura: "copy",
  WHOOP: "copy",
}
const START = Date.parse("2026-11-20T22:30:00Z")

function countedOf(rows: readonly Row[]): DayCounts<{ name: string; kind: DeviceKind }> {
  const [sweep, counts] = [new CountSweep<{ name: string; kind: DeviceKind }>(), new DayCounts()]
  const devices = new Map(Object.entries(KINDS).map(([name, kind]) => [name, { name, kind }]))
  for (const { device, durationMs, ...sample } of rows.toSorted((one, other) => one.atMs - other.atMs)) {
    const of = devices.get(device)
    if (of) counts.add(sweep.add(of, { ...sample, ...(durationMs > 0 && { durationMs }) }))
  }
  counts.add(sweep.rest())
  return counts
}

const sumsOf = (rows: readonly Row[]) => {
  const counts = countedOf(rows)
  return Object.fromEntries(counts.dates.toSorted().map((date) => [date, counts.of(date)?.value]))
}

// The rules once more, each as a plain sentence and without regard to time.
type Piece = Required<Pick<Sample, "atMs" | "durationMs" | "value">>

const endOf = ({ atMs, durationMs }: Piece) => atMs + durationMs
const isWithin = (inner: Piece, outer: Piece) =>
  outer.durationMs > 0 &&
  !(inner.atMs === outer.atMs && inner.durationMs === outer.durationMs) &&
  inner.atMs >= outer.atMs &&
  (inner.durationMs === 0 ? inner.atMs < endOf(outer) : endOf(inner) <= endOf(outer))

/** Equal rows are one, those of one time are added up, and the longer of one start is first. */
function groupsOf(rows: readonly Piece[]): Piece[] {
  const distinct = [...new Map(rows.map((row) => [`${row.atMs}/${row.durationMs}/${row.value}`, row])).values()]
  const groups = Map.groupBy(distinct, ({ atMs, durationMs }) => `${atMs}/${durationMs}`)
  return [...groups.values()]
    .map((same) => ({
      atMs: same[0]?.atMs ?? 0,
      durationMs: same[0]?.durationMs ?? 0,
      value: same.reduce((sum, { value }) => sum + value, 0),
    }))
    .toSorted((one, other) => one.atMs - other.atMs || other.durationMs - one.durationMs)
}

const partOf = (piece: Piece, fromMs: number, toMs: number): Piece =>
  piece.durationMs === 0
    ? piece
    : { atMs: fromMs, durationMs: toMs - fromMs, value: (piece.value * (toMs - fromMs)) / piece.durationMs }

/** The groups directly within another one, or within none: the last one that it is within counts. */
function childrenOf(groups: readonly Piece[], outer: Piece | undefined): Piece[] {
  return groups.filter((inner, index) => groups.slice(0, index).findLast((each) => isWithin(inner, each)) === outer)
}

/** What the groups within a group count together. */
function withinOf(groups: readonly Piece[], group: Piece): number {
  let [sum, reachMs] = [0, group.atMs]
  for (const inner of childrenOf(groups, group)) {
    const share =
      inner.durationMs === 0 ? 1 : Math.max(0, endOf(inner) - Math.max(inner.atMs, reachMs)) / inner.durationMs
    sum += Math.max(inner.value, withinOf(groups, inner)) * share
    reachMs = Math.max(reachMs, endOf(inner))
  }
  return sum
}

/** Finer rows that counted as much or more answer. */
function isSplit(groups: readonly Piece[], group: Piece): boolean {
  const within = withinOf(groups, group)
  return within > 0 && within >= group.value * (1 - 1e-9)
}

function ownPieces(rows: readonly Piece[]): Piece[] {
  const groups = groupsOf(rows)
  const answering: Piece[] = []
  const answer = (outer: Piece | undefined): void => {
    for (const group of childrenOf(groups, outer))
      if (isSplit(groups, group)) answer(group)
      else answering.push(group)
  }
  answer(undefined)
  const pieces: Piece[] = []
  for (const group of answering.toSorted((one, other) => one.atMs - other.atMs || other.durationMs - one.durationMs)) {
    const reachMs = Math.max(Number.NEGATIVE_INFINITY, ...pieces.map(endOf))
    if (group.durationMs === 0 ? group.atMs >= reachMs : endOf(group) > reachMs)
      pieces.push(partOf(group, Math.max(group.atMs, reachMs), endOf(group)))
  }
  return pieces
}

/** Milliseconds are too many to look at one by one: rows begin and end at full half minutes. */
const STEP_MS = 30_000

function plainSums(rows: readonly Row[]): Record<string, number> {
  const sums = new Map<string, Map<string, number>>()
  const covered = new Set<number>()
  for (const [device, kind] of Object.entries(KINDS)) {
    const own = ownPieces(rows.filter((row) => row.device === device))
    const cells: number[] = []
    for (const piece of own) {
      const lengthMs = piece.durationMs || MINUTE_MS
      const steps = Array.from({ length: lengthMs / STEP_MS }, (_, index) => piece.atMs + index * STEP_MS)
      const isFree = (step: number) => kind === "copy" || !covered.has(step)
      const counted = piece.durationMs === 0 ? (steps.every(isFree) ? [piece.atMs] : []) : steps.filter(isFree)
      for (const step of counted) {
        const date = new Date(step).toISOString().slice(0, 10)
        const ofDate = sums.getOrInsertComputed(date, () => new Map<string, number>())
        const value = piece.durationMs === 0 ? piece.value : (piece.value * STEP_MS) / piece.durationMs
        ofDate.set(device, (ofDate.get(device) ?? 0) + value)
      }
      if (counted.length > 0) cells.push(...(piece.durationMs === 0 ? steps : counted))
    }
    if (kind !== "copy") for (const cell of cells) covered.add(cell)
  }
  const ofDate = (devices: ReadonlyMap<string, number>): number => {
    const own = [...devices].filter(([device]) => KINDS[device] !== "copy")
    const counting =
      own.length > 0 ? own : [...devices].toSorted(([one], [other]) => (one < other ? -1 : 1)).slice(0, 1)
    return counting.reduce((sum, [, value]) => sum + value, 0)
  }
  return Object.fromEntries([...sums].map(([date, devices]) => [date, ofDate(devices)]))
}

const anyRow = fc.record({
  device: fc.constantFrom(...Object.keys(KINDS)),
  atMs: fc.integer({ min: 0, max: 300 }).map((step) => START + step * STEP_MS),
  durationMs: fc.oneof(
    fc.constant(0),
    fc.constantFrom(1, 2, 20, 60, 120).map((steps) => steps * STEP_MS),
    fc.constant(DAY_MS),
  ),
  value: fc.integer({ min: 0, max: 400 }),
})

/** The finer one of equals answers, so nothing of the day is after midnight. */
const DAY_BESIDE_ONE_COUNT: Row[] = [
  { device: "iPhone", atMs: START, durationMs: 0, value: 261 },
  { device: "iPhone", atMs: START, durationMs: DAY_MS, value: 261 },
]

test("the sums of dates are those of a plain reading of the rules, whatever devices, lengths and groupings there are", () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 30 }), (rows) => {
      const expected = plainSums(rows)
      const sums = sumsOf(rows)
      expect(Object.keys(sums)).toEqual(Object.keys(expected).toSorted())
      for (const [date, value] of Object.entries(sums)) expect(value).toBeCloseTo(expected[date] ?? Number.NaN, 6)
    }),
    { numRuns: 100, examples: [[DAY_BESIDE_ONE_COUNT]] },
  )
})

test("where rows are swept changes no sum: equal days have equal sums, however many there are", () => {
  const rows = fc.array(
    anyRow.filter(({ durationMs }) => durationMs < DAY_MS),
    { minLength: 1, maxLength: 60 },
  )
  fc.assert(
    fc.property(rows, (ofDay) => {
      const noon = ofDay.map((row) => ({ ...row, atMs: row.atMs + DAY_MS / 2 }))
      const days = Array.from({ length: 60 }, (_, day) =>
        noon.map((row) => ({ ...row, atMs: row.atMs + day * DAY_MS })),
      )
      const [one] = Object.values(sumsOf(noon))
      expect(Object.values(sumsOf(days.flat()))).toEqual(days.map(() => one))
    }),
    { numRuns: 20 },
  )
})

test("230,000 rows, each within the one before, are swept in one pass", () => {
  const rows = Array.from({ length: 230_000 }, (_, index) => ({
    device: "Watch",
    atMs: START + index,
    durationMs: DAY_MS - index * 2,
    value: 1,
  }))
  const counts = countedOf(rows.filter(({ durationMs }) => durationMs > 0))
  expect(counts.dates.reduce((sum, date) => sum + (counts.of(date)?.value ?? 0), 0)).toBeCloseTo(1, 6)
})
