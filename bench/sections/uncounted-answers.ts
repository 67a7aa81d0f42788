import { generateApiKey } from "@restwell/core"
import { capture } from "../measuring/capture.ts"
import { compare } from "../measuring/compare.ts"
import { comparedTo } from "../measuring/comparison.ts"
import { inTurn } from "../measuring/load.ts"
import { bytesOf, readOf } from "../measuring/requests.ts"
import { openTable } from "../measuring/table.ts"
import { type Bench, ninetyNights } from "../targets/bench.ts"
import { MONTHLY_REQUESTS } from "../targets/bench-service.ts"
import { withClient } from "../targets/database.ts"
import { startLimit } from "../targets/limit.ts"
import { copyPeople, setUsed } from "../targets/people.ts"

const CONNECTIONS = 32

/** Answers without data: not modified, quota used up, unknown key. */
export async function uncountedAnswers(bench: Bench): Promise<void> {
  const { service, postgres, person } = bench
  const { port } = service
  const search = ninetyNights()
  const row = openTable(`Answers without data, ${CONNECTIONS} connections, ${postgres} PostgreSQL`, [
    "answer",
    "req/s",
    "p50 ms",
    "p99 ms",
    "of limit",
    "p99 of limit's",
  ])
  const cases = [
    { status: 304, request: readOf(person.key, search, { "if-none-match": await entityTag(bench, search) }) },
    { status: 429, request: readOf(await exhaustedKey(bench), search) },
    { status: 401, request: readOf(generateApiKey().text, search) },
  ]
  for (const { status, request } of cases) {
    await using limit = await startLimit(port, request, status)
    const load = { connections: CONNECTIONS, next: inTurn([bytesOf(request)]), status }
    const measured = await compare({ limit: { ...load, port: limit.port }, ours: { ...load, port } })
    row([`**Restwell, ${status}**`, ...comparedTo(measured.limit, measured.ours)])
    row(["limit: node:http, same bytes", ...comparedTo(measured.limit, measured.limit)])
  }
}

async function entityTag({ service, person }: Bench, search: string): Promise<string> {
  const { headers } = await capture(service.port, readOf(person.key, search))
  const at = headers.findIndex((name) => name.toLowerCase() === "etag")
  return headers[at + 1] ?? ""
}

/** The key of a person whose quota is used up. */
const exhaustedKey = ({ service, person }: Bench): Promise<string> =>
  withClient(service.database, async (client) => {
    const [exhausted] = await copyPeople(client, person, { prefix: "exhausted", count: 1, days: 0 })
    await setUsed(client, exhausted?.userId ?? "", MONTHLY_REQUESTS)
    return exhausted?.key ?? ""
  })
