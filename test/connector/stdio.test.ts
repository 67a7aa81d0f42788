import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { KeyResponseSchema } from "@restwell/client"
import { callConnector, connectAssistant, messageOf } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { reservePort } from "@restwell/testing/port"
import { programEnvironment, startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { newToken, pushed } from "../pushes/pusher.ts"
import { leanRecord } from "./lean-record.ts"

const PROGRAM = new URL("../../packages/server/bin/restwell.js", import.meta.url).pathname
const VERSIONS = [
  ["2025-11-25", "legacy"],
  ["2026-07-28", "auto"],
] as const
const HOUR_MS = 3_600_000
const UNKNOWN_KEY = `rw_${"a".repeat(43)}`

const ToolsSchema = z.object({ tools: z.array(z.looseObject({ name: z.string() })) })
const RecordsSchema = z.looseObject({ records: z.array(z.looseObject({ id: z.string() })) })
const TextSchema = z.object({ isError: z.boolean().optional(), content: z.tuple([z.object({ text: z.string() })]) })

let service: TestService
let member: Member
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 40 })
  const person = service.simulator.people.add({ email: "ada@example.com" })
  ;({ member, key } = await Member.connected(service, person))
})
afterAll(() => service.close())

interface Started {
  readonly mode?: "legacy" | "auto"
  readonly url?: string
  readonly apiKey?: string
}

/** Starts the command as a desktop program does: with the official client and only the two settings. */
async function connect({ mode = "legacy", url = service.url, apiKey = key }: Started = {}): Promise<Client> {
  const client = new Client({ name: "desktop", version: "1" }, { versionNegotiation: { mode } })
  const env = { ...programEnvironment(), RESTWELL_URL: url, RESTWELL_API_KEY: apiKey }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, "mcp"], env }))
  return client
}

const launch = (env: Readonly<Record<string, string>>, args: readonly string[] = []): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [PROGRAM, "mcp", ...args], { env: { ...programEnvironment(), ...env } })

describe.each(VERSIONS)("the command in protocol version %s", (version, mode) => {
  let client: Client
  beforeAll(async () => {
    client = await connect({ mode })
  })
  afterAll(() => client.close())

  test("negotiates that version, and lists the same tools as the connector", async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    const { access_token: token } = await connectAssistant(service, member)
    const connector = ToolsSchema.parse((await messageOf(await callConnector(service, token, "tools/list"))).result)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain("get_sleep")
    expect(tools).toEqual(connector.tools)
  })

  test("returns the summary of REST", async () => {
    const rest = await (await readHealth(service.url, key, "?type=summary&days=30")).json()
    const answer = await client.callTool({ name: "get_summary", arguments: { days: 30 } })
    const { missing, ...figures } = rest
    // What is missing is absent where nothing is.
    expect(missing).toEqual([])
    expect(answer.structuredContent).toEqual(figures)
    expect(rest.sleep.night_count).toBeGreaterThan(20)
  })

  test("returns the sleep records of REST, without their ids", async () => {
    const rest = RecordsSchema.parse(await (await readHealth(service.url, key, "?type=sleep&days=30")).json())
    const answer = await client.callTool({ name: "get_sleep", arguments: { days: 30 } })
    const records = rest.records.map((record) => leanRecord(record, "sleep"))
    const { sources: _, missing, ...list } = rest
    expect(missing).toEqual([])
    expect(answer.structuredContent).toEqual({ ...list, records })
    expect(records.length).toBeGreaterThan(20)
  })

  test("gives nothing of what vendors' terms keep from assistants", async () => {
    const started = Date.now() - 26 * HOUR_MS
    const row = { source: "Str\u00adava", start: new Date(started).toISOString() }
    const end = new Date(started + HOUR_MS).toISOString()
    const pusher = new Member(service)
    await pusher.signUp()
    const apiKey = await pusher.newKey()
    const { token } = await newToken(pusher)
    const records = [
      { ...row, type: "workout", end, value: "unicycling" },
      { ...row, type: "weight", value: 61.25, unit: "kg" },
    ]
    await pushed(service, { records }, { token })
    expect(await (await readHealth(service.url, apiKey, "?type=workout&days=7")).text()).toContain("unicycling")
    const assistant = await connect({ mode, apiKey })
    const answers = [
      await assistant.callTool({ name: "get_workouts", arguments: { days: 7, source: "all" } }),
      await assistant.callTool({ name: "get_sports", arguments: { days: 7 } }),
      await assistant.callTool({ name: "get_series", arguments: { type: "weight", days: 7 } }),
      await assistant.callTool({ name: "get_trend", arguments: { metric: "weight", days: 7 } }),
    ]
    await assistant.close()
    expect(answers.map(({ isError }) => isError)).toEqual(answers.map(() => undefined))
    expect(JSON.stringify(answers)).not.toMatch(/unicycling|61\.25/)
  })

  test("returns an error message for a wrong key", async () => {
    const stranger = await connect({ mode, apiKey: UNKNOWN_KEY })
    const answer = TextSchema.parse(await stranger.callTool({ name: "get_summary" }))
    await stranger.close()
    expect(answer.isError).toBe(true)
    expect(answer.content[0].text).toMatch(/^unauthorized: .*API key/)
    expect(answer.content[0].text).not.toContain(UNKNOWN_KEY)
  })

  test("returns an error message for what a key for a part does not open", async () => {
    const made = await member.send("POST", "/api/account/keys", { name: "Sleep", types: ["sleep"] })
    const part = await connect({ mode, apiKey: KeyResponseSchema.parse(await made.json()).api_key })
    const answer = TextSchema.parse(await part.callTool({ name: "get_recovery", arguments: {} }))
    expect(answer.isError).toBe(true)
    expect(answer.content[0].text).toMatch(/^forbidden: this key does not open recovery/)
    await part.close()
  })

  test("returns an error message on every call while the service is unreachable", async () => {
    using unused = reservePort()
    const disconnected = await connect({ mode, url: `http://localhost:${unused.port}` })
    for (const _call of [1, 2]) {
      const answer = TextSchema.parse(await disconnected.callTool({ name: "get_sleep" }))
      expect(answer.isError).toBe(true)
      expect(answer.content[0].text).toMatch(/^unavailable: Restwell is unavailable \(/)
    }
    await disconnected.close()
  })
})

const URL_MISTAKE = expect.stringMatching(
  /^- RESTWELL_URL (must be the address of your Restwell, like|must not contain a user name, password)/,
)
const KEY_MISTAKE = expect.stringMatching(/^- RESTWELL_API_KEY must be (your API key|rw_ followed by)/)

test.each<[string, Record<string, string>, unknown[]]>([
  ["no settings", {}, [URL_MISTAKE, KEY_MISTAKE]],
  ["empty settings", { RESTWELL_URL: "", RESTWELL_API_KEY: "" }, [URL_MISTAKE, KEY_MISTAKE]],
  ["no key", { RESTWELL_URL: "http://localhost:3000" }, [KEY_MISTAKE]],
  ["another key", { RESTWELL_URL: "http://localhost:3000", RESTWELL_API_KEY: "sk_secret" }, [KEY_MISTAKE]],
  ["a quoted key", { RESTWELL_URL: "http://localhost:3000", RESTWELL_API_KEY: 'rw_"secret"' }, [KEY_MISTAKE]],
  ["no address", { RESTWELL_API_KEY: UNKNOWN_KEY }, [URL_MISTAKE]],
  ["a bare host", { RESTWELL_URL: "localhost:3000", RESTWELL_API_KEY: UNKNOWN_KEY }, [URL_MISTAKE]],
  ["a query", { RESTWELL_URL: "http://localhost/?a=b", RESTWELL_API_KEY: UNKNOWN_KEY }, [URL_MISTAKE]],
  ["a password", { RESTWELL_URL: "http://a:secret@localhost", RESTWELL_API_KEY: UNKNOWN_KEY }, [URL_MISTAKE]],
])("with %s the command exits with 1 and prints a line for each mistake", async (_what, env, mistakes) => {
  const command = launch(env)
  const [output, errors, [code]] = await Promise.all([
    text(command.stdout),
    text(command.stderr),
    once(command, "exit"),
  ])
  expect([code, output]).toEqual([1, ""])
  const [head, ...lines] = errors.trimEnd().split("\n")
  expect(head).toMatch(/^restwell: the settings have (a mistake|\d mistakes):$/)
  expect(lines).toEqual(mistakes)
  expect(errors).not.toContain("secret")
})

test.each(["/api/mcp/oauth", "/api/mcp/oauth/"])(
  "with the connector's address (%s) it names the one it needs",
  async (path) => {
    const command = launch({ RESTWELL_URL: `https://restwell.example/base${path}`, RESTWELL_API_KEY: UNKNOWN_KEY })
    const [errors, [code]] = await Promise.all([text(command.stderr), once(command, "exit")])
    expect(code).toBe(1)
    expect(errors.trimEnd().split("\n").slice(1)).toEqual([
      "- RESTWELL_URL is the connector's address, which needs no key. This command needs https://restwell.example/base",
    ])
  },
)

test("writes only protocol messages to standard output, and exits with 0 at the end of standard input", async () => {
  using unused = reservePort()
  const command = launch({ RESTWELL_URL: `http://localhost:${unused.port}`, RESTWELL_API_KEY: key })
  const errors = text(command.stderr)
  const exit = once(command, "exit")
  const lines = createInterface(command.stdout)[Symbol.asyncIterator]()
  const replies: unknown[] = []
  const send = async (id: number, method: string, params: object): Promise<void> => {
    command.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    const { value } = await lines.next()
    replies.push(JSON.parse(String(value)))
  }
  const clientInfo = { name: "desktop", version: "1" }
  await send(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo })
  command.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\nthis is no message\n{"hello":1}\n')
  await send(2, "tools/call", { name: "get_sleep", arguments: {} })
  await send(3, "tools/call", { name: "get_sleep", arguments: { days: 1000 } })
  await send(4, "no/such/method", {})
  command.stdin.end()
  expect(await exit).toEqual([0, null])
  expect(await lines.next()).toEqual({ done: true, value: undefined })
  const answered = (id: number, part: "result" | "error") =>
    expect.objectContaining({ jsonrpc: "2.0", id, [part]: expect.anything() })
  expect(replies).toEqual([answered(1, "result"), answered(2, "result"), answered(3, "result"), answered(4, "error")])
  const log = await errors
  expect(log).toContain("could not answer a message")
  expect(log).not.toContain(key)
})
