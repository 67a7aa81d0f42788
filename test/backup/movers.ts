/** People who use everything that a move must not break: a key, a session, an assistant, and the tokens of two vendors. */
import type { Simulator } from "@restwell/simulator"
import { callTool, connectAssistant, refresh, TokensSchema } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { expect } from "vitest"
import { answersOf } from "./answers.ts"

const JOURNAL_DAY = "/api/account/journal/2026-03-01"

export interface Mover {
  readonly member: Member
  readonly key: string
  readonly assistant: Awaited<ReturnType<typeof connectAssistant>>
  readonly answers: Record<string, unknown>
  /** What the person entered in the page, with the note. */
  readonly entered: unknown
}

export async function addMover(at: { readonly url: string }, simulator: Simulator, name: string): Promise<Mover> {
  const person = simulator.people.add({ email: `${name}@vendor.example` })
  const { member, key } = await Member.connected(at, person)
  await member.connect(person, "oura")
  await member.untilHistoryIsComplete()
  const entry = await member.send("PUT", JOURNAL_DAY, {
    answers: [
      { factor: "alcohol", answer: true, value: 2 },
      { factor: "own:cold plunge", title: "Cold plunge", answer: false },
    ],
    note: "Late flight",
  })
  expect(entry.status).toBe(200)
  const assistant = await connectAssistant(at, member)
  return { member, key, assistant, answers: await answersOf(at, key), entered: await entry.json() }
}

/** Everything works as before the move. @returns the person with the assistant's new tokens */
export async function expectMoved(at: { readonly url: string }, mover: Mover): Promise<Mover> {
  const { member, key, assistant, answers } = mover
  expect(await answersOf(at, key)).toEqual(answers)
  expect((await member.send("GET", "/api/account")).status).toBe(200)
  expect(await (await member.send("GET", JOURNAL_DAY)).json()).toEqual(mover.entered)
  const renewed = await refresh(at, assistant.clientId, assistant.refresh_token)
  expect(renewed.status, await renewed.clone().text()).toBe(200)
  const tokens = TokensSchema.parse(await renewed.json())
  expect((await callTool(at, tokens.access_token, "get_sleep", {})).isError).not.toBe(true)
  return { ...mover, assistant: { ...assistant, ...tokens } }
}
