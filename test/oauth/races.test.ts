import {
  authorize,
  callConnector,
  connectAssistant,
  redeem,
  refresh,
  register,
  TokensSchema,
} from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const RACES = 100
/** Number of codes or tokens in use at the same time, so that they compete for locks. */
const AT_ONCE = 10

let service: TestService
let replica: { url: string; close(): Promise<void> }
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 1, role: "api" })
  // Both have one address, as behind a load balancer.
  replica = await service.startReplica("api", { BASE_URL: service.url })
  member = new Member(service)
  await member.signUp()
})
afterAll(() => service.close())

async function inBatches<Result>(count: number, run: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < count; from += AT_ONCE)
    results.push(
      ...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => run(from + i)))),
    )
  return results
}

test(`of ${RACES} codes that two replicas redeem at the same time, each works once`, async () => {
  const client = await register(service)
  const outcomes = await inBatches(RACES, async () => {
    const authorized = await authorize(service, member, { client })
    const twice = [redeem(service, authorized), redeem(service, authorized, replica)]
    const answers = await Promise.all(
      twice.map(async (answer) => ({ status: (await answer).status, body: await (await answer).json() })),
    )
    return answers.map(({ status, body }) => (status === 200 ? "won" : `${status} ${body.error}`)).toSorted()
  })
  expect(outcomes.filter(([one, other]) => one === "400 invalid_grant" && other === "won")).toHaveLength(RACES)
}, 300_000)

test(`of ${RACES} refresh tokens that two replicas use at the same time, each has one successor`, async () => {
  const client = await register(service)
  const first = await connectAssistant(service, member, { client })
  const chains = await Promise.all(
    Array.from({ length: AT_ONCE - 1 }, () => connectAssistant(service, member, { client })),
  )
  const current = [first, ...chains].map(({ refresh_token }) => refresh_token)
  const outcomes = await inBatches(RACES, async (index) => {
    const chain = index % AT_ONCE
    const token = current[chain] ?? ""
    const [one, other] = await Promise.all(
      [service, replica].map(async (at) => {
        const answer = await refresh(at, client.client_id, token)
        expect(answer.status, await answer.clone().text()).toBe(200)
        return TokensSchema.parse(await answer.json())
      }),
    )
    current[chain] = one?.refresh_token ?? ""
    return (
      one?.refresh_token === other?.refresh_token &&
      one?.access_token === other?.access_token &&
      one?.refresh_token !== token
    )
  })
  expect(outcomes.filter((isOne) => isOne)).toHaveLength(RACES)
  // The last token of each chain works.
  for (const token of current) {
    const tokens = TokensSchema.parse(await (await refresh(service, client.client_id, token)).json())
    expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(200)
  }
  const { rows } = await service.store.pool.query(
    `select count(*)::int as unused from restwell.oauth_record where kind = 'RefreshToken' and client_id = $1 and consumed_at is null`,
    [client.client_id],
  )
  expect(rows[0]?.unused).toBe(AT_ONCE)
}, 300_000)

test("a code or refresh token works again after a failed exchange", async () => {
  const { pool } = service.store
  await pool.query(`
    create function restwell.fail() returns trigger language plpgsql as $$ begin raise exception 'disk full' using errcode = '53100'; end $$;
    create trigger fail before insert on restwell.oauth_record for each row when (new.kind = 'AccessToken') execute function restwell.fail()`)
  const enable = (word: "enable" | "disable") => pool.query(`alter table restwell.oauth_record ${word} trigger fail`)
  const authorized = await authorize(service, member)
  const broken = await redeem(service, authorized)
  expect(broken.status).toBe(503)
  expect(broken.headers.get("retry-after")).toBe("2")
  await enable("disable")
  const tokens = TokensSchema.parse(await (await redeem(service, authorized)).json())
  await enable("enable")
  const { client_id: clientId } = authorized.client
  expect((await refresh(service, clientId, tokens.refresh_token)).status).toBe(503)
  await pool.query("drop trigger fail on restwell.oauth_record")
  const refreshed = TokensSchema.parse(await (await refresh(service, clientId, tokens.refresh_token)).json())
  expect((await callConnector(service, refreshed.access_token, "tools/list")).status).toBe(200)
})
