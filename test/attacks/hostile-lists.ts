// Any vendor that sends hostile JSON in place of every other item of its lists, and what the service then answers.
import { createHash } from "node:crypto"
import { HEALTH_TYPES } from "@restwell/client"
import type { VendorName } from "@restwell/providers"
import type { Person } from "@restwell/simulator"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { hostileFormsOf } from "@restwell/testing/hostile"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService, UNLIMITED_QUOTA } from "@restwell/testing/service"
import fc from "fast-check"
import { expect } from "vitest"
import { z } from "zod"

/** The same item has the same form at every read, on whichever page it is. Returns the items that were sent so far. */
function sendHostileLists({ vendor }: TestService, person: Person, seed: number): ReadonlySet<string> {
  const sent = new Set<string>()
  const itemOf = (item: object): string => {
    const text = JSON.stringify(item)
    const drawn = createHash("sha256").update(`${seed}${text}`).digest().readInt32LE()
    if (drawn % 2 === 0) return text
    sent.add(text)
    return fc.sample(hostileFormsOf(item), { seed: drawn, numRuns: 1 })[0]?.text ?? text
  }
  const textOf = (value: unknown): string => {
    if (Array.isArray(value))
      return `[${value.map((item) => (isObject(item) ? itemOf(item) : textOf(item))).join(",")}]`
    if (!isObject(value)) return JSON.stringify(value)
    return `{${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)}:${textOf(inner)}`)
      .join(",")}}`
  }
  vendor.simulator.faults.add({
    match: { personId: person.userId, path: vendor.paths.data },
    kind: "rewrite",
    rewrite: (reply) => (/^[[{]/.test(reply) ? textOf(JSON.parse(reply)) : reply),
  })
  return sent
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

interface Connected {
  readonly member: Member
  readonly key: string
}

async function connected({ url, vendor }: TestService, person: Person): Promise<Connected> {
  const member = new Member({ url })
  await member.signUp()
  if (vendor.keyOf) {
    const path = `/api/connections/${vendor.provider}/credential`
    expect((await member.send("PUT", path, { key: vendor.keyOf(person) })).status).toBe(200)
  } else await member.connect(person, vendor.provider)
  await member.untilHistoryIsComplete()
  return { member, key: await member.newKey() }
}

const PAGES = [
  ...["account", "account/day?rows=30", "account/pages/trends?days=90", "account/pages/insights?days=180"],
  ...["account/trends?days=90", "account/sources", "account/export", "account/export?format=csv&type=sleep"],
].map((path) => `/api/${path}`)

const QUESTIONS = ["get_today", "get_sleep", "get_workouts", "get_recovery"]

/** Same people and same data in each service that is started so. */
const startedFor = (vendor: VendorName): Promise<TestService> =>
  startTestService({ days: 40, now: new Date("2026-11-27T18:00:00Z"), environment: UNLIMITED_QUOTA, vendor })

const EMAIL = "attacked@vendor.example"

/** A heart rate variability is the mean over the segments of a night, so each record has some that are hostile. */
const MADE_OF_MANY: ReadonlySet<string> = new Set(["withings recovery"])

async function truthOf(provider: VendorName): Promise<ReadonlyMap<string, readonly string[]>> {
  const service = await startedFor(provider)
  const { key } = await connected(service, service.simulator.people.add({ email: EMAIL }))
  const truth = await recordsOf(service, key)
  await service.close()
  return truth
}

/**
 * Connects a person of whom every other item is hostile. Expects a working connection whose collections all answer, an answer of every
 * read, page, export and tool, and in each kind records that are what they are without an attack. Returns the cases.
 */
export async function attackLists(provider: VendorName, seed: number): Promise<number> {
  const truth = await truthOf(provider)
  const service = await startedFor(provider)
  const person = service.simulator.people.add({ email: EMAIL })
  const sent = sendHostileLists(service, person, seed)
  const { member, key } = await connected(service, person)
  const answered = await recordsOf(service, key)
  for (const [type, records] of truth) {
    const same = records.filter((record) => answered.get(type)?.includes(record))
    // Most records are made of several items, so few have none that is hostile.
    if (records.length >= 20 && !MADE_OF_MANY.has(`${provider} ${type}`)) expect(same.length, type).toBeGreaterThan(0)
  }
  for (const page of PAGES) expect((await member.send("GET", page)).status, page).toBe(200)
  const { access_token } = await connectAssistant(service, member)
  for (const tool of QUESTIONS) expect((await callTool(service, access_token, tool)).isError, tool).not.toBe(true)
  await expectHealthy(service, member)
  await service.close()
  return sent.size
}

const AnswerSchema = z.object({ records: z.array(z.unknown()) })

/** Each record as text, by type. */
async function recordsOf({ url }: TestService, key: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const types = HEALTH_TYPES.filter((type) => type !== "profile" && type !== "summary")
  const entries = types.map(async (type) => {
    const answer = await readHealth(url, key, `?type=${type}&days=90`)
    expect(answer.status, type).toBe(200)
    const text = await answer.text()
    expect(text.isWellFormed() && !text.includes("\\u0000") && !/\\ud[89a-f]/i.test(text), type).toBe(true)
    return [type, AnswerSchema.parse(JSON.parse(text)).records.map((record) => JSON.stringify(record))] as const
  })
  return new Map(await Promise.all(entries))
}

async function expectHealthy({ store, vendor }: TestService, member: Member): Promise<void> {
  const { rows } = await store.pool.query(
    `select status, failures, gaps, history_complete from restwell.connection c join restwell."user" u on u.id = user_id
     where u.email = $1 and provider = $2`,
    [member.email, vendor.provider],
  )
  expect(rows).toEqual([{ status: "ok", failures: 0, gaps: [], history_complete: true }])
}
