import { afterAll, describe, expect, test } from "vitest"
import { FALSE_DISCOVERY_RATE } from "../../packages/core/src/insights/false-discovery.ts"
import {
  ALL_TAILS,
  COVERAGE,
  EFFECT_CELLS,
  falseDiscoveries,
  MEMORIES,
  MOST_FALSE_CLAIMS,
  measure,
  NULL_QUESTIONS,
  NULL_SIZES,
} from "./calibration.ts"

const WORLDS = 2_000
const FACTOR_WORLDS = 500
const FACTORS = 25

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const lines: string[] = []
afterAll(() => {
  process.stdout.write(`\n${lines.join("\n")}\n`)
})

describe.each(Object.entries(NULL_QUESTIONS))("no effect: %s", (name, ask) => {
  test.each(NULL_SIZES)("%i nights: a verdict in at most 7 % of the worlds", (n) => {
    const rates = ALL_TAILS.flatMap((tails) =>
      MEMORIES.map((memory) => {
        const { up, down } = measure({ name, ask, truth: 0, n, memory, tails }, WORLDS)
        lines.push(`| ${name} | ${n} | ${memory} | ${tails} | ${percent(up + down)} | at most 7 % |`)
        return up + down
      }),
    )
    expect(Math.max(...rates)).toBeLessThanOrEqual(MOST_FALSE_CLAIMS)
  })
})

test.each(EFFECT_CELLS)("$name is found, never with the wrong sign", ({ fewestFound, ...cell }) => {
  const { up, down, covered } = measure({ ...cell, memory: 0.3, tails: "normal" }, WORLDS)
  lines.push(
    `| ${cell.name} | ${percent(up)} found, at least ${percent(fewestFound)} | ${percent(down)} wrong sign, none | ` +
      `${percent(covered)} covered, 93 to 98 % |`,
  )
  expect(up).toBeGreaterThanOrEqual(fewestFound)
  expect(down).toBe(0)
  expect(covered).toBeGreaterThanOrEqual(COVERAGE.fewest)
  expect(covered).toBeLessThanOrEqual(COVERAGE.most)
})

test.each(MEMORIES)(
  "25 factors without a relation, memory %d: one is called clear in at most 10 % of the worlds",
  (memory) => {
    const rate = falseDiscoveries({ n: 90, memory, tails: "heavy" }, FACTORS, FACTOR_WORLDS)
    lines.push(`| relate, ${FACTORS} factors | 90 | ${memory} | heavy | ${percent(rate)} | at most 10 % |`)
    expect(rate).toBeLessThanOrEqual(FALSE_DISCOVERY_RATE)
  },
)
