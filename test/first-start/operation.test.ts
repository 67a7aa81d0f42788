import { readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type PeopleResponse, type ServiceResponse, ServiceResponseSchema } from "@restwell/client"
import { verifyBackup } from "@restwell/core"
import { makeFolder } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterEach, expect, test } from "vitest"
import { type MailServer, startMailServer } from "../people/mail-server.ts"

const WAIT = { timeout: 30_000 }
/** As an operator has it who has set no environment variable. */
const UNSET = { SIGN_UP: "" }

const left: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of left.splice(0).toReversed()) await close()
})

interface Started {
  readonly service: TestService
  readonly owner: Member
}

async function start(environment: Readonly<Record<string, string>> = UNSET): Promise<Started> {
  const service = await startTestService({ days: 3, environment })
  left.push(() => service.close())
  const owner = new Member(service)
  await owner.setUp()
  return { service, owner }
}

async function folder(): Promise<string> {
  const path = await makeFolder("backups")
  left.push(() => rm(path, { recursive: true, force: true }))
  return path
}

async function mailServer(): Promise<MailServer> {
  const mail = await startMailServer()
  left.push(() => mail.close())
  return mail
}

const state = async (owner: Member): Promise<ServiceResponse> =>
  ServiceResponseSchema.parse(await (await owner.send("GET", "/api/service")).json())

const signUp = async ({ url }: { url: string }): Promise<number> => {
  const body = { name: "Eve", email: `${crypto.randomUUID()}@example.com`, password: "correct horse battery staple" }
  const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  return (await fetch(`${url}/api/auth/sign-up/email`, sent)).status
}

const signUpState = async ({ url }: { url: string }): Promise<string> =>
  (await (await fetch(`${url}/api/auth/options`)).json()).sign_up

test("once there is an owner, sign-ups are closed, and the owner's switch opens and closes them in every process", async () => {
  const { service, owner } = await start()
  const second = await service.startReplica("api")
  expect([await signUp(service), await signUp(second)]).toEqual([403, 403])
  expect((await state(owner)).sign_up).toEqual({ value: "closed", source: null })
  expect(await (await owner.send("PUT", "/api/service/sign-up", { sign_up: "open" })).json()).toEqual({
    sign_up: "open",
  })
  expect(await signUp(service)).toBe(200)
  await expect.poll(() => signUpState(second), WAIT).toBe("open")
  expect((await state(owner)).sign_up).toEqual({ value: "open", source: "page" })
  expect((await owner.send("PUT", "/api/service/sign-up", { sign_up: "closed" })).status).toBe(200)
  expect(await signUp(service)).toBe(403)
  await expect.poll(() => signUp(second), WAIT).toBe(403)
  expect((await owner.send("PUT", "/api/service/sign-up", { sign_up: "maybe" })).status).toBe(400)
  expect(await (await owner.send("GET", "/api/account/security-log")).text()).toContain("sign-ups closed")
})

test("environment variables take precedence over the page, which names them and displays no password", async () => {
  const directory = await folder()
  const { owner } = await start({
    SIGN_UP: "open",
    SMTP_URL: "smtps://ada:geheim@mail.example.com",
    MAIL_FROM: "home@restwell.example",
    BACKUP_DIR: directory,
  })
  const text = await (await owner.send("GET", "/api/service")).text()
  expect(text).not.toContain("geheim")
  expect(JSON.parse(text)).toMatchObject({
    sign_up: { value: "open", source: "environment" },
    mail: { source: "environment", server: null, from: null },
    backup: { source: "environment", schedule: { folder: directory, keep: 7, every_hours: 24 } },
    environment: ["SIGN_UP", "SMTP_URL", "MAIL_FROM", "BACKUP_DIR"],
  })
  const mail = { host: "mail.example.com", port: 465, from: "home@restwell.example" }
  const backup = { folder: directory, keep: 1, every_hours: 1, has_secret: true }
  for (const [path, body] of [
    ["/api/service/sign-up", { sign_up: "closed" }],
    ["/api/service/mail", mail],
    ["/api/service/backup", backup],
  ] as const) {
    const answer = await owner.send("PUT", path, body)
    expect(answer.status, path).toBe(409)
    expect((await answer.json()).message).toContain("environment variable")
  }
  for (const path of ["/api/service/mail", "/api/service/backup"])
    expect((await owner.send("DELETE", path)).status, path).toBe(409)
})

test("only the owner changes the operation of the service", async () => {
  const { service } = await start({ SIGN_UP: "open" })
  const other = new Member(service)
  await other.signUp()
  for (const [method, path] of [
    ["PUT", "/api/service/sign-up"],
    ["PUT", "/api/service/mail"],
    ["DELETE", "/api/service/mail"],
    ["POST", "/api/service/mail/test"],
    ["PUT", "/api/service/backup"],
    ["DELETE", "/api/service/backup"],
    ["POST", "/api/service/backup/run"],
  ] as const)
    expect((await other.send(method, path, method === "PUT" ? {} : undefined)).status, path).toBe(403)
})

test("a folder makes backups, at once and when the owner asks, and stops making them when it is removed", async () => {
  const directory = join(await folder(), "family")
  const { owner } = await start()
  expect((await state(owner)).backup).toMatchObject({ schedule: null, source: null, last: null })
  expect((await owner.send("POST", "/api/service/backup/run")).status).toBe(409)
  const wanted = { folder: directory, keep: 3, every_hours: 168, has_secret: true }
  expect((await owner.send("PUT", "/api/service/backup", wanted)).status).toBe(200)
  const files = async () => (await readdir(directory)).filter((name) => name.endsWith(".backup"))
  await expect.poll(async () => (await state(owner)).backup.last, WAIT).not.toBeNull()
  expect(await files()).toHaveLength(1)
  const { last: first, ...backup } = (await state(owner)).backup
  expect(backup).toMatchObject({ schedule: wanted, source: "page", is_running: false })
  const asked = await owner.send("POST", "/api/service/backup/run")
  expect([asked.status, await asked.json()]).toEqual([202, { status: "requested" }])
  // Also where the first one was made in the same second, whose name it has.
  await expect.poll(async () => (await state(owner)).backup.last?.started_at, WAIT).not.toBe(first?.started_at)
  await expect.poll(async () => (await state(owner)).backup.is_running, WAIT).toBe(false)
  const made = await files()
  const file = (await state(owner)).backup.last?.file ?? ""
  expect((await verifyBackup(file)).secrets).toBeDefined()
  expect((await owner.send("DELETE", "/api/service/backup")).status).toBe(204)
  expect((await owner.send("POST", "/api/service/backup/run")).status).toBe(409)
  expect(await files()).toEqual(made)
})

test("a folder that cannot be used is refused with what to do, and nothing changes", async () => {
  const directory = await folder()
  await writeFile(join(directory, "file"), "")
  const { owner } = await start()
  const wanted = { keep: 3, every_hours: 24, has_secret: false }
  const answer = await owner.send("PUT", "/api/service/backup", { ...wanted, folder: join(directory, "file", "below") })
  expect(await answer.json()).toMatchObject({
    field: "folder",
    message: expect.stringContaining("choose another folder"),
  })
  expect(answer.status).toBe(400)
  // Node's own way to make folders never returns there.
  expect((await owner.send("PUT", "/api/service/backup", { ...wanted, folder: "/proc/restwell" })).status).toBe(400)
  for (const wrong of [{ keep: 0 }, { every_hours: 0 }, { every_hours: 9000 }, { folder: " " }])
    expect((await owner.send("PUT", "/api/service/backup", { ...wanted, folder: directory, ...wrong })).status).toBe(
      400,
    )
  expect((await state(owner)).backup.schedule).toBeNull()
})

const portOf = (mail: MailServer): number => Number(new URL(mail.url).port)

test("mail settings are tested with a message to the owner, sealed, and used at once by every process", async () => {
  const mail = await mailServer()
  const { service, owner } = await start()
  const settings = { host: "127.0.0.1", port: portOf(mail), from: "Home <home@restwell.example>" }
  const stored = await owner.send("PUT", "/api/service/mail", settings)
  expect(await stored.json()).toEqual({ sent_to: owner.email, problem: null })
  expect((await mail.mailTo(owner.email)).headers).toContain("Subject: Restwell can send email")
  const { rows } = await service.store.pool.query("select name, sealed from restwell.service_setting order by name")
  expect(rows.map(({ name }) => name)).toEqual(["MAIL_FROM", "SMTP_URL"])
  for (const { sealed } of rows) expect(String(sealed)).not.toContain("127.0.0.1")
  expect((await state(owner)).mail).toEqual({
    source: "page",
    server: `127.0.0.1:${settings.port}`,
    from: "Home <home@restwell.example>",
    failures: 0,
  })
  const invited = await owner.send("POST", "/api/service/invitations", { email: "lena@example.com", send: true })
  expect(invited.status).toBe(201)
  expect((await mail.mailTo("lena@example.com")).headers).toContain("From: Home <home@restwell.example>")
  const again = await owner.send("POST", "/api/service/mail/test")
  expect(await again.json()).toEqual({ sent_to: owner.email, problem: null })
  await mail.mailTo(owner.email, 2)
  expect((await owner.send("DELETE", "/api/service/mail")).status).toBe(204)
  expect((await owner.send("POST", "/api/service/mail/test")).status).toBe(409)
  const people: PeopleResponse = await (await owner.send("GET", "/api/service/people")).json()
  expect(people.mail.is_set_up).toBe(false)
})

test("test messages are limited, in words", async () => {
  const mail = await mailServer()
  const { owner } = await start({ SMTP_URL: mail.url, MAIL_FROM: "home@restwell.example" })
  const answers: Response[] = []
  for (let count = 0; count < 12; count += 1) answers.push(await owner.send("POST", "/api/service/mail/test"))
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  const refused = answers.at(-1)
  expect(refused?.headers.get("retry-after")).toMatch(/^\d+$/)
  expect(await refused?.json()).toEqual({
    error: "too_many_attempts",
    message: expect.stringMatching(/^too many test messages, try again in \d+ seconds$/),
  })
  expect(mail.mails).toHaveLength(10)
})

test("mail settings that do not work are refused at their field, and are not stored", async () => {
  const mail = await mailServer()
  const { service, owner } = await start()
  const working = { host: "127.0.0.1", port: portOf(mail), from: "home@restwell.example" }
  for (const [wrong, field] of [
    [{ host: "mail.invalid" }, "host"],
    [{ host: "no host" }, "host"],
    [{ port: 9 }, "port"],
    [{ from: "nobody" }, "from"],
  ] as const) {
    const answer = await owner.send("PUT", "/api/service/mail", { ...working, ...wrong })
    expect([answer.status, (await answer.json()).field], JSON.stringify(wrong)).toEqual([400, field])
  }
  mail.isFailing = true
  const refused = await owner.send("PUT", "/api/service/mail", working)
  expect(await refused.json()).toMatchObject({ message: expect.stringContaining("451") })
  expect((await service.store.pool.query("select 1 from restwell.service_setting")).rowCount).toBe(0)
})

test("a password of the mail server is in no answer and no log", async () => {
  const { service, owner } = await start()
  const settings = { host: "127.0.0.1", port: 9, user: "ada", password: "p@ss/word", from: "home@restwell.example" }
  const answer = await (await owner.send("PUT", "/api/service/mail", settings)).text()
  for (const text of [answer, service.log.join("\n")]) {
    expect(text).not.toContain("p@ss/word")
    expect(text).not.toContain(encodeURIComponent("p@ss/word"))
  }
})

test("the owner's plan is pro unless set otherwise, and that of others is free", async () => {
  const { service, owner } = await start({ SIGN_UP: "open" })
  const alone = await (await owner.send("GET", "/api/account")).json()
  expect(alone).toMatchObject({ plan: "pro", is_alone: true, usage: { limit: 50_000 } })
  const other = new Member(service)
  await other.signUp()
  expect(await (await other.send("GET", "/api/account")).json()).toMatchObject({ plan: "free", is_alone: false })
  const { user } = alone
  expect((await owner.send("PUT", `/api/service/people/${user.id}`, { plan: "free" })).status).toBe(200)
  const now = await (await owner.send("GET", "/api/account")).json()
  expect(now).toMatchObject({ plan: "free", is_alone: false, usage: { limit: 1000 } })
})
