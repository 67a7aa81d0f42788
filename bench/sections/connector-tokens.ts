import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { z } from "zod"
import { print } from "../measuring/print.ts"
import type { BenchAssistant } from "../targets/assistant.ts"
import type { BenchService } from "../targets/bench-service.ts"

interface Measured {
  readonly text: number
  readonly structured: number
  readonly sum: number
}

/** 30 days contain naps as well, but the limit is for nights. */
const NIGHTS = "get_sleep, nights"

/** Limits in tokens (o200k_base). An assistant reads the text, the structured form, or both. */
const LIMITS: readonly { tool: string; days: number; form: keyof Measured; limit: number }[] = [
  { tool: "get_summary", days: 7, form: "text", limit: 600 },
  { tool: "get_summary", days: 7, form: "structured", limit: 600 },
  { tool: "get_summary", days: 7, form: "sum", limit: 600 },
  { tool: NIGHTS, days: 30, form: "text", limit: 4_000 },
  { tool: NIGHTS, days: 30, form: "structured", limit: 4_000 },
]
const RANGES = [7, 30, 90] as const
const REST_TYPE_OF: Readonly<Record<string, string>> = {
  get_summary: "summary",
  get_sleep: "sleep",
  get_recovery: "recovery",
  get_workouts: "workout",
  get_cycles: "cycle",
}

/** Prints how many tokens the tools add to a conversation. Returns true if all are within the limits. */
export async function benchTokens(service: BenchService, assistant: BenchAssistant): Promise<boolean> {
  await printToolList(assistant)
  print(["answer, tokens", "text", "structured", "sum", "peer: REST", "of peer"])
  const measured = new Map<string, Measured>()
  for (const [tool, type] of Object.entries(REST_TYPE_OF))
    for (const days of RANGES) {
      const rest = await restTokens(service, `type=${type}&days=${days}`)
      measured.set(`${tool} ${days}`, await printAnswer(assistant, tool, { days }, rest))
    }
  measured.set(`${NIGHTS} 30`, await printNights(assistant, 30))
  await printAnswer(assistant, "get_profile", {}, await restTokens(service, "type=profile"))
  await printAnswer(assistant, "search", { query: "how was my sleep" })
  await printAnswer(assistant, "fetch", { id: "summary:30" })
  return printLimits(measured)
}

async function printToolList(assistant: BenchAssistant): Promise<void> {
  const tools = await assistant.tools()
  const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  print([`tools/list, ${tools.length} tools`, "tokens", "bytes"])
  for (const [what, value] of [
    ["the whole JSON", { tools }],
    ["name, description, inputSchema", seen],
  ] as const) {
    const json = JSON.stringify(value)
    print([`  ${what}`, countTokens(json), Buffer.byteLength(json)])
  }
}

async function printAnswer(assistant: BenchAssistant, tool: string, args: object, peer?: number): Promise<Measured> {
  const { content, structuredContent } = await assistant.call(tool, args)
  const text = countTokens(content[0].text)
  const structured = countTokens(JSON.stringify(structuredContent))
  const sum = text + structured
  const share = peer === undefined ? [] : [peer, `${((100 * sum) / peer).toFixed(0)} %`]
  print([`  ${tool} ${Object.values(args).join(" ")}`, text, structured, sum, ...share])
  return { text, structured, sum }
}

/** Prints the tokens of the newest nights, without naps. */
async function printNights(assistant: BenchAssistant, count: number): Promise<Measured> {
  const { content, structuredContent } = await assistant.call("get_sleep", { days: 60 })
  const { records, ...rest } = SleepSchema.parse(structuredContent)
  const nights = records.filter(({ is_nap: isNap }) => isNap === undefined).slice(0, count)
  const lines = content[0].text.split("\n")
  const ofNights = lines.slice(1, -1).filter((line) => !/ nap /.test(line))
  const text = countTokens([lines[0], ...ofNights.slice(0, count), lines.at(-1)].join("\n"))
  const structured = countTokens(JSON.stringify({ ...rest, records: nights, count: nights.length }))
  print([`  ${NIGHTS} ${nights.length}`, text, structured, text + structured])
  return { text, structured, sum: text + structured }
}

/** A list leaves out what is not so: a night has no `is_nap`. */
const SleepSchema = z.looseObject({ records: z.array(z.looseObject({ is_nap: z.literal(true).optional() })) })

async function restTokens({ url, key }: BenchService, search: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/health?${search}`, { headers: { authorization: `Bearer ${key}` } })
  if (!answer.ok) throw new Error(`REST answered ${answer.status}`)
  return countTokens(await answer.text())
}

function printLimits(measured: ReadonlyMap<string, Measured>): boolean {
  print(["limit", "tokens", "at most", ""])
  const kept = LIMITS.map(({ tool, days, form, limit }) => {
    const tokens = measured.get(`${tool} ${days}`)?.[form] ?? Number.NaN
    const isKept = tokens <= limit
    print([`  ${tool} ${days}, ${form}`, tokens, limit, isKept ? "kept" : "EXCEEDED"])
    return isKept
  })
  return !kept.includes(false)
}
