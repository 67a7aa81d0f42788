import { whoopArchive } from "@restwell/testing/archive"
import {
  ALL_SCOPES,
  authorizationRequest,
  Browser,
  callConnector,
  callTool,
  connectAssistant,
  messageOf,
  openConsent,
  register,
} from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { z } from "zod"

const BodySchema = z.looseObject({
  records: z.array(
    z.object({
      date: z.string(),
      factor: z.string(),
      question: z.string(),
      answer: z.boolean().nullable(),
      value: z.number().nullable(),
      source: z.string(),
    }),
  ),
})

let service: TestService
let member: Member
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 40 })
  const person = service.simulator.people.add({ email: "ada@example.com" })
  ;({ member, key } = await Member.connected(service, person))
  const form = new FormData()
  form.set("file", new Blob([new Uint8Array(whoopArchive(service.simulator.records("ada@example.com")))]), "data.zip")
  const { status } = await fetch(`${service.url}/api/imports`, {
    method: "POST",
    headers: { cookie: member.cookie },
    body: form,
  })
  expect(status).toBe(202)
  await vi.waitFor(async () => expect((await readJournal("days=30")).records.length).toBeGreaterThan(50), 30_000)
})
afterAll(() => service.close())

async function readJournal(search: string) {
  const answer = await fetch(`${service.url}/api/v1/journal?${search}`, { headers: { authorization: `Bearer ${key}` } })
  return BodySchema.parse(await answer.json())
}

const WITHOUT = ALL_SCOPES.split(" ").filter((scope) => scope !== "journal:read")
/** What the page ticks by itself. */
const TICKED = WITHOUT.filter((scope) => scope !== "series:read")

const LeanSchema = z.looseObject({
  records: z.array(z.strictObject({ date: z.string(), factor: z.string(), answer: z.boolean().nullable() })),
  questions: z.record(z.string(), z.string()),
})

test("get_journal returns the answers of REST, and each question once", async () => {
  const { access_token } = await connectAssistant(service, member)
  const { structuredContent } = await callTool(service, access_token, "get_journal", { days: 30 })
  const { records, questions } = LeanSchema.parse(structuredContent)
  const rest = (await readJournal("days=30")).records
  expect(records).toEqual(rest.map(({ date, factor, answer }) => ({ date, factor, answer })))
  expect(questions).toEqual(Object.fromEntries(rest.map(({ factor, question }) => [factor, question])))
})

test("the text has every answer of the structured content, and says that an absent answer is not a no", async () => {
  const { access_token } = await connectAssistant(service, member)
  const { content, structuredContent } = await callTool(service, access_token, "get_journal", { days: 7 })
  const { records, questions } = LeanSchema.parse(structuredContent)
  const text = content[0]?.text ?? ""
  expect(records.length).toBeGreaterThan(10)
  expect(text.split("\n")[0]).toContain("do not count it as no")
  for (const { date, factor, answer } of records) {
    const line = text.split("\n").find((one) => one.startsWith(`${date}:`))
    expect(line).toContain(`${factor} ${answer ? "yes" : "no"}`)
    expect(text).toContain(questions[factor])
  }
})

test("a factor that the journal does not have is refused with the nearest one, and the read is not counted", async () => {
  const ask = (factor: string) =>
    fetch(`${service.url}/api/v1/relate?outcome=hrv&factor=${factor}`, { headers: { authorization: `Bearer ${key}` } })
  const used = async () => (await (await member.send("GET", "/api/account")).json()).usage.used
  const before = await used()
  const refused = await ask("journal:cafeine")
  expect([refused.status, await refused.json()]).toEqual([
    400,
    {
      error: "invalid_request",
      field: "factor",
      message: expect.stringMatching(
        /^factor journal:cafeine is unknown: the journal has no answers about it, did you mean journal:caffeine\? It has answers about .*\bcaffeine\b/,
      ),
    },
  ])
  expect(await used()).toBe(before)
  expect((await ask("journal:caffeine")).status).toBe(200)
})

test("dates without an answer give no answers, and the text says that this is not a no", async () => {
  const { access_token } = await connectAssistant(service, member)
  const range = { start_date: "2024-01-01", end_date: "2024-01-07" }
  const { content, structuredContent } = await callTool(service, access_token, "get_journal", range)
  expect(structuredContent).toMatchObject({ records: [], count: 0, empty_reason: "no_data_in_range" })
  expect(content[0]?.text).toContain("Do not count that as no")
})

describe("what the person entered in the page", () => {
  const NOTE = "a private thought of the evening"
  let writer: Member
  let date: string
  beforeAll(async () => {
    const person = service.simulator.people.add({ email: "writer@example.com" })
    const connected = await Member.connected(service, person)
    writer = connected.member
    date = (await (await readHealth(service.url, connected.key, "?days=1")).json()).period.end_date
    const entered = await writer.send("PUT", `/api/account/journal/${date}`, {
      answers: [
        { factor: "alcohol", answer: true, value: 2 },
        { factor: "own:cold plunge", title: "Cold plunge", answer: false },
      ],
      note: NOTE,
    })
    expect(entered.status).toBe(200)
  })

  test("is in get_journal with its numbers and its source", async () => {
    const { access_token } = await connectAssistant(service, writer)
    const { content, structuredContent } = await callTool(service, access_token, "get_journal", { days: 7 })
    expect(structuredContent).toMatchObject({
      records: [
        { date, factor: "alcohol", answer: true, value: 2, source: "restwell" },
        { date, factor: "own:cold_plunge", answer: false, source: "restwell" },
      ],
      questions: { alcohol: "Alcohol", "own:cold_plunge": "Cold plunge" },
    })
    expect(content[0]?.text).toContain(`${date} restwell: alcohol yes 2, own:cold_plunge no`)
  })

  test("is in no answer without the scope of the journal, and the note is in none at all", async () => {
    const calls = async (token: string) => {
      const { tools } = ToolsSchema.parse((await messageOf(await callConnector(service, token, "tools/list"))).result)
      const day = { id: `day:${date}` }
      const inputs: Record<string, object> = { fetch: day, search: { query: "alcohol" }, ...INSIGHTS }
      const answers = tools.map(({ name }) => callTool(service, token, name, inputs[name] ?? {}))
      const resource = callConnector(service, token, "resources/read", { uri: `restwell://day/${date}` })
      return JSON.stringify(await Promise.all([...answers, resource.then(messageOf)]))
    }
    const whole = await connectAssistant(service, writer)
    const listed = await calls(whole.access_token)
    expect(listed).toContain("cold_plunge")
    expect(listed).not.toContain("private thought")
    const limited = await connectAssistant(service, writer, { choice: { scopes: WITHOUT } })
    expect(await calls(limited.access_token)).not.toMatch(/cold.plunge|private thought|restwell"/i)
  })
})

const INSIGHTS = {
  get_trend: { metric: "hrv" },
  compare_periods: { metric: "hrv" },
  find_relations: { outcome: "hrv" },
} as const
const ToolsSchema = z.object({ tools: z.array(z.object({ name: z.string() })) })

test("without its scope the journal is refused, and no other tool, resource or document has an answer of it", async () => {
  const { access_token } = await connectAssistant(service, member, { choice: { scopes: WITHOUT } })
  const refused = await callTool(service, access_token, "get_journal")
  expect(refused.isError).toBe(true)
  expect(refused.content[0]?.text).toMatch(/^forbidden: the person does not share the journal with this assistant/)
  const { records } = await readJournal("days=7")
  const day = { id: `day:${records[0]?.date}` }
  for (const read of [
    callTool(service, access_token, "fetch", day),
    callTool(service, access_token, "search", { query: "alcohol" }),
    callTool(service, access_token, "get_summary"),
    callConnector(service, access_token, "resources/read", { uri: `restwell://day/${records[0]?.date}` }).then(
      messageOf,
    ),
  ])
    expect(JSON.stringify(await read)).not.toMatch(/alcohol|caffeine|screen_in_bed/)
})

test("a client that did not request the scope learns which one it needs", async () => {
  const { access_token } = await connectAssistant(service, member, {
    scope: "sleep:read",
    choice: { scopes: ["sleep:read"] },
  })
  const answer = await callConnector(service, access_token, "tools/call", { name: "get_journal", arguments: {} })
  expect(answer.status).toBe(403)
  expect(answer.headers.get("www-authenticate")).toMatch(/scope="(?=[^"]*sleep:read)(?=[^"]*journal:read)/)
})

test("the consent page leaves the journal unchecked until the person has allowed it", async () => {
  const client = await register(service)
  const ticked = async () => {
    const browser = new Browser(member)
    const consent = await openConsent(service, browser, authorizationRequest(service, { client_id: client.client_id }))
    const page = await (await browser.get(consent)).text()
    return [...page.matchAll(/name="scope" value="([^"]+)" checked/g)].map(([, scope]) => scope)
  }
  expect(await ticked()).toEqual(TICKED)
  await connectAssistant(service, member, { client, choice: { scopes: WITHOUT } })
  expect(await ticked()).toEqual(WITHOUT)
  await connectAssistant(service, member, { client })
  expect(await ticked()).toEqual(ALL_SCOPES.split(" "))
})
