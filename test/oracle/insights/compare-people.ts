/* Asks about people one after another. */
import { casesIn, EVERY_CASE } from "./met-cases.ts"
import type { Question } from "./question.ts"
import { InsightStage } from "./stage.ts"

/** What was found about random people. */
export interface Comparison {
  /** Each with the seed and the question. */
  readonly differences: readonly string[]
  /** Cases that no question met. */
  readonly unmet: readonly string[]
}

/** The same people for the same first seed. */
export async function comparePeople(firstSeed: number, people: number): Promise<Comparison> {
  const stage = await InsightStage.open()
  const differences: string[] = []
  const met = new Set<string>()
  try {
    for (let seed = firstSeed; seed < firstSeed + people; seed += 1) {
      const found = await stage.run(seed)
      differences.push(...found.differences)
      for (const name of casesIn(found)) met.add(name)
    }
  } finally {
    await stage.close()
  }
  return { differences, unmet: EVERY_CASE.filter((name) => !met.has(name)) }
}

/** Answers about the person of a seed that are not as computed here. */
export async function compareAnswers(seed: number, questions: readonly Question[]): Promise<readonly string[]> {
  const stage = await InsightStage.open()
  try {
    return (await stage.run(seed, questions)).differences
  } finally {
    await stage.close()
  }
}
