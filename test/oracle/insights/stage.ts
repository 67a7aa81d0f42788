/* One random person after another, asked over HTTP. */
import { Dice } from "../several/dice.ts"
import { Installation, type Someone } from "../several/installation.ts"
import { keyOf } from "../several/truth.ts"
import { dateOf, dayOf } from "./calendar.ts"
import type { Life } from "./daily-values.ts"
import { type Answer, expectedAnswer } from "./expected.ts"
import { differences } from "./figure.ts"
import { daysOf } from "./lived-days.ts"
import { journalOf, ownAnswersOf, type Person, somePerson, watchValuesOf, weighingsOf } from "./person.ts"
import { type Question, someQuestions } from "./question.ts"
import { recordsOf } from "./records.ts"
import { listDifferences } from "./relations.ts"

/** Two days after the clocks went back in New York, and nine after Berlin's. */
const NOW = new Date("2026-11-03T11:00:00Z")
const QUESTIONS_OF_A_KIND = 3
const LATER = 1_000_000

export interface Case {
  readonly person: Person
  readonly asked: readonly { readonly question: Question; readonly status: number; readonly body: unknown }[]
  /** Each with its question. */
  readonly differences: readonly string[]
}

export class InsightStage {
  readonly #installation: Installation
  readonly #someone: Someone

  private constructor(installation: Installation, someone: Someone) {
    this.#installation = installation
    this.#someone = someone
  }

  static async open(): Promise<InsightStage> {
    const installation = await Installation.open(NOW)
    return new InsightStage(installation, await installation.addSomeone())
  }

  close(): Promise<void> {
    return this.#installation.close()
  }

  /** Makes the person of a seed, asks, and compares each answer with the oracle's. @param wanted random questions if left out */
  async run(seed: number, wanted?: readonly Question[]): Promise<Case> {
    const dice = new Dice(seed)
    const person = somePerson(dice)
    const life = await this.#fill(dice, person, seed)
    const today = dayOf(NOW.toISOString().slice(0, 10))
    const providers = person.devices.map(({ device }) => device)
    const questions = wanted ?? someQuestions({ dice, today, history: person.days, providers }, QUESTIONS_OF_A_KIND)
    const asked: Case["asked"][number][] = []
    const found: string[] = []
    for (const question of questions) {
      const { status, body } = await this.#installation.ask(this.#someone, question.path, question.query)
      asked.push({ question, status, body })
      const expected = expectedAnswer(life, this.#installation.now, question)
      const name = `seed ${seed}: ${question.path}?${new URLSearchParams(question.query)}`
      found.push(...judged(expected, status, body).map((difference) => `${name} ${difference}`))
    }
    return { person, asked, differences: found }
  }

  async #fill(dice: Dice, person: Person, seed: number): Promise<Life> {
    const [installation, someone] = [this.#installation, this.#someone]
    // What was added later has dice of its own, so that a seed stays the person that it was.
    const [ownDice, laterDice] = [new Dice(-seed), new Dice(seed + LATER)]
    await installation.forget(someone)
    const home = laterDice.pick([null, person.zones.at(-1) ?? null])
    await installation.setHome(someone, home)
    const today = dayOf(NOW.toISOString().slice(0, 10))
    const days = daysOf(dice, person, today, NOW)
    const weighings = [...weighingsOf(dice, person, days), ...watchValuesOf(new Dice(seed + 2 * LATER), person, days)]
    await installation.weigh(someone, weighings)
    for (const worn of person.devices) {
      const records = recordsOf({ dice, laterDice }, person, worn, days, NOW)
      // A vendor repeats no id, and a split night is of one cycle.
      const distinct = [...new Map(records.map((record) => [keyOf(record), record])).values()]
      await installation.connect(someone, worn.device)
      await installation.sync(someone, worn.device, { records: distinct })
      if (!worn.isArchive) continue
      await installation.archive(someone, worn.device, distinct)
      await installation.setStatus(someone, worn.device, "archive")
    }
    const dates = days.map(({ day }) => dateOf(day))
    const journal = [...journalOf(dice, person, dates), ...ownAnswersOf(ownDice, dates)]
    await installation.note(someone, journal)
    return { ledger: someone.ledger, journal, weighings, home }
  }
}

function judged(expected: Answer, status: number, body: unknown): string[] {
  if ("refused" in expected)
    return expected.refused.includes(status) ? [] : [`expected ${expected.refused.join(" or ")}, got ${status}`]
  if (status !== 200) return [`expected 200, got ${status}: ${JSON.stringify(body)}`]
  return "list" in expected ? listDifferences(expected.list, body) : differences(expected.body, body)
}
