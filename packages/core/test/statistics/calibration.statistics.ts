import { afterAll, describe, expect, test } from "vitest"
import { FALSE_DISCOVERY_RATE } from "../../src/statistics/difference.ts"
import {
  ALL_TAILS,
  COVERAGE,
  EFFECT_CELLS,
  falseDiscoveries,
  MEMORIES,
  MOST_FALSE_CLAIMS,
  measure,
  NULL_QUESTIONS,
  NULL_RELATIONS,
  NULL_SIZES,
  type Rates,
  RELATION_CELLS,
  RELATION_COVERAGE,
  RELATION_EFFECT,
  RELATION_MEMORIES,
  RELATION_SIZES,
  ROUNDED_CELLS,
  stepsOf,
} from "./calibration.ts"
import { formerRelate } from "./former-relate.ts"
import { askAnswers, askTrend, askWander, type World } from "./questions.ts"

const WORLDS = Number(process.env["STATISTICS_WORLDS"] ?? 2_000)
const FACTOR_WORLDS = 500
const FACTORS = 25

/** The former method is only printed beside the bounds. */
const FORMER_WORLDS = 500

const claimed = ({ up, down }: Rates): number => up + down
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

describe.each(Object.entries(NULL_QUESTIONS))("no effect in rounded values: %s", (name, ask) => {
  test.each(stepsOf(name))("rounded to %d sd: a verdict in at most 7 % of the worlds", (step) => {
    const rates = NULL_SIZES.flatMap((n) =>
      MEMORIES.map((memory) => {
        const rate = claimed(measure({ name, ask, truth: 0, n, memory, tails: "normal", step }, WORLDS))
        lines.push(`| ${name} | ${n} | ${memory} | rounded to ${step} sd | ${percent(rate)} | at most 7 % |`)
        return rate
      }),
    )
    expect(Math.max(...rates)).toBeLessThanOrEqual(MOST_FALSE_CLAIMS)
  })
})

test.each(ROUNDED_CELLS)(
  "a drift of $name is found, never with the wrong sign",
  ({ name, drift, fewestFound, ...cell }) => {
    const ask = (world: World) => askTrend(world, drift)
    const { up, down } = measure({ name, ask, truth: 0, memory: 0.3, tails: "normal", ...cell }, WORLDS)
    const { up: plain } = measure({ name, ask, truth: 0, memory: 0.3, tails: "normal", n: cell.n }, WORLDS)
    lines.push(
      `| drift of ${name} | ${percent(up)} found, at least ${percent(fewestFound)} | ${percent(plain)} unrounded |`,
    )
    expect(up).toBeGreaterThanOrEqual(fewestFound)
    expect(down).toBe(0)
  },
)

describe.each(Object.entries(NULL_RELATIONS))("no relation: %s", (name, ask) => {
  test.each(RELATION_SIZES)("%i nights: a verdict in at most 7 % of the worlds", (n) => {
    const rates = RELATION_MEMORIES.map((memory) => {
      const cell = { name, truth: 0, n, memory, tails: "normal" } as const
      const now = claimed(measure({ ...cell, ask }, WORLDS))
      const former = claimed(measure({ ...cell, ask: (world) => ask(world, formerRelate) }, FORMER_WORLDS))
      lines.push(`| ${name} | ${n} | ${memory} | ${percent(now)}, at most 7 % | ${percent(former)} |`)
      return now
    })
    expect(Math.max(...rates)).toBeLessThanOrEqual(MOST_FALSE_CLAIMS)
  })
})

test.each(RELATION_CELLS)("$name is found", ({ name, habit, memory, fewestFound }) => {
  const { n, effect } = RELATION_EFFECT
  const cell = { name, truth: effect, n, memory, tails: "normal" } as const
  const now = measure({ ...cell, ask: (world) => askAnswers(world, { habit, effect }) }, WORLDS)
  const former = measure({ ...cell, ask: (world) => askAnswers(world, { habit, effect }, formerRelate) }, FORMER_WORLDS)
  lines.push(
    `| ${name} | ${percent(now.up)} found, at least ${percent(fewestFound)} | ${percent(now.covered)} covered, 91 to 97 % | ` +
      `${percent(former.up)} found |`,
  )
  expect(now.up).toBeGreaterThanOrEqual(fewestFound)
  expect(now.down).toBe(0)
  expect(now.covered).toBeGreaterThanOrEqual(RELATION_COVERAGE.fewest)
  expect(now.covered).toBeLessThanOrEqual(RELATION_COVERAGE.most)
})

test("a trend of months claims a change where values only wander slowly: the manual says so", () => {
  const rates = [90, 365].map((n) =>
    claimed(measure({ name: "wander", ask: askWander, truth: 0, n, memory: 0, tails: "normal" }, FORMER_WORLDS)),
  )
  lines.push(`| trend, half of the variance wanders over weeks | 90, 365 | ${rates.map(percent).join(", ")} |`)
  expect(Math.min(...rates)).toBeGreaterThan(MOST_FALSE_CLAIMS)
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
