import { setupCodeOf } from "@restwell/server/links"
import { Member } from "@restwell/testing/member"
import { startTestService, TEST_SECRET, type TestService } from "@restwell/testing/service"
import { expect, test } from "vitest"

const signUp = (url: string, email: string): Promise<Response> =>
  fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada", email, password: "correct horse battery staple" }),
  })

const statusesOf = async (answers: Promise<Response>[]): Promise<number[]> =>
  (await Promise.all(answers)).map(({ status }) => status).toSorted((one, other) => one - other)

async function withTwoReplicas(
  environment: Record<string, string>,
  check: (urls: readonly [string, string], service: TestService) => Promise<void>,
): Promise<void> {
  const service = await startTestService({ days: 5, environment })
  try {
    const other = await service.startReplica()
    await check([service.url, other.url], service)
  } finally {
    await service.close()
  }
}

test("gives one of eight simultaneous sign-ups with one address the account, and the others 409", async () => {
  await withTwoReplicas({}, async (urls, service) => {
    const answers = Array.from({ length: 8 }, (_, index) => signUp(urls[index % 2 === 0 ? 0 : 1], "ada@example.com"))
    expect(await statusesOf(answers)).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
    const { rows } = await service.store.pool.query(
      'select (select count(*)::int from restwell."user") as people, (select count(*)::int from restwell.account) as passwords',
    )
    expect(rows).toEqual([{ people: 1, passwords: 1 }])
  })
})

const setUp = (url: string, email: string): Promise<Response> =>
  fetch(`${url}/api/setup/owner`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      name: "Ada",
      email,
      password: "correct horse battery staple",
      code: setupCodeOf(TEST_SECRET),
    }),
  })

test("gives one of eight simultaneous set-ups the owner's account", async () => {
  await withTwoReplicas({ SIGN_UP: "closed" }, async (urls) => {
    const answers = Array.from({ length: 8 }, (_, index) =>
      setUp(urls[index % 2 === 0 ? 0 : 1], `person-${index}@example.com`),
    )
    expect(await statusesOf(answers)).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  })
})

test("stores no person without a password, so the person can sign up again", async () => {
  await withTwoReplicas({}, async ([url], service) => {
    const { pool } = service.store
    await pool.query("alter table restwell.account add constraint nothing_fits check (false) not valid")
    expect((await signUp(url, "ada@example.com")).status).toBe(500)
    await pool.query("alter table restwell.account drop constraint nothing_fits")
    expect((await signUp(url, "ada@example.com")).status).toBe(200)
  })
})

test("renews the cookie of a session once a day", async () => {
  await withTwoReplicas({}, async (_, service) => {
    const member = new Member(service)
    await member.signUp()
    expect((await member.send("GET", "/api/account")).headers.getSetCookie()).toEqual([])
    await service.store.pool.query(`update restwell.session set "expiresAt" = now() + interval '5 days'`)
    const renewed = await member.send("GET", "/api/account")
    expect(renewed.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^restwell\.session_token=[^;]+;.*Max-Age=604800/),
    ])
    expect((await member.send("GET", "/api/account")).headers.getSetCookie()).toEqual([])
  })
})

test("does not store X-Forwarded-For of a visitor", async () => {
  await withTwoReplicas({}, async (_, service) => {
    const member = new Member(service)
    await member.signUp()
    await member.send(
      "POST",
      "/api/auth/sign-in/email",
      { email: member.email, password: member.password },
      { "x-forwarded-for": "6.6.6.6" },
    )
    const { rows } = await service.store.pool.query(
      "select distinct coalesce(\"ipAddress\", '') as address from restwell.session",
    )
    expect(rows).toEqual([{ address: "" }])
  })
})
