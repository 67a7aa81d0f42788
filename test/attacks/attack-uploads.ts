import { setTimeout as wait } from "node:timers/promises"
import { startOuraSimulator } from "@restwell/simulator"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService, UNLIMITED_QUOTA } from "@restwell/testing/service"
import fc from "fast-check"
import { expect } from "vitest"
import { z } from "zod"
import { ImportsSchema } from "../imports/upload-archive.ts"
import { type HostileFile, hostileFile, type RealFiles } from "./hostile-files.ts"

/** As many as one person may have waiting. */
const AT_ONCE = 5
const LONGEST_BATCH_MS = 120_000
const READS_AT_REST = 60
const READ_EVERY_MS = 25
const ERROR_LEVEL = 50
const LineSchema = z.looseObject({ level: z.number() })

export interface UploadAttack {
  /** How imports ended, and the answers to uploads that were refused. */
  readonly endings: ReadonlyMap<string, number>
  readonly faults: readonly string[]
  readonly longestBatchMs: number
  /** Median of a bystander's reads of seven nights, milliseconds. */
  readonly medianAtRestMs: number
  readonly medianMs: number
}

/** Uploads hostile files, and checks that each import ends, that nothing of it stays, and that others are answered. */
export async function attackUploads(count: number, seed: number): Promise<UploadAttack> {
  const service = await startTestService({ days: 20, environment: { ...UNLIMITED_QUOTA, IMPORT_MAX_MB: "64" } })
  try {
    const bystander = service.simulator.people.add({ email: "bystander@vendor.example" })
    const { key, member } = await Member.connected(service, bystander)
    const files = fc.sample(hostileFile(await realFiles(service, member)), { numRuns: count, seed })
    const medianAtRestMs = median(await readAgainAndAgain(service, key, { count: READS_AT_REST }))
    const attacker = new Member(service)
    await attacker.signUp()
    const over = new AbortController()
    const reading = readAgainAndAgain(service, key, { signal: over.signal })
    const attack = await uploadAll(service, attacker, files)
    over.abort()
    return { ...attack, medianAtRestMs, medianMs: median(await reading) }
  } finally {
    await service.close()
  }
}

async function realFiles(service: TestService, member: Member): Promise<RealFiles> {
  const person = service.simulator.people.add({ email: "real@vendor.example" })
  const oura = await startOuraSimulator({ seed: 3, now: service.simulator.clock.now(), days: 20 })
  const [wearer] = oura.people.list()
  if (!wearer) throw new Error("nobody at Oura")
  const files = {
    person,
    whoop: service.simulator.records(person),
    oura: oura.records(wearer),
    restwell: Buffer.from(await (await member.send("GET", "/api/account/export")).arrayBuffer()),
  }
  await oura.close()
  return files
}

async function readAgainAndAgain(
  { url }: TestService,
  key: string,
  { count = Number.POSITIVE_INFINITY, signal }: { readonly count?: number; readonly signal?: AbortSignal },
): Promise<number[]> {
  const times: number[] = []
  while (times.length < count && !signal?.aborted) {
    const startedAt = performance.now()
    const response = await fetch(`${url}/api/v1/health?days=7`, { headers: { authorization: `Bearer ${key}` } })
    expect(response.status).toBe(200)
    await response.arrayBuffer()
    times.push(performance.now() - startedAt)
    await wait(READ_EVERY_MS)
  }
  return times
}

const median = (times: readonly number[]): number => times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0

async function uploadAll(service: TestService, attacker: Member, files: readonly HostileFile[]) {
  const endings = new Map<string, number>()
  const faults: string[] = []
  const count = (ending: string) => endings.set(ending, (endings.get(ending) ?? 0) + 1)
  let longestBatchMs = 0
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const batch = files.slice(start, start + AT_ONCE)
    const startedAt = performance.now()
    for (const { what, name, bytes } of batch) {
      const status = await upload(service, attacker, name, bytes)
      if (status !== 202) count(String(status))
      if (status >= 500) faults.push(`${what} (${JSON.stringify(name)}): ${status}`)
    }
    for (const { status, error, id, file_name } of await untilEnded(attacker)) {
      count(status)
      // A file may be named "undefined".
      const ownWords = error?.replaceAll(file_name, "")
      const isPlain = status === "done" || (ownWords !== undefined && !/internal error|undefined|\n/.test(ownWords))
      if (!isPlain) faults.push(`${batch.map(({ what }) => what).join(" or ")}: ${error}`)
      expect((await attacker.send("DELETE", `/api/imports/${id}`)).status).toBe(204)
    }
    longestBatchMs = Math.max(longestBatchMs, performance.now() - startedAt)
  }
  const left = await service.store.pool.query(
    `select (select count(*) from restwell.import_part)::int + (select count(*) from restwell.import)::int as rows`,
  )
  if (left.rows[0].rows !== 0) faults.push(`${left.rows[0].rows} rows of uploads stayed`)
  const errors = service.log.filter((line) => LineSchema.parse(JSON.parse(line)).level >= ERROR_LEVEL)
  return {
    endings,
    longestBatchMs,
    faults: [...faults, ...new Set(errors.map((line) => `logged: ${line.slice(0, 1_500)}`))],
  }
}

async function upload({ url }: TestService, { cookie }: Member, name: string, bytes: Buffer): Promise<number> {
  const form = new FormData()
  form.set("file", new Blob([new Uint8Array(bytes)]), name)
  const response = await fetch(`${url}/api/imports`, { method: "POST", headers: { cookie }, body: form })
  await response.arrayBuffer()
  return response.status
}

async function untilEnded(member: Member) {
  const list = async () => ImportsSchema.parse(await (await member.send("GET", "/api/imports")).json()).imports
  const waiting = async () => (await list()).filter(({ status }) => status !== "done" && status !== "failed").length
  await expect.poll(waiting, { timeout: LONGEST_BATCH_MS, interval: 100 }).toBe(0)
  return list()
}
