// Plants faults in the numbers of what a vendor or a program sends, one field at a time.

import { SERIES_TYPES, SUM_TYPES } from "@restwell/client"
import fc from "fast-check"
import { expect } from "vitest"
import type { ArchiveItem, Json, NormalizedRecord } from "../src/index.ts"

/** A path and what stands there. */
interface Leaf {
  readonly path: readonly string[]
  /** True for numbers of tables and of XML. */
  readonly isText: boolean
}

/** All numbers of a value, wherever they are. Numbers in texts count, because tables have nothing else. */
export function numbersOf(value: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (typeof value === "number") return [{ path, isText: false }]
  if (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value)) return [{ path, isText: true }]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => numbersOf(inner, [...path, key]))
}

export function withValue<Value>(original: Value, path: readonly string[], value: unknown): Value {
  const copy = structuredClone(original)
  const holder = path.slice(0, -1).reduce<object>((inner, step) => Object(Reflect.get(inner, step)), Object(copy))
  Reflect.set(holder, path.at(-1) ?? "", value)
  return copy
}

/** What reading gave: records without their payload, and the reasons why fields were left out. */
export interface Outcome {
  readonly records: readonly object[]
  readonly leftOut: readonly string[]
}

/** A record without its payload and what was left out of it. A state of the score may depend on the figure itself. */
export function plainOf({ raw: _raw, leftOut: _leftOut, scoreState: _state, ...record }: NormalizedRecord): object {
  return JSON.parse(JSON.stringify(record))
}

const words = fc
  .string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(..."abcxyz ?/éж") })
  .filter((text) => text.trim() !== "")
const impossible = fc.constantFrom(1e12, -1e12, 1e300, -7e8)

interface Matrix<Source> {
  readonly source: Source
  readonly read: (source: Source) => Outcome | Promise<Outcome>
  /** Fields that a record cannot be without, or that stand for another thing than a figure. */
  readonly essential: readonly string[]
  /** What stands for a number in a text that is missing. @default an empty text */
  readonly noText?: Json
}

/** How a source writes a number, and none. */
const AS_JSON = { number: (value: number): Json => value, nothing: null }
const AS_TEXT = { number: (value: number): Json => String(BigInt(Math.round(value))), nothing: "" }

/**
 * Expects that a record with a wrong number is the record without that number, and that the fault is counted. A number that is not read
 * may be anything.
 */
export async function expectFieldsAlone<Source>({
  source,
  read,
  essential,
  noText = AS_TEXT.nothing,
}: Matrix<Source>): Promise<number> {
  const whole = await read(source)
  expect(whole.leftOut).toEqual([])
  expect(whole.records.length).toBeGreaterThan(0)
  const leaves = numbersOf(source).filter(({ path }) => !essential.includes(path.join(".")))
  let figures = 0
  for (const { path, isText } of leaves) {
    const { number, nothing } = isText ? { ...AS_TEXT, nothing: noText } : AS_JSON
    const without = await read(withValue(source, path, nothing))
    expect(without.leftOut, path.join(".")).toEqual([])
    const isRead = JSON.stringify(without.records) !== JSON.stringify(whole.records)
    if (isRead) figures += 1
    await fc.assert(
      fc.asyncProperty(fc.oneof(words, impossible.map(number)), async (wrong) => {
        const outcome = await read(withValue(source, path, wrong))
        expect(outcome.records, `${path.join(".")} is ${JSON.stringify(wrong)}`).toEqual(without.records)
        if (isRead) expect(outcome.leftOut.length, path.join(".")).toBeGreaterThan(0)
      }),
      { numRuns: 6, examples: [["many"], [number(1e12)], [number(-1e12)]] },
    )
  }
  return figures
}

/** What the items of an archive gave. No row may be ignored. */
export function outcomeOfItems(items: readonly ArchiveItem[]): Outcome {
  expect(items.flatMap((item) => (item.type === "ignored" ? [item.reason] : []))).toEqual([])
  return outcomeOfRows(items)
}

/** The same for files whose rows are a figure each: a wrong one costs its row, which the report lists. */
export function outcomeOfRows(items: readonly ArchiveItem[]): Outcome {
  return {
    records: items.flatMap((item) => {
      if (item.type === "record") return [plainOf(item.archived.record)]
      if (item.type === "profile") return [item.profile.data]
      if (item.type !== "series" || item.set.samples.length === 0) return []
      // Values that are not added up are checked when they are stored.
      return UNCHECKED.has(item.set.type) ? [] : [{ type: item.set.type, samples: item.set.samples }]
    }),
    leftOut: items.flatMap((item) =>
      (item.type === "ignored" && !/without (?:a )?value/.test(item.reason)) || item.type === "left_out"
        ? [item.reason]
        : [],
    ),
  }
}
const UNCHECKED: ReadonlySet<string> = new Set(SERIES_TYPES.filter((type) => !SUM_TYPES.includes(type)))
