import { mergeSamples } from "@restwell/core"
import { whoopArchive } from "@restwell/testing/archive"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { ImportsSchema, uploadArchive } from "../imports/upload-archive.ts"
import { QUESTIONS_OF_COUNTS } from "./everyday-counts.ts"
import { HEART_RATES, NOW, WEIGHTS } from "./everyday-figures.ts"
import { QUESTIONS, type Question } from "./everyday-questions.ts"
import { type Truth, truthOf } from "./everyday-truth.ts"
import { QUESTIONS_OF_WORKOUTS } from "./everyday-workouts.ts"

const MOST_TOKENS = 600
const MOST_CALLS = 2
const FEWEST_ANSWERED = 40

interface Outcome {
  readonly ask: string
  readonly tools: readonly string[]
  /** Of the largest answer. */
  readonly textTokens: number
  readonly structuredTokens: number
  /** Facts that one of the forms lacks. */
  readonly missing: readonly string[]
}

let service: TestService
let token: string
let truth: Truth
const outcomes: Outcome[] = []
beforeAll(async () => {
  service = await startTestService({ days: 400, now: new Date(NOW), environment: { FREE_MONTHLY_REQUESTS: "1000000" } })
  const email = "ada@example.com"
  const { member } = await Member.connected(service, service.simulator.people.add({ email }))
  const records = service.simulator.records(email)
  await uploadArchive(service.url, member, whoopArchive(records))
  const readImports = async () => ImportsSchema.parse(await (await member.send("GET", "/api/imports")).json()).imports
  await vi.waitFor(async () => expect(await readImports()).toMatchObject([{ status: "done" }]), 60_000)
  truth = truthOf(records)
  await measure(member)
  token = (await connectAssistant(service, member)).access_token
})
afterAll(async () => {
  await service.close()
  process.stdout.write(`${tableOf(outcomes)}\n`)
})

/** Stores weights, and a heart rate for each ten minutes of the last three days. */
async function measure({ email }: Member): Promise<void> {
  const { pool, database } = service.store
  const { rows } = await pool.query('select id from restwell."user" where email = $1', [email])
  const lastHourMs = Date.parse(NOW)
  const heartRates = Array.from({ length: 3 * 24 * 6 }, (_, index) => {
    const atMs = lastHourMs - index * 600_000
    return { atMs, value: HEART_RATES[new Date(atMs).getUTCHours()] ?? 0 }
  })
  const weights = [...WEIGHTS].map(([date, value]) => ({ atMs: Date.parse(`${date}T12:00:00Z`), value }))
  const sets = [
    { type: "heart_rate", samples: heartRates.toReversed() },
    { type: "weight", samples: weights },
  ] as const
  const of = { userId: String(rows[0]?.id), provider: "whoop" }
  await database.transaction().execute((transaction) => mergeSamples(transaction, of, sets))
}

test.each(
  [...QUESTIONS, ...QUESTIONS_OF_COUNTS, ...QUESTIONS_OF_WORKOUTS].map((question) => [question.ask, question] as const),
)("%s", async (_ask, question) => {
  const outcome = await answer(question)
  outcomes.push(outcome)
  expect(outcome.missing).toEqual([])
})

test(`at least ${FEWEST_ANSWERED} questions need at most ${MOST_CALLS} calls, ${MOST_TOKENS} tokens and no arithmetic`, () => {
  expect(outcomes.length).toBeGreaterThanOrEqual(49)
  expect(outcomes.filter(isAnswered).length).toBeGreaterThanOrEqual(FEWEST_ANSWERED)
})

async function answer({ ask, calls, facts }: Question): Promise<Outcome> {
  const answers = []
  for (const { tool, input = {} } of calls) {
    const { isError, content, structuredContent } = await callTool(service, token, tool, input)
    expect(isError, content[0]?.text).toBeFalsy()
    answers.push({ text: content[0]?.text ?? "", structured: JSON.stringify(structuredContent) })
  }
  const texts = answers.map(({ text }) => text)
  const structured = answers.map(({ structured: json }) => json)
  const wanted = facts(truth).map(String)
  expect(wanted).not.toContain("NaN")
  return {
    ask,
    tools: calls.map(({ tool }) => tool),
    textTokens: Math.max(...texts.map((text) => countTokens(text))),
    structuredTokens: Math.max(...structured.map((json) => countTokens(json))),
    missing: [
      ...wanted.filter((fact) => !contains(texts.join("\n"), fact)).map((fact) => `text: ${fact}`),
      ...wanted.filter((fact) => !contains(structured.join("\n"), fact)).map((fact) => `structured: ${fact}`),
    ],
  }
}

/** As a whole number, word or time, also one of an ISO 8601 time, but not as a part of another one. */
const contains = (text: string, fact: string): boolean =>
  new RegExp(String.raw`(?<![\w.-]|\d:)${RegExp.escape(fact)}(?![\d-]|\.\d)`).test(
    text.replaceAll(/(?<=\d)T(?=\d)|(?<=\d:\d\d)-/g, " "),
  )

const isAnswered = ({ tools, textTokens, structuredTokens, missing }: Outcome): boolean =>
  tools.length <= MOST_CALLS && Math.max(textTokens, structuredTokens) <= MOST_TOKENS && missing.length === 0

/** A Markdown table. */
const tableOf = (rows: readonly Outcome[]): string =>
  [
    "| question | calls | tokens of text | tokens of structured content | answered |",
    "|---|---|---|---|---|",
    ...rows.map((row) =>
      [
        "",
        row.ask,
        row.tools.join(", "),
        row.textTokens,
        row.structuredTokens,
        isAnswered(row) ? "yes" : "no",
        "",
      ].join(" | "),
    ),
    `${rows.filter(isAnswered).length} of ${rows.length}`,
  ].join("\n")
