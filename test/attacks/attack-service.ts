import { HEALTH_TYPES } from "@restwell/client"
import { type Person, signWebhook } from "@restwell/simulator"
import { hostileFormsOf } from "@restwell/testing/hostile"
import { Member, readHealth } from "@restwell/testing/member"
import type { TestService } from "@restwell/testing/service"
import fc from "fast-check"
import { expect, vi } from "vitest"
import { sendHostileRecords } from "./hostile-vendor.ts"

const SECRET = "simulator-secret"

const newPerson = ({ simulator }: TestService): Person => simulator.people.addOne()

/** Connects a person whose vendor sends hostile records, and expects every page and export of the account to work. Returns the cases. */
export async function attackReads(service: TestService, seed: number): Promise<number> {
  const person = newPerson(service)
  const { hostile } = sendHostileRecords(service.simulator, person, seed)
  const { member, key } = await Member.connected(service, person)
  for (const type of HEALTH_TYPES)
    for (const period of ["?days=90", "?days=7"])
      expect((await readHealth(service.url, key, `${period}&type=${type}`)).status).toBe(200)
  for (const page of [
    "/api/account",
    "/api/account/trends?days=90",
    "/api/account/export",
    "/api/account/export?format=csv&type=workout",
  ])
    expect((await member.send("GET", page)).status, page).toBe(200)
  await expectUpToDate(member)
  return hostile.length
}

/** Ids that no member can have. The person keeps the connection, and the sync reads the profile later. */
const UNUSABLE_IDS = [
  "null",
  '"\\u0000"',
  '"\\ud800"',
  '"x"',
  "-1",
  "1.5",
  "1e400",
  "9007199254740993",
  "{}",
  "[]",
  '""',
]

/** Connects a person again and again while the vendor sends hostile profiles and measurements. Returns the cases. */
export async function attackProfiles(service: TestService, seed: number, connects: number): Promise<number> {
  const person = newPerson(service)
  const { member, key } = await Member.connected(service, person)
  const { profile, body } = service.simulator.records(person)
  const profiles = fc.sample(
    hostileFormsOf(profile, (field) => field === "user_id"),
    { seed, numRuns: connects },
  )
  const bodies = fc.sample(hostileFormsOf(body), { seed, numRuns: connects })
  const noIds = UNUSABLE_IDS.map((id) => JSON.stringify({ ...profile, user_id: "id" }).replace('"id"', id))
  const sent = [...profiles.map(({ text }) => text), ...noIds].map((text, index) => ({
    profile: text,
    body: bodies[index]?.text ?? "null",
  }))
  for (const texts of sent) {
    const repair = service.simulator.faults.add({
      match: { personId: person.userId, path: "/developer/v2/user/" },
      kind: "rewrite",
      rewrite: (_reply, path) => (path.endsWith("body") ? texts.body : texts.profile),
    })
    await member.connect(person)
    expect((await member.send("GET", "/api/account")).status).toBe(200)
    await expectPlausibleProfile(service, key)
    repair()
  }
  await member.connect(person)
  await expectUpToDate(member)
  return 2 * sent.length
}

async function expectPlausibleProfile(service: TestService, key: string): Promise<void> {
  const answer = await readHealth(service.url, key, "?type=profile")
  expect(answer.status).toBe(200)
  const text = await answer.text()
  expect(text).not.toContain("\\u0000")
  expect(text.isWellFormed() && !/\\ud[89a-f]/i.test(text)).toBe(true)
}

/** Sends signed webhooks with hostile fields. Returns the cases. */
export async function attackWebhooks(service: TestService, seed: number, count: number): Promise<number> {
  const person = newPerson(service)
  const { member } = await Member.connected(service, person)
  const event = { user_id: person.userId, id: crypto.randomUUID(), type: "sleep.updated", trace_id: "a trace" }
  for (const { text } of fc.sample(hostileFormsOf(event), { seed, numRuns: count })) {
    const timestamp = String(service.simulator.clock.nowMs())
    const answer = await fetch(`${service.url}/api/webhooks/whoop`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-whoop-signature": signWebhook(SECRET, timestamp, text),
        "x-whoop-signature-timestamp": timestamp,
      },
      body: text,
    })
    expect([204, 400, 413], text).toContain(answer.status)
  }
  await expectUpToDate(member)
  return count
}

async function expectUpToDate(member: Member): Promise<void> {
  await vi.waitFor(
    async () => {
      const account = await (await member.send("GET", "/api/account")).json()
      expect(account.connections).toMatchObject([{ status: "ok", history: { complete: true } }])
    },
    { timeout: 30_000, interval: 100 },
  )
}
