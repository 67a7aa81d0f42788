import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@restwell/client"
import { QUESTIONS, whoopArchive } from "@restwell/testing/archive"
import { Member, readHealth } from "@restwell/testing/member"
import { runCommand, serviceEnvironment, startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ImportsSchema, importedArchive, uploadArchive } from "./upload-archive.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 100, environment: { IMPORT_MAX_MB: "8" } })
  service.simulator.people.add({ email: "lena@vendor.example" })
})
afterAll(() => service.close())

const archive = () => whoopArchive(service.simulator.records("lena@vendor.example"))
const upload = (member: Member, bytes: Buffer, fields: Record<string, string> = {}) =>
  uploadArchive(service.url, member, bytes, fields)
const imported = (member: Member, bytes: Buffer, fields: Record<string, string> = {}) =>
  importedArchive(service.url, member, bytes, fields)

async function signedUp(): Promise<{ member: Member; key: string }> {
  const member = new Member(service)
  await member.signUp()
  return { member, key: await member.newKey() }
}

const TYPES = ["summary", "sleep", "recovery", "workout", "cycle", "profile"]
const journal = (key: string, search = "?days=90") =>
  fetch(`${service.url}/api/v1/journal${search}`, { headers: { authorization: `Bearer ${key}` } })

test("a person with only an archive gets answers from it, with the status archive", async () => {
  const { member, key } = await signedUp()
  expect((await readHealth(service.url, key)).status).toBe(404)
  const done = await imported(member, archive())
  expect(done).toMatchObject({ status: "done", error: null, file_name: "my_whoop_data.zip" })
  for (const type of TYPES) {
    const answer = await readHealth(service.url, key, `?type=${type}&days=90`)
    expect(answer.status).toBe(200)
    expect((await answer.json()).source).toEqual({ provider: "whoop", status: "archive", last_synced_at: null })
  }
  const { records } = await (await readHealth(service.url, key, "?type=sleep&days=90")).json()
  expect(records.length).toBeGreaterThan(60)
  expect((await member.send("DELETE", `/api/imports/${done?.id}`)).status).toBe(204)
  expect((await readHealth(service.url, key)).status).toBe(404)
})

test("answers of the journal are by wake date, and private topics are left out unless they are included", async () => {
  const { member, key } = await signedUp()
  expect((await journal(key)).status).toBe(404)
  const { report } = (await imported(member, archive())) ?? {}
  expect(report.ignored).toEqual([{ reason: "private_topic", count: expect.any(Number) }])
  const answer = await journal(key)
  expect(answer.headers.get("x-ratelimit-remaining")).toBe("999")
  const body = await answer.json()
  const factors = new Set(body.records.map(({ factor }: { factor: string }) => factor))
  expect([...factors].toSorted()).toEqual(["alcohol", "caffeine", "read_in_bed", "screen_in_bed"])
  const sleeps = await (await readHealth(service.url, key, "?type=cycle&days=90")).json()
  const dates = new Set(sleeps.records.map(({ date }: { date: string }) => date))
  expect(body.records.every(({ date }: { date: string }) => dates.has(date))).toBe(true)
  expect(body.records[0]).toEqual({
    date: expect.any(String),
    factor: "alcohol",
    question: QUESTIONS[0],
    answer: true,
    value: null,
    source: "whoop",
  })
  expect(body.sources).toEqual([body.source])
  const again = await fetch(`${service.url}/api/v1/journal?days=90`, {
    headers: { authorization: `Bearer ${key}`, "if-none-match": answer.headers.get("etag") ?? "" },
  })
  expect(again.status).toBe(304)
  expect((await journal(key, "?type=sleep")).status).toBe(400)
  expect((await journal(key, "?days=91")).status).toBe(400)
  const client = createClient({ baseUrl: service.url, apiKey: key })
  expect((await client.journal({ days: 90 })).data).toEqual(body)
  const open = await signedUp()
  const included = await imported(open.member, archive(), { private_topics: "include" })
  expect(included?.report.ignored).toEqual([])
  const all = await (await journal(open.key)).json()
  expect(all.records.length).toBeGreaterThan(body.records.length)
})

test("exporting and importing into another account gives equal answers for every type and date", async () => {
  const { member, key } = await Member.connected(service, { email: "lena@vendor.example" })
  await imported(member, archive())
  const exported = async (who: Member) => await (await who.send("GET", "/api/account/export")).text()
  const text = await exported(member)
  const other = await signedUp()
  const done = await imported(other.member, Buffer.from(text))
  expect(done).toMatchObject({ status: "done", error: null, report: { unchanged: 0, ignored: [] } })
  for (const type of TYPES)
    for (const search of ["days=90", "days=7", "end_date=2026-10-01&days=30"]) {
      const [{ source: _, sources: _one, ...one }, { source: __, sources: _two, ...two }] = await Promise.all(
        [key, other.key].map(async (reader) =>
          (await readHealth(service.url, reader, `?type=${type}&${search}`)).json(),
        ),
      )
      expect(two).toEqual(one)
    }
  const [mine, theirs] = await Promise.all([key, other.key].map(async (reader) => (await journal(reader)).json()))
  expect(theirs.records).toEqual(mine.records)
  const parts = (document: string) => {
    const { records, profiles, journal: answers } = JSON.parse(document)
    return { records, profiles, answers }
  }
  expect(parts(await exported(other.member))).toEqual(parts(text))
})

test("restwell import prints the report, while the service runs", async () => {
  const { member, key } = await signedUp()
  const folder = await mkdtemp(join(tmpdir(), "restwell-command-"))
  const file = join(folder, "my_whoop_data.zip")
  await writeFile(file, archive())
  const run = (...more: string[]) =>
    runCommand(
      ["import", file, "--account", member.email, ...more],
      serviceEnvironment(service.store, service.simulator),
    )
  const { code, output } = await run("--json", "--include-private")
  expect(code).toBe(0)
  expect(JSON.parse(output.trim().split("\n").at(-1) ?? "")).toMatchObject({ unchanged: 0, ignored: [] })
  expect((await readHealth(service.url, key)).status).toBe(200)
  const { output: printed } = await run()
  expect(printed).toMatch(/^0 stored, \d+ unchanged$/m)
  expect(printed).toMatch(/^note: sleeps\.csv was read as WHOOP's sleeps$/m)
  await writeFile(file, "a,b\n1,2\n")
  const failed = await run("--json")
  expect([failed.code, failed.errors]).toEqual([
    1,
    expect.stringContaining('Its first line, "a,b", names no table that is known here'),
  ])
  expect((await run("--acount", "x")).code).toBe(2)
  await rm(folder, { recursive: true })
})

test("uploads that are no archive are refused, and another person's import is not found", async () => {
  const { member } = await signedUp()
  const refused = async (answer: Response, status: number, body: object) => {
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining(body)])
  }
  await refused(await member.send("POST", "/api/imports", { file: "x" }), 400, { field: "file" })
  await refused(await upload(member, Buffer.alloc(0)), 400, { field: "file" })
  await refused(await upload(member, archive(), { private_topics: "perhaps" }), 400, { field: "private_topics" })
  await refused(await upload(member, Buffer.alloc(9 * 1_048_576)), 413, { error: "payload_too_large" })
  const { id } = (await imported(member, archive())) ?? {}
  const other = await signedUp()
  await refused(await other.member.send("DELETE", `/api/imports/${id}`), 404, { error: "not_found" })
  expect((await member.send("GET", "/api/imports")).status).toBe(200)
  const list = ImportsSchema.parse(await (await member.send("GET", "/api/imports")).json())
  expect(list.imports.map((listed) => listed.id)).toEqual([id])
})
