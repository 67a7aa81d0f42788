/* A phone that saw 90 minutes of a night does not answer for it beside a connected WHOOP, and the answers say why. */
import { SourceSettingsResponseSchema } from "@restwell/client"
import { enduranceAthlete } from "@restwell/simulator"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { newToken, pushed } from "../pushes/pusher.ts"

const FRAGMENT_MS = 90 * 60_000

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 10 })
})
afterAll(() => service.close())

interface Fragment {
  readonly start: string
  readonly end: string
  readonly token: string
}

/** A time on the clock of the night. */
function localText(ms: number, { end_local: clock }: { readonly end_local: string }): string {
  const offset = clock.slice(-6)
  const shiftMs = Date.parse(`1970-01-01T00:00:00${offset}`)
  return `${new Date(ms - shiftMs).toISOString().slice(0, 19)}${offset}`
}

const spaced = (text: string) => `${text.slice(0, 19).replace("T", " ")} ${text.slice(-6).replace(":", "")}`

test.each<[string, string, (fragment: Fragment) => Promise<unknown>]>([
  [
    "a plain push",
    "phone",
    ({ start, end, token }) =>
      pushed(service, { records: [{ type: "sleep_segment", start, end, value: "deep", source: "Watch" }] }, { token }),
  ],
  [
    "Health Auto Export",
    "apple_health",
    ({ start, end, token }) => {
      const part = { startDate: spaced(start), endDate: spaced(end), value: "Deep", qty: 1.5, source: "Watch" }
      const data = { metrics: [{ name: "sleep_analysis", units: "hr", data: [part] }] }
      return pushed(service, { data }, { token, path: "/api/ingest/health-auto-export" })
    },
  ],
])("%s of a fragment: WHOOP's night answers, and the record and Sources say why", async (_name, phone, bring) => {
  const { member, key } = await Member.connected(service, service.simulator.people.addOne({ traits: enduranceAthlete }))
  const read = async (search: string) => (await readHealth(service.url, key, search)).json()
  const before = await read("?type=sleep&days=10")
  // It begins on the evening before, so that 03:00 is well within it.
  const night = before.records.find(
    (record: { is_nap: boolean; asleep_hours: number | null; date: string; start_local: string }) =>
      !record.is_nap && (record.asleep_hours ?? 0) > 4 && !("night" in record) && record.start_local < record.date,
  )
  // Near 03:00, where a short sleep is no nap, and within the night, which may begin or end close to it.
  const within = [night.start_local, `${night.date}T03:00:00${night.end_local.slice(-6)}`, night.end_local].map(
    Date.parse,
  )
  const [begun = 0, threeMs = 0, ended = 0] = within
  const middleMs = Math.min(Math.max(threeMs, begun + FRAGMENT_MS), ended - FRAGMENT_MS)
  const { token } = await newToken(member)
  await bring({
    start: localText(middleMs - FRAGMENT_MS / 2, night),
    end: localText(middleMs + FRAGMENT_MS / 2, night),
    token,
  })

  const { records } = await read(`?type=sleep&start_date=${night.date}&end_date=${night.date}`)
  const mains = records.filter((record: { is_nap: boolean }) => !record.is_nap)
  expect(mains).toMatchObject([{ source: "whoop", asleep_hours: night.asleep_hours, chosen_because: "complete" }])
  const all = await read(`?type=sleep&start_date=${night.date}&end_date=${night.date}&source=all`)
  expect(all.records).toContainEqual(expect.objectContaining({ source: phone, asleep_hours: 1.5, chosen: false }))
  const summary = await read(`?start_date=${night.date}&end_date=${night.date}`)
  expect(summary.sleep).toMatchObject({ night_count: 1, average_asleep_hours: night.asleep_hours })

  const sources = SourceSettingsResponseSchema.parse(await (await member.send("GET", "/api/account/sources")).json())
  expect(sources.default_order).toEqual(["whoop", phone])
  const difference = sources.differences.find(({ type, date }) => type === "sleep" && date === night.date)
  expect(difference?.values).toMatchObject([
    { source: "whoop", chosen: true, chosen_because: "complete" },
    { source: phone, chosen: false, chosen_because: null, asleep_minutes: 90 },
  ])
})
