import { HOUR_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import type { SleepFact } from "../store/statements/health-fact.ts"
import { chooseSources } from "./choose.ts"
import { NO_PREFERENCES } from "./rank.ts"

const MIDNIGHT_MS = Date.parse("2026-11-20T00:00:00Z")

/** A main sleep in hours after midnight. */
function sleep(provider: string, from: number, to: number, change: Partial<SleepFact> = {}): SleepFact {
  const [startMs, endMs] = [MIDNIGHT_MS + from * HOUR_MS, MIDNIGHT_MS + to * HOUR_MS]
  const durationMs = endMs - startMs
  return {
    kind: "sleep",
    provider,
    providerId: `${provider} ${from}`,
    fromArchive: provider === "phone" || provider === "garmin",
    date: new Date(endMs).toISOString().slice(0, 10),
    figures: "stages,",
    scoreState: "scored",
    device: null,
    utcOffsetMinutes: 0,
    startMs,
    endMs,
    startUtcOffsetMinutes: null,
    endUtcOffsetMinutes: null,
    isNap: false,
    durationMs,
    score: null,
    efficiency: null,
    consistency: null,
    respiratoryRate: null,
    needMs: null,
    stages: { lightMs: durationMs, deepMs: 0, remMs: 0, awakeMs: 0 },
    asleepMs: null,
    heartRate: null,
    ...change,
  }
}

const WITHOUT_STAGES = { figures: "", stages: null } as const
const PREFERENCES = { ...NO_PREFERENCES, connected: ["phone", "whoop", "garmin", "oura"] }
const chosen = (facts: readonly SleepFact[], preferences = PREFERENCES) =>
  chooseSources(facts, preferences).flatMap(({ fact, because }) => (because ? [[fact.providerId, because]] : []))

test.each([
  ["with stages", sleep("whoop", 0, 7.1)],
  ["without stages", sleep("whoop", 0, 7.1, { ...WITHOUT_STAGES, asleepMs: 6.5 * HOUR_MS })],
  ["that waits for its score", sleep("whoop", 0, 7.1, { ...WITHOUT_STAGES, scoreState: "pending" })],
])("a fragment does not answer beside a whole night %s", (_name, night) => {
  expect(chosen([sleep("phone", 1, 2.5), night])).toEqual([["whoop 0", "complete"]])
  // 60 % are a night, and nothing is a fragment of a time in bed without sleep.
  expect(chosen([sleep("oura", 0, 7.1 * 0.6), sleep("whoop", 0, 7.1)])).toEqual([["whoop 0", "default_order"]])
  expect(
    chosen([sleep("phone", 1, 2.5), { ...night, ...WITHOUT_STAGES, scoreState: "scored", asleepMs: null }]),
  ).toEqual([["phone 1", "complete"]])
})

test("sources are compared by whole nights: the parts of one are together no fragment", () => {
  const parts = [sleep("whoop", -2, 1), sleep("whoop", 2.5, 7)]
  expect(chosen([...parts, sleep("oura", -2, 7)])).toEqual([
    ["whoop -2", "default_order"],
    ["whoop 2.5", "default_order"],
  ])
})

test("a fragment of the next date's night is no night of its own date", () => {
  expect(chosen([sleep("phone", -2, -0.5), sleep("whoop", -2, 6)])).toEqual([["whoop -2", "only_one"]])
})

test("connections go before archives, archives before phones, and of equals the one that is there longest", () => {
  const all = ["phone", "garmin", "oura", "whoop"].map((provider) => sleep(provider, 0, 7))
  expect(chosen(all)).toEqual([["whoop 0", "default_order"]])
  expect(chosen(all, { ...PREFERENCES, connected: ["oura", "whoop"] })).toEqual([["oura 0", "default_order"]])
  expect(chosen(all.slice(0, 2))).toEqual([["garmin 0", "direct"]])
  expect(chosen(all, { ...PREFERENCES, order: { sleep: ["phone"] } })).toEqual([["phone 0", "your_order"]])
  const choices = [{ type: "sleep" as const, date: "2026-11-20", provider: "garmin" }]
  expect(chosen(all, { ...PREFERENCES, order: { sleep: ["phone"] }, choices })).toEqual([["garmin 0", "your_choice"]])
})
