import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T08:30:00Z") })
})
afterAll(() => service.close())

const PATH = "/api/account/notifications"

async function signedUp(): Promise<Member> {
  const member = new Member(service)
  await member.signUp()
  return member
}

const read = async (member: Member) => (await member.send("GET", PATH)).json()

const NONE = {
  briefing: { enabled: false, earliest: "07:00", channels: [] },
  rules: [],
  quiet: null,
  ntfy: null,
  home_assistant: false,
  push_public_key: expect.stringMatching(/^[\w-]{87}$/),
}

test("nothing is sent at first, and what is set stays until it is set again", async () => {
  const member = await signedUp()
  expect(await read(member)).toEqual(NONE)
  const rules = [
    {
      id: "low",
      kind: "limit",
      metric: "recovery_score",
      direction: "below",
      limit: 34,
      channels: ["email"],
      enabled: true,
    },
    { id: "late", kind: "limit", metric: "bedtime", direction: "above", limit: "00:30", channels: [], enabled: false },
    {
      id: "pulse",
      kind: "unusual",
      metric: "resting_heart_rate",
      direction: "above",
      mornings: 2,
      channels: ["ntfy"],
      enabled: true,
    },
    { id: "none", kind: "missing", at: "11:00", channels: ["push"], enabled: true },
    { id: "link", kind: "connection", channels: ["webhook"], enabled: true },
    { id: "most", kind: "quota", percent: 80, channels: ["email"], enabled: true },
  ]
  const set = await member.send("PUT", PATH, {
    briefing: { enabled: true, earliest: "06:30", channels: ["email", "ntfy"] },
    rules,
    quiet: { start: "22:00", end: "06:15" },
    ntfy: { url: "https://ntfy.example/topic", token: "tk_secret" },
    home_assistant: true,
  })
  expect(set.status).toBe(200)
  const stored = {
    briefing: { enabled: true, earliest: "06:30", channels: ["email", "ntfy"] },
    rules,
    quiet: { start: "22:00", end: "06:15" },
    ntfy: { url: "https://ntfy.example/topic", has_token: true, disabled: null },
    home_assistant: true,
  }
  const { push_public_key } = NONE
  expect(await set.json()).toEqual({ ...stored, push_public_key })
  // What a response has may be sent again as it is.
  expect((await member.send("PUT", PATH, await read(member))).status).toBe(200)
  expect(await read(member)).toEqual({ ...stored, push_public_key })
  await member.send("PUT", PATH, { quiet: null, home_assistant: false })
  expect(await read(member)).toEqual({ ...stored, push_public_key, quiet: null, home_assistant: false })
  expect(await (await member.send("GET", "/api/account/export?format=json")).json()).toMatchObject({
    notifications: { briefing: stored.briefing, ntfy: stored.ntfy },
  })
  expect(await read(await signedUp())).toEqual(NONE)
})

test("a token of ntfy stays for its address alone, and is in no table as it is", async () => {
  const member = await signedUp()
  const put = async (ntfy: object) => (await member.send("PUT", PATH, { ntfy })).json()
  const url = "https://ntfy.example/topic"
  expect(await put({ url, token: "tk_never_readable" })).toMatchObject({ ntfy: { url, has_token: true } })
  const { rows } = await service.store.pool.query(
    "select row_to_json(s)::text as text from restwell.notification_settings s",
  )
  expect(JSON.stringify(rows)).not.toContain("tk_never_readable")
  expect(JSON.stringify(rows)).not.toContain(Buffer.from("tk_never_readable").toString("hex"))
  expect(await put({ url })).toMatchObject({ ntfy: { has_token: true } })
  expect(await put({ url: "https://elsewhere.example/topic" })).toMatchObject({ ntfy: { has_token: false } })
  expect(await put({ url, token: "tk_again" })).toMatchObject({ ntfy: { has_token: true } })
  expect(await put({ url, token: null })).toMatchObject({ ntfy: { has_token: false } })
})

const rule = { kind: "limit", metric: "hrv", direction: "below", limit: 30, channels: [], enabled: true }

test.each([
  [{ briefing: { enabled: true, earliest: "7:00", channels: [] } }, "briefing.earliest must be a time like 07:00"],
  [{ briefing: { enabled: true, channels: ["sms"] } }, "briefing.channels.0 must be one of email, push, ntfy, webhook"],
  [
    { briefing: { enabled: true, channels: ["ntfy"] } },
    "briefing.channels has ntfy, and there is no address of ntfy: set ntfy.url",
  ],
  [{ rules: Array.from({ length: 21 }, () => rule) }, "rules must be at most 20"],
  [
    { rules: [{ ...rule, kind: "steps" }] },
    "rules.0.kind must have a kind, one of limit, unusual, missing, connection, quota",
  ],
  [{ rules: [{ ...rule, metric: "hrvv" }] }, "rules.0.metric must be a metric, /api/v1/metrics lists all"],
  [
    { rules: [{ ...rule, metric: "steps" }] },
    /^rules.0.metric steps cannot have this rule, there are recovery_score, hrv/,
  ],
  [{ rules: [{ ...rule, limit: "23:30" }] }, "rules.0.limit must be a number like 7.5 for hrv"],
  [{ rules: [{ ...rule, metric: "bedtime" }] }, "rules.0.limit must be a time like 23:30 for bedtime"],
  [
    {
      rules: [
        { ...rule, id: "a" },
        { ...rule, id: "a" },
      ],
    },
    "rules.1.id is that of another rule",
  ],
  [
    { rules: [{ kind: "unusual", metric: "asleep", channels: [], enabled: true }] },
    /^rules.0.metric asleep cannot have this rule/,
  ],
  [
    { rules: [{ kind: "unusual", metric: "hrv", mornings: 6, channels: [], enabled: true }] },
    "rules.0.mornings must be a whole number from 1 to 5",
  ],
  [
    { rules: [{ kind: "quota", percent: 0, channels: [], enabled: true }] },
    "rules.0.percent must be a whole number from 1 to 100",
  ],
  [{ quiet: { start: "22:00", end: "22:00" } }, "quiet must have a start and an end that differ"],
  [{ ntfy: { url: "ntfy.sh/topic" } }, "ntfy.url must be the address of a topic, like https://ntfy.sh/my-topic"],
  [
    { ntfy: { url: "https://me:secret@ntfy.sh/topic" } },
    "ntfy.url must not contain a user name or a password: use a token",
  ],
])("refuses %j in plain words, and stores nothing", async (body, message) => {
  const member = await signedUp()
  const response = await member.send("PUT", PATH, body)
  expect(response.status).toBe(400)
  const refusal = await response.json()
  expect(refusal).toMatchObject({ error: "invalid_request", message: expect.stringMatching(message) })
  expect(await read(member)).toEqual(NONE)
})

test("a preview needs neither channels nor a name, since nothing is sent", async () => {
  const member = await signedUp()
  const { channels: _, enabled: __, ...bare } = rule
  const response = await member.send("POST", `${PATH}/preview`, { rule: bare })
  expect([response.status, await response.json()]).toEqual([200, { dates: [], count: 0, days: 90 }])
})

test("an address of ntfy in the home network is refused where it is entered", async () => {
  const member = await signedUp()
  for (const [url, where] of [
    ["https://192.168.1.20/topic", "192.168.1.20 is in your home network"],
    ["http://127.0.0.1:8080/topic", "127.0.0.1 is this computer"],
  ]) {
    const response = await member.send("PUT", PATH, { ntfy: { url } })
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "invalid_request", field: "ntfy.url", message: `ntfy.url: ${where}. Allow it on the page Service.` },
    ])
  }
  expect(await read(member)).toEqual(NONE)
})
