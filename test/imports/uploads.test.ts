import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { type ClientRequest, request } from "node:http"
import { text } from "node:stream/consumers"
import { garminArchive, garminRows, startOuraSimulator } from "@restwell/simulator"
import { whoopArchive } from "@restwell/testing/archive"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { ImportsSchema, importedArchive, uploadArchive } from "./upload-archive.ts"

const AnswerSchema = z.looseObject({
  count: z.number().optional(),
  source: z.object({ provider: z.string(), status: z.string() }),
  records: z.array(z.looseObject({ source: z.string() })).optional(),
})
const MB = 1_048_576
const HOUR_MS = 3_600_000

let service: TestService
let archive: Buffer
beforeAll(async () => {
  service = await startTestService({ environment: { IMPORT_MAX_MB: "3", IMPORT_PERSON_MB: "3" } })
  archive = whoopArchive(service.simulator.records(service.simulator.people.add({ email: "ada@vendor.example" })))
})
afterAll(() => service.close())

async function signedUp(): Promise<Member> {
  const member = new Member(service)
  await member.signUp()
  return member
}

interface HeldUpload {
  readonly request: ClientRequest
  /** Sends the rest of the file. */
  end(): void
  readonly answer: Promise<{ readonly status: number; readonly message: string }>
}

const HEAD = '--x\r\ncontent-disposition: form-data; name="file"; filename="sleeps.csv"\r\n\r\n'

/** An upload that has begun and does not end by itself. */
function holdUpload({ cookie }: Member, content = "a,b,c\n"): HeldUpload {
  const sent = request(`${service.url}/api/imports`, {
    method: "POST",
    headers: { cookie, "content-type": "multipart/form-data; boundary=x" },
  })
  sent.on("error", () => {})
  const answer = once(sent, "response").then(async ([response]) => {
    const body: { message?: string } = JSON.parse(await text(response))
    return { status: Number(response.statusCode), message: body.message ?? "" }
  })
  answer.catch(() => {})
  sent.write(HEAD + content)
  return { request: sent, answer, end: () => sent.end("\r\n--x--\r\n") }
}

async function received(member: Member): Promise<number> {
  const { rows } = await service.store.pool.query(
    `select i.id from restwell.import i join restwell."user" u on u.id = i.user_id where u.email = $1 and i.status = 'receiving'`,
    [member.email],
  )
  return rows.length
}

/** As if nothing had arrived for so long. */
const silentFor = (member: Member, interval: string) =>
  service.store.pool.query(
    `update restwell.import i set arrived_at = now() - $2::interval from restwell."user" u
     where u.id = i.user_id and u.email = $1 and i.status = 'receiving'`,
    [member.email, interval],
  )

test("what Garmin's archive brought is read over HTTP as of the source garmin", async () => {
  const member = await signedUp()
  const oura = await startOuraSimulator({ seed: 3, now: service.simulator.clock.now(), days: 40 })
  const [person] = oura.people.list()
  if (!person) throw new Error("nobody at Oura")
  const documents = oura.records(person)
  await oura.close()
  const done = await importedArchive(service.url, member, garminArchive(garminRows(documents)))
  expect(done).toMatchObject({ status: "done" })
  const headers = { authorization: `Bearer ${await member.newKey()}` }
  const read = async (path: string) => {
    const answer = await fetch(`${service.url}/api/v1/${path}`, { headers })
    return { status: answer.status, ...AnswerSchema.parse(await answer.json()) }
  }
  for (const type of ["sleep", "recovery", "cycle", "workout"]) {
    const { count, records, ...answer } = await read(`health?type=${type}&days=40&source=garmin`)
    expect([type, answer.status, answer.source.status, count], type).toEqual([type, 200, "archive", records?.length])
    expect(count, type).toBeGreaterThan(0)
    for (const { source } of records ?? []) expect(source).toBe("garmin")
  }
  const stages = await read("series?type=sleep_stages&days=40&source=garmin")
  expect([stages.status, stages.source.provider]).toEqual([200, "garmin"])
  expect(stages.count).toBeGreaterThan(20)
  expect(await read("trend?metric=asleep&days=40&source=garmin")).toMatchObject({
    status: 200,
    source: { provider: "garmin" },
  })
  expect((await fetch(`${service.url}/api/v1/health?source=whoop`, { headers })).status).toBe(404)
})

test("40 uploads at once begin five, and the others have to wait", async () => {
  const member = await signedUp()
  const uploads = Array.from({ length: 40 }, () => holdUpload(member))
  const first = await Promise.all(
    uploads.map(({ answer }) => Promise.race([answer, untilReceived(member, 5).then(() => undefined)])),
  )
  await expect.poll(() => received(member)).toBe(5)
  expect(first).toHaveLength(40)
  const refused: Awaited<(typeof uploads)[number]["answer"]>[] = []
  for (const { answer } of uploads) void answer.then((each) => refused.push(each))
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(35)
  expect(await received(member)).toBe(5)
  expect(refused).toHaveLength(35)
  for (const answer of refused)
    expect(answer).toEqual({
      status: 409,
      message: expect.stringMatching(/^5 of your archives .* noticed within 15 seconds$/),
    })
  for (const upload of uploads) upload.end()
  const statuses = await Promise.all(uploads.map(async ({ answer }) => (await answer).status))
  expect(statuses.filter((status) => status === 202)).toHaveLength(5)
})

test("uploads of a process that was killed keep no place from others", async () => {
  const member = await signedUp()
  const uploads = Array.from({ length: 5 }, () => holdUpload(member))
  await untilReceived(member, 5)
  // What a killed process leaves: nobody shows any more that the uploads arrive.
  await service.store.pool.query(
    "update restwell.import set arrived_at = now() - interval '16 seconds' where status = 'receiving' and user_id = (select id from restwell.user where email = $1)",
    [member.email],
  )
  const next = holdUpload(member)
  await untilReceived(member, 6)
  for (const upload of [...uploads, next]) upload.end()
  expect((await next.answer).status).toBe(202)
})

const untilReceived = (member: Member, count: number) =>
  expect.poll(() => received(member), { timeout: 30_000 }).toBeGreaterThanOrEqual(count)

test("uploads that a killed process left are noticed by the database's clock, and the next one is taken", async () => {
  const member = await signedUp()
  const left = Array.from({ length: 5 }, () => holdUpload(member))
  await expect.poll(() => received(member)).toBe(5)
  expect((await uploadArchive(service.url, member, archive)).status).toBe(409)
  await silentFor(member, "50 seconds")
  await expect.poll(() => received(member), { timeout: 30_000 }).toBe(0)
  expect(await importedArchive(service.url, member, archive)).toMatchObject({ status: "done" })
  for (const upload of left) upload.end()
  for (const { answer } of left)
    expect(await answer).toEqual({
      status: 400,
      message: expect.stringMatching(/the upload was ended: upload it again/),
    })
})

test.each([-48, 48])("with a clock that is %d hours wrong, an upload that is still sent goes on", async (hours) => {
  const member = await signedUp()
  service.skewClock(hours * HOUR_MS)
  try {
    const upload = holdUpload(member)
    await expect.poll(() => received(member)).toBe(1)
    // The worker looks for broken uploads.
    await silentFor(member, "20 seconds")
    const { rows } = await service.store.pool.query("select now() + interval '2.5 seconds' as until")
    await expect
      .poll(async () => (await service.store.pool.query("select now() > $1 as past", [rows[0].until])).rows[0].past, {
        timeout: 30_000,
      })
      .toBe(true)
    upload.end()
    expect((await upload.answer).status).toBe(202)
  } finally {
    service.skewClock(0)
  }
})

test("a person's archives together have a limit, and undoing one frees its share", async () => {
  const member = await signedUp()
  const noise = (megabytes: number) => Buffer.concat([archive, randomBytes(megabytes * MB)])
  const table = Buffer.concat([Buffer.from("a,b\n"), Buffer.alloc(2 * MB, "1,2\n")])
  expect((await uploadArchive(service.url, member, noise(4))).status).toBe(413)
  // Stored as they are: appended bytes make no difference to a table that is ignored row by row.
  const done = await importedArchive(service.url, member, archive)
  expect(done).toMatchObject({ status: "done" })
  const waiting = holdUpload(member, table.toString("latin1"))
  await expect.poll(() => received(member)).toBe(1)
  await expect.poll(() => bytesOf(member)).toBeGreaterThan(MB)
  const refused = await uploadArchive(service.url, member, noise(2.9))
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ message: expect.stringMatching(/together may have 3 MB: undo/) })
  waiting.request.destroy()
  await expect.poll(() => received(member)).toBe(0)
  expect((await uploadArchive(service.url, member, noise(2.9))).status).toBe(202)
})

async function bytesOf(member: Member): Promise<number> {
  const { rows } = await service.store.pool.query(
    `select coalesce(sum(i.size), 0)::int as bytes from restwell.import i join restwell."user" u on u.id = i.user_id where u.email = $1`,
    [member.email],
  )
  return rows[0].bytes
}

test("a file name has no control or direction characters", async () => {
  const member = await signedUp()
  const form = new FormData()
  form.set("file", new Blob([new Uint8Array(archive)]), "C:\\fake\\my\u202e\u2066piz.\u200fdata\u0007\u061c.zip")
  const headers = { cookie: member.cookie }
  expect((await fetch(`${service.url}/api/imports`, { method: "POST", headers, body: form })).status).toBe(202)
  const { imports } = ImportsSchema.parse(await (await member.send("GET", "/api/imports")).json())
  expect(imports.map(({ file_name }) => file_name)).toEqual(["mypiz.data.zip"])
})

test("a file without a name is taken, and is listed as an archive", async () => {
  const member = await signedUp()
  const body = Buffer.concat([
    Buffer.from('--x\r\ncontent-disposition: form-data; name="file"\r\ncontent-type: application/octet-stream\r\n\r\n'),
    archive,
    Buffer.from("\r\n--x--\r\n"),
  ])
  const headers = { cookie: member.cookie, "content-type": "multipart/form-data; boundary=x" }
  const sent = await fetch(`${service.url}/api/imports`, { method: "POST", headers, body })
  expect(sent.status).toBe(202)
  const { imports } = ImportsSchema.parse(await (await member.send("GET", "/api/imports")).json())
  expect(imports).toMatchObject([{ file_name: "archive" }])
})
