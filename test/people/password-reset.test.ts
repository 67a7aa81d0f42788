import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { readSecurityLog } from "../http/read-logs.ts"
import { type MailServer, startMailServer } from "./mail-server.ts"
import { linkIn } from "./parse-mail.ts"

const NEW_PASSWORD = "staple battery horse correct"
const WAIT_MS = 30_000

let mail: MailServer
let service: TestService
let owner: Member
beforeAll(async () => {
  mail = await startMailServer()
  const environment = { SMTP_URL: mail.url, MAIL_FROM: "Restwell Home <home@restwell.example>", SIGN_UP: "open" }
  service = await startTestService({ days: 3, environment })
  owner = new Member(service)
  await owner.setUp()
})
afterAll(async () => {
  await service.close()
  await mail.close()
})

const PeopleSchema = z.object({ people: z.array(z.object({ id: z.string(), email: z.string() })) })

async function idOf({ email }: Member): Promise<string> {
  const { people } = PeopleSchema.parse(await (await owner.send("GET", "/api/service/people")).json())
  return people.find((person) => person.email === email)?.id ?? "nobody"
}

/** A link that the owner makes on the page Service. */
async function linkOfOwner(member: Member): Promise<string> {
  const body = { password: owner.password }
  const response = await owner.send("POST", `/api/service/people/${await idOf(member)}/reset-link`, body)
  expect(response.status).toBe(201)
  return new URL(z.object({ link: z.string() }).parse(await response.json()).link).hash.slice(1)
}

async function signedUp(): Promise<Member> {
  const member = new Member(service)
  await member.signUp()
  return member
}

const reset = (token: string, newPassword = NEW_PASSWORD, member = new Member(service)) =>
  member.send("POST", "/api/auth/reset-password", { token, newPassword })

const signIn = ({ email }: Member, password: string) =>
  new Member(service).send("POST", "/api/auth/sign-in/email", { email, password })

describe("a link to a new password", () => {
  test("sets it, ends all sessions, signs in, and works once", async () => {
    const member = await signedUp()
    const key = await member.newKey()
    const token = await linkOfOwner(member)
    const other = await linkOfOwner(member)
    const asked = await new Member(service).send("POST", "/api/auth/reset-link", { token })
    expect(await asked.json()).toEqual({ email: member.email, removes_two_factor: false })
    const browser = new Member(service)
    expect((await reset(token, NEW_PASSWORD, browser)).status).toBe(200)
    expect((await browser.send("GET", "/api/account")).status).toBe(200)
    expect((await member.send("GET", "/api/account")).status).toBe(401)
    expect((await signIn(member, member.password)).status).toBe(401)
    expect((await signIn(member, NEW_PASSWORD)).status).toBe(200)
    // The API key stays, and so the page offers to replace it.
    const read = await fetch(`${service.url}/api/v1/health?type=profile`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(read.status).not.toBe(401)
    for (const used of [token, other, "nothing", "x".repeat(43)]) expect((await reset(used)).status).toBe(404)
    const types = (await readSecurityLog(browser)).entries.map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(["password_reset_requested", "password_reset", "signed_in"]))
    const { rows } = await service.store.pool.query("select * from restwell.password_reset where user_id = $1", [
      await idOf(member),
    ])
    expect(rows).toEqual([])
  })

  test("keeps the password rule, and stays unused when it is refused", async () => {
    const member = await signedUp()
    const token = await linkOfOwner(member)
    const refused = await reset(token, "password1")
    expect([refused.status, z.object({ field: z.string() }).parse(await refused.json()).field]).toEqual([
      400,
      "newPassword",
    ])
    expect((await reset(token)).status).toBe(200)
  })

  test("of simultaneous uses one succeeds, and its password holds", async () => {
    const member = await signedUp()
    const token = await linkOfOwner(member)
    const passwords = Array.from({ length: 6 }, (_, index) => `${NEW_PASSWORD} ${index}`)
    const answers = await Promise.all(passwords.map((password) => reset(token, password)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404, 404])
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? ""
    expect((await signIn(member, winner)).status).toBe(200)
  })

  test("is stored as a hash alone, and ends after a day", async () => {
    const member = await signedUp()
    const token = await linkOfOwner(member)
    const { rows } = await service.store.pool.query(
      "select row_to_json(r)::text as row, expires_at - created_at = '24 hours' as is_day from restwell.password_reset r where user_id = $1",
      [await idOf(member)],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].is_day).toBe(true)
    expect(rows[0].row).not.toContain(token)
    await service.store.pool.query(
      "update restwell.password_reset set expires_at = now() - interval '1 second' where user_id = $1",
      [await idOf(member)],
    )
    expect((await reset(token)).status).toBe(404)
  })

  test("is made by the owner alone", async () => {
    const member = await signedUp()
    for (const person of [member, new Member(service)]) {
      const response = await person.send("POST", `/api/service/people/${await idOf(owner)}/reset-link`, {})
      expect(response.status).toBe(person === member ? 403 : 401)
    }
  })
})

describe("a stolen session of the owner", () => {
  test("makes no link to a new password, and removes nobody", async () => {
    const member = await signedUp()
    const ofMember = `/api/service/people/${await idOf(member)}`
    for (const password of [undefined, "a guess that is wrong"]) {
      const link = await owner.send("POST", `${ofMember}/reset-link`, { password, remove_two_factor: true })
      const removal = await owner.send("DELETE", ofMember, { password, email: member.email })
      const message =
        password === undefined
          ? "confirm with your password, or with a passkey that you have"
          : "incorrect current password"
      for (const refused of [link, removal]) {
        expect(refused.status).toBe(403)
        expect(await refused.json()).toMatchObject({ error: "forbidden", message })
      }
    }
    expect((await member.send("GET", "/api/account")).status).toBe(200)
    const confirmed = { password: owner.password, email: member.email }
    expect((await owner.send("DELETE", ofMember, confirmed)).status).toBe(204)
    expect((await member.send("GET", "/api/account")).status).toBe(401)
  })

  test("makes no link for the owner, with the password neither, because it could turn codes off without one", async () => {
    const body = { password: owner.password, remove_two_factor: true }
    const refused = await owner.send("POST", `/api/service/people/${await idOf(owner)}/reset-link`, body)
    expect([refused.status, (await refused.json()).message]).toEqual([
      409,
      "this is your own account: change the password on the page Account, or run restwell reset-password where Restwell runs",
    ])
  })
})

describe("a forgotten password", () => {
  const forgot = (email: string, member = new Member(service)) =>
    member.send("POST", "/api/auth/forgot-password", { email })

  test(
    "is replaced with the link of an email",
    async () => {
      const member = await signedUp()
      expect((await forgot(` ${member.email.toUpperCase()} `)).status).toBe(202)
      const received = await mail.mailTo(member.email)
      expect(received.headers).toContain("Subject: Your new Restwell password")
      expect(received.headers).toContain("From: Restwell Home <home@restwell.example>")
      expect(received.headers).toContain(`To: ${member.email}`)
      const link = linkIn(received)
      expect(link.href).toMatch(new RegExp(`^${service.url}/reset#[\\w-]{43}$`))
      expect(received.html).toContain(`href="${link.href}"`)
      expect((await reset(link.hash.slice(1))).status).toBe(200)
      expect((await signIn(member, NEW_PASSWORD)).status).toBe(200)
    },
    WAIT_MS,
  )

  test(
    "gives the same answer for an address without an account, and sends nothing there",
    async () => {
      const member = await signedUp()
      const stranger = `${crypto.randomUUID()}@example.com`
      const [known, unknown] = await Promise.all([forgot(member.email), forgot(stranger)])
      expect([unknown.status, await unknown.text()]).toEqual([known.status, await known.text()])
      await mail.mailTo(member.email)
      await expect
        .poll(
          async () =>
            (await service.store.pool.query("select 1 from restwell.mail where address = $1", [stranger])).rowCount,
        )
        .toBe(0)
      expect(mail.mails.filter(({ recipients }) => recipients.includes(stranger))).toEqual([])
    },
    WAIT_MS,
  )

  test("is asked for at most three times an hour for one address, whether it has an account or not", async () => {
    const member = await signedUp()
    for (const email of [member.email, `${crypto.randomUUID()}@example.com`]) {
      const statuses: number[] = []
      for (let time = 0; time < 4; time += 1) statuses.push((await forgot(email)).status)
      expect(statuses).toEqual([202, 202, 202, 429])
    }
  })

  test("is asked for at most twenty times an hour from one network", async () => {
    const other = await startTestService({ days: 3, environment: { SMTP_URL: mail.url, MAIL_FROM: "a@b.example" } })
    const ask = () =>
      new Member(other).send("POST", "/api/auth/forgot-password", { email: `${crypto.randomUUID()}@example.com` })
    for (let time = 0; time < 20; time += 1) expect((await ask()).status).toBe(202)
    expect((await ask()).status).toBe(429)
    await other.close()
  })

  test.each(["not an address", "a@b.example\r\nBcc: c@d.example", "a@b.example, c@d.example", "<a@b.example>"])(
    "is refused for %j",
    async (email) => {
      expect((await forgot(email)).status).toBe(400)
    },
  )
})
