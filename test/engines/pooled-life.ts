import type { Person, Simulator } from "@restwell/simulator"
import { whoopArchive } from "@restwell/testing/archive"
import { callTool, connectAssistant, refresh, TokensSchema } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { whoopUnderTest } from "@restwell/testing/vendor"
import { expect } from "vitest"
import { importedArchive } from "../imports/upload-archive.ts"

const CLIENTS = 24
const READS_EACH = 5
/** Longer than a worker takes without notifications. */
const EVENT_MS = 10_000

export interface PooledService {
  readonly urls: readonly [string, string]
  readonly whoop: Simulator
  readonly monthlyLimit: number
}

/** What a person does from the first day to the last, over both processes. */
export async function liveWholeLife({ urls, whoop, monthlyLimit }: PooledService): Promise<void> {
  const service = { url: urls[0] }
  const person = whoop.people.add({ email: "life@vendor.example" })
  const { member, key } = await Member.connected(service, person)
  await expectWebhookSynced(service.url, key, whoop, person)
  const { clientId, refresh_token } = await connectAssistant(service, member)
  const refreshed = await refresh({ url: urls[1] }, clientId, refresh_token)
  expect(refreshed.status).toBe(200)
  const { access_token } = TokensSchema.parse(await refreshed.json())
  const answer = await callTool(service, access_token, "get_sleep", { days: 7 })
  expect(answer.structuredContent?.["count"]).toBeGreaterThan(0)
  await expectExactQuota(urls, member, key, monthlyLimit)
  const imported = await importedArchive(service.url, member, whoopArchive(whoop.records(person)))
  expect(imported).toMatchObject({ status: "done", error: null })
  const exported = await member.send("GET", "/api/account/export")
  expect((await exported.text()).length).toBeGreaterThan(10_000)
  expect((await member.send("DELETE", "/api/account", { password: member.password })).status).toBe(204)
  for (const url of urls) expect((await readHealth(url, key)).status).toBe(401)
}

async function expectWebhookSynced(url: string, key: string, whoop: Simulator, person: Person): Promise<void> {
  const vendor = whoopUnderTest(whoop)
  const [workout = ""] = vendor.idsOf(person, "workout")
  vendor.renameWorkout(person, workout, "fencing")
  const sports = async (): Promise<string> => (await readHealth(url, key, "?type=workout&days=90")).text()
  await expect.poll(sports, { timeout: EVENT_MS, interval: 200 }).toContain("fencing")
}

/** Reads with many clients over both processes until the month is used up. */
async function expectExactQuota(urls: readonly string[], member: Member, key: string, limit: number): Promise<void> {
  const usedBefore: number = (await (await member.send("GET", "/api/account")).json()).usage.used
  const left = limit - usedBefore
  expect(left).toBeLessThan(CLIENTS * READS_EACH)
  const remaining: number[] = []
  const client = async (index: number): Promise<void> => {
    for (let read = 0; read < READS_EACH; read += 1) {
      const answer = await readHealth(urls[(index + read) % urls.length] ?? "", key)
      if (answer.status === 200) remaining.push(Number(answer.headers.get("x-ratelimit-remaining")))
      else expect(answer.status).toBe(429)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)))
  expect(remaining.toSorted((one, other) => one - other)).toEqual(Array.from({ length: left }, (_, index) => index))
}
