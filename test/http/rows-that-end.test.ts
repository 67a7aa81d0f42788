// Every row of a person ends with the account, and every row with an expiry ends after it.
import { authorize, postToken, redemptionOf } from "@restwell/testing/assistant"
import { AuthenticatorApp, Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { type MailServer, startMailServer } from "../people/mail-server.ts"
import { connectNewMember, readUserId } from "./read-logs.ts"

let mail: MailServer
let service: TestService
let owner: Member
beforeAll(async () => {
  mail = await startMailServer()
  mail.isFailing = true
  service = await startTestService({
    days: 20,
    environment: { SMTP_URL: mail.url, MAIL_FROM: "home@restwell.example" },
  })
  owner = new Member(service)
  await owner.setUp()
})
afterAll(async () => {
  await service.close()
  await mail.close()
})

/** The tables with a row that contains one of the texts. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const { pool } = service.store
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'restwell' and c.relkind in ('r', 'p') order by 1`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const { rowCount } = await pool.query(
      `select from ${name} t where exists (select from unnest($1::text[]) part where strpos(lower(t::text), lower(part)) > 0) limit 1`,
      [texts],
    )
    if (rowCount !== 0) found.push(name)
  }
  return found
}

/** A person who has used everything that stores something. */
async function busyPerson() {
  const { member, key } = await connectNewMember(service)
  const { password, email } = member
  await readHealth(service.url, key)
  const begun = await (await member.send("POST", "/api/auth/two-factor", { password })).json()
  const app = new AuthenticatorApp(z.object({ uri: z.string() }).parse(begun).uri, () => Date.now())
  const authorized = await authorize(service, member)
  expect((await postToken(service, redemptionOf(service, authorized))).status).toBe(200)
  await authorize(service, member)
  await member.send("POST", "/api/auth/two-factor/confirm", { code: app.code() })
  // A sign-in that waits for its code, a passkey that is being added, a vendor's page that is open.
  await new Member(service).send("POST", "/api/auth/sign-in/email", { email, password })
  expect((await member.send("POST", "/api/auth/passkeys/options", { password })).status).toBe(200)
  await fetch(`${service.url}/api/connections/whoop/authorize`, {
    redirect: "manual",
    headers: { cookie: member.cookie },
  })
  await member.send("POST", "/api/auth/forgot-password", { email })
  await service.store.pool.query(
    `insert into restwell.invitation (token_hash, email, plan, created_at, expires_at, claimed_for)
     values (sha256($1::bytea), $2, 'free', now(), now() + interval '7 days', $2)`,
    [crypto.randomUUID(), email],
  )
  await service.store.pool.query(
    `insert into restwell.mail (kind, address, created_at, expires_at)
     values ('password_reset', $1, now(), now() + interval '1 hour')`,
    [email],
  )
  const userId = await readUserId(member)
  await service.store.pool.query(
    `insert into restwell.job (kind, key, user_id, priority, due_at)
     values ('sync', $1 || '/later', $1, 0, now() + interval '1 day')`,
    [userId],
  )
  expect(
    (await owner.send("POST", `/api/service/people/${userId}/reset-link`, { password: owner.password })).status,
  ).toBe(201)
  return { member, userId }
}

test("after the deletion of an account no table and no job contains its id or email address", async () => {
  const { member, userId } = await busyPerson()
  const texts = [userId, member.email]
  const before = await tablesWith(texts)
  for (const table of ["verification", "authorization_request", "invitation", "mail", "oauth_record", "session", "job"])
    expect(before).toContain(`restwell.${table}`)
  expect((await member.send("DELETE", "/api/account", { password: member.password })).status).toBe(204)
  expect(await tablesWith(texts)).toEqual([])
})

/** Columns with an expiry whose rows stay. */
const STAYS: Readonly<Record<string, string>> = {
  "api_key.expires_at": "the person sees on the page API that the key has ended, and removes it",
  "share.expires_at": "the person sees on the page Account that the link has ended, and removes it",
  "account.accessTokenExpiresAt": "no token of Google or Apple is stored",
  "account.refreshTokenExpiresAt": "no token of Google or Apple is stored",
  "vendor_grant.expires_at": "an expired access token is renewed, and the grant ends with the connection",
}

test("every row with an expiry is deleted after it", async () => {
  await busyPerson()
  const { pool } = service.store
  const { rows } = await pool.query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'restwell' and column_name ~* 'expires' order by 1, 2`,
  )
  const ending = rows.filter(({ table, column }) => !(`${table}.${column}` in STAYS))
  for (const { table, column } of ending) {
    const { rowCount } = await pool.query(`update restwell."${table}" set "${column}" = now() - interval '8 days'`)
    expect(rowCount, table).toBeGreaterThan(0)
  }
  // Every start sweeps, and then every hour does.
  const replica = await service.startReplica("api")
  for (const { table, column } of ending) {
    const count = async () => (await pool.query(`select from restwell."${table}" where "${column}" < now()`)).rowCount
    await expect.poll(count, { message: table, timeout: 30_000 }).toBe(0)
  }
  await replica.close()
})

test("a person has at most ten open authorizations of vendors, and the newest one works", async () => {
  const member = new Member(service)
  await member.signUp()
  const userId = await readUserId(member)
  const begin = () =>
    fetch(`${service.url}/api/connections/whoop/authorize`, { redirect: "manual", headers: { cookie: member.cookie } })
  await Promise.all(Array.from({ length: 40 }, begin))
  const newest = new URL((await begin()).headers.get("location") ?? "").searchParams.get("state")
  const { rows } = await service.store.pool.query<{ state: string }>(
    "select state from restwell.authorization_request where user_id = $1",
    [userId],
  )
  expect(rows.length).toBeLessThanOrEqual(10)
  expect(rows.map(({ state }) => state)).toContain(newest)
})
