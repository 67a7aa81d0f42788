// Plants faults in the numbers of what a vendor or a program sends, one field at a time.
import fc from "fast-check"
import { expect } from "vitest"
import type { Json, NormalizedRecord } from "../src/index.ts"

/** A path and what stands there. */
interface Leaf {
  readonly path: readonly string[]
  readonly value: number
}

/** All numbers of a value, wherever they are. Numbers in texts count, because tables have nothing else. */
export function numbersOf(value: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (typeof value === "number") return [{ path, value }]
  if (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value)) return [{ path, value: Number(value) }]
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
  /** How the source writes a number and nothing. @default as JSON does */
  readonly written?: { readonly number: (value: number) => Json; readonly nothing: Json }
}

/**
 * Expects that a record with a wrong number is the record without that number, and that the fault is counted. A number that is not read
 * may be anything.
 */
export async function expectFieldsAlone<Source>({ source, read, essential, written }: Matrix<Source>): Promise<number> {
  const { number = (value: number) => value, nothing = null } = written ?? {}
  const whole = await read(source)
  expect(whole.leftOut).toEqual([])
  const leaves = numbersOf(source).filter(({ path }) => !essential.includes(path.join(".")))
  let figures = 0
  for (const { path } of leaves) {
    const without = await read(withValue(source, path, nothing))
    expect(without.leftOut, path.join(".")).toEqual([])
    expect(without.records.length, path.join(".")).toBeGreaterThan(0)
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
