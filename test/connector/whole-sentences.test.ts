// Whatever a vendor leaves out of its records, no text of the connector says null, and none has a place without its value.
import { RECORD_SCHEMAS } from "@restwell/providers"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"

let service: TestService
let member: Member
let token: string
let records: readonly z.infer<typeof StoredSchema>[]

const KINDS = ["sleep", "recovery", "workout", "cycle"] as const
const StoredSchema = z.object({
  provider_id: z.string(),
  kind: z.enum(KINDS),
  detail: z.record(z.string(), z.unknown()),
  deviation: z.number().nullable(),
})

beforeAll(async () => {
  service = await startTestService({ days: 60, now: new Date("2026-11-18T17:00:00Z"), isStill: true })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
  token = (await connectAssistant(service, member)).access_token
  const { rows } = await service.store.pool.query(
    "select provider_id, kind, detail, skin_temp_deviation as deviation from restwell.record order by date desc, started_at desc",
  )
  records = z.array(StoredSchema).parse(rows)
})
afterAll(() => service.close())

/** Figures that a record may lack. */
const optionalOf = (kind: (typeof KINDS)[number]): string[] => {
  const { shape } = RECORD_SCHEMAS[kind]
  return Object.entries(shape).flatMap(([name, schema]) =>
    z.object({ [name]: schema }).safeParse({}).success ? [name] : [],
  )
}

/** For each kind, which figures its records lack, and the parts of those that have parts. */
const lackingOf = fc.record(
  Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      fc.record({
        names: fc.subarray(optionalOf(kind)),
        state: fc.constantFrom("scored", "pending", "unscorable"),
        hasRem: fc.boolean(),
      }),
    ]),
  ),
)

type Lacking = typeof lackingOf extends fc.Arbitrary<infer Value> ? Value : never

/** How many newest records of a kind. */
const NEWEST = 3

/** Stores the records without these figures: the newest ones, or all. */
async function store(lacking: Lacking, isOfAll: boolean): Promise<void> {
  const seen = new Map<string, number>()
  const rows = records.map((record) => {
    const { kind, detail } = record
    const nth = (seen.get(kind) ?? 0) + 1
    seen.set(kind, nth)
    if (!isOfAll && nth > NEWEST) return { ...record, state: detail["scoreState"] }
    const { names = [], state = "scored", hasRem = true } = lacking[kind] ?? {}
    const known = Object.fromEntries(Object.entries(detail).filter(([name]) => !names.includes(name)))
    const { remMs: _, ...withoutRem } = z.record(z.string(), z.unknown()).parse(known["stages"] ?? {})
    const stages = "stages" in known && !hasRem ? { stages: withoutRem } : {}
    const deviation = "skinTempCelsius" in known ? record.deviation : null
    return { ...record, deviation, detail: { ...known, ...stages, scoreState: state }, state }
  })
  await service.store.pool.query(
    `update restwell.record r set detail = o.detail, score_state = o.state,
       skin_temp_deviation = o.deviation
     from json_to_recordset($1::json) as o (provider_id text, kind text, detail json, state text, deviation float8)
     where r.provider_id = o.provider_id and r.kind = o.kind`,
    [JSON.stringify(rows)],
  )
  await service.store.pool.query("update restwell.person set data_version = data_version + 1")
}

const DocumentSchema = z.object({ text: z.string() })
const ResultsSchema = z.object({ results: z.array(z.object({ title: z.string() })) })

/** The sentences of a result. Those of documents and of found days are inside of JSON. */
function textOf({ content, structuredContent }: Awaited<ReturnType<typeof callTool>>): string {
  const document = DocumentSchema.safeParse(structuredContent)
  if (document.success) return document.data.text
  const found = ResultsSchema.safeParse(structuredContent)
  return found.success ? found.data.results.map(({ title }) => title).join("\n") : (content[0]?.text ?? "")
}

/** Nothing of any date but the blood oxygen. */
const ONLY_SPO2: Lacking = Object.fromEntries(
  KINDS.map((kind) => [
    kind,
    {
      names: optionalOf(kind).filter((name) => name !== "spo2Percent"),
      state: kind === "recovery" ? "scored" : "unscorable",
      hasRem: true,
    },
  ]),
)

/** What no sentence has. */
const FAULTS = [
  /\b(?:null|undefined|NaN|Infinity)\b|\[object/,
  // A place without its value.
  /,\s*,| ,|\(\s*\)|:\s*[,;.)]|[,;]\s*$/m,
  // A heading without a line.
  /:\s*(?:\n\s*\n|\n(?:Far|Strain|From) |$(?![\s\S]))/,
  / {2}|\bof\s*$|\bzones\s*(?:$|from)/m,
]

test("no figure that is missing leaves a null or an empty place in the text of today, a day, a list or a summary", async () => {
  await fc.assert(
    fc.asyncProperty(lackingOf, fc.boolean(), fc.integer({ min: 0, max: 4 }), async (lacking, isOfAll, ago) => {
      await store(lacking, isOfAll)
      const date = Temporal.PlainDate.from("2026-11-18").subtract({ days: ago }).toString()
      for (const [name, input] of [
        ["get_today", {}],
        ["fetch", { id: `day:${date}` }],
        ["get_summary", { days: 5 }],
        ["get_signs", { days: 5 }],
        ["get_sports", { days: 60 }],
        ["search", { query: "last week" }],
      ] as const) {
        const text = textOf(await callTool(service, token, name, input))
        expect(text.length, name).toBeGreaterThan(20)
        for (const fault of FAULTS) expect(fault.exec(text)?.[0], `${name}: ${text}`).toBeUndefined()
      }
    }),
    { numRuns: 8, examples: [[ONLY_SPO2, true, 0]] },
  )
}, 120_000)
