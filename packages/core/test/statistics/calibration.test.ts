import { expect, test } from "vitest"
import {
  ALL_TAILS,
  COVERAGE,
  EFFECT_CELLS,
  MEMORIES,
  MOST_FALSE_CLAIMS,
  measure,
  NULL_QUESTIONS,
  NULL_RELATIONS,
  NULL_SIZES,
  RELATION_CELLS,
  RELATION_COVERAGE,
  RELATION_EFFECT,
  RELATION_MEMORIES,
  ROUNDED_CELLS,
  stepsOf,
} from "./calibration.ts"
import { askAnswers, askTrend, type World } from "./questions.ts"

// The short form: fewer worlds, and the sizes together. `npm run test:statistics` holds each cell to the same bounds.
const NULL_WORLDS = 100
const EFFECT_WORLDS = 200
/** Standard errors of a rate of so few worlds. */
const CHANCE = 3

const chanceOf = (share: number, worlds: number): number => CHANCE * Math.sqrt((share * (1 - share)) / worlds)

test.each(Object.entries(NULL_QUESTIONS))("%s finds nothing where there is nothing", (name, ask) => {
  const rates = NULL_SIZES.filter((n) => n > 14).flatMap((n) =>
    ALL_TAILS.flatMap((tails) =>
      MEMORIES.map((memory) => measure({ name, ask, truth: 0, n, memory, tails }, NULL_WORLDS)),
    ),
  )
  const claimed = rates.reduce((sum, { up, down }) => sum + up + down, 0) / rates.length
  expect(claimed).toBeLessThanOrEqual(MOST_FALSE_CLAIMS)
})

test.each(Object.entries(NULL_QUESTIONS))("%s finds nothing in rounded values where there is nothing", (name, ask) => {
  const rates = [28, 90].flatMap((n) =>
    stepsOf(name).map((step) => measure({ name, ask, truth: 0, n, memory: 0.3, tails: "normal", step }, NULL_WORLDS)),
  )
  const claimed = rates.reduce((sum, { up, down }) => sum + up + down, 0) / rates.length
  expect(claimed).toBeLessThanOrEqual(MOST_FALSE_CLAIMS + chanceOf(MOST_FALSE_CLAIMS, rates.length * NULL_WORLDS))
})

test.each(ROUNDED_CELLS)("a drift of $name is found", ({ name, drift, fewestFound, ...cell }) => {
  const ask = (world: World) => askTrend(world, drift)
  const { up, down } = measure({ name, ask, truth: 0, memory: 0.3, tails: "normal", ...cell }, NULL_WORLDS)
  expect(up).toBeGreaterThanOrEqual(fewestFound - chanceOf(fewestFound, NULL_WORLDS))
  expect(down).toBe(0)
})

test.each(Object.entries(NULL_RELATIONS))("no relation is found where there is none: %s", (name, ask) => {
  const rates = RELATION_MEMORIES.map((memory) =>
    measure({ name, ask, truth: 0, n: 180, memory, tails: "normal" }, NULL_WORLDS),
  )
  const claimed = rates.reduce((sum, { up, down }) => sum + up + down, 0) / rates.length
  expect(claimed).toBeLessThanOrEqual(MOST_FALSE_CLAIMS + chanceOf(MOST_FALSE_CLAIMS, 3 * NULL_WORLDS))
})

test.each(RELATION_CELLS)("$name is found", ({ name, habit, memory, fewestFound }) => {
  const { n, effect } = RELATION_EFFECT
  const ask = (world: World) => askAnswers(world, { habit, effect })
  const { up, covered } = measure({ name, ask, truth: effect, n, memory, tails: "normal" }, EFFECT_WORLDS)
  expect(up).toBeGreaterThanOrEqual(fewestFound - chanceOf(fewestFound, EFFECT_WORLDS))
  expect(covered).toBeGreaterThanOrEqual(RELATION_COVERAGE.fewest - chanceOf(RELATION_COVERAGE.fewest, EFFECT_WORLDS))
})

test.each(EFFECT_CELLS)("$name is found", ({ fewestFound, ...cell }) => {
  const { up, down, covered } = measure({ ...cell, memory: 0.3, tails: "normal" }, EFFECT_WORLDS)
  expect(up).toBeGreaterThanOrEqual(fewestFound - chanceOf(fewestFound, EFFECT_WORLDS))
  expect(down).toBe(0)
  expect(covered).toBeGreaterThanOrEqual(COVERAGE.fewest - chanceOf(COVERAGE.fewest, EFFECT_WORLDS))
  expect(covered).toBeLessThanOrEqual(COVERAGE.most + chanceOf(COVERAGE.most, EFFECT_WORLDS))
})
