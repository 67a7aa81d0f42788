import { HOUR_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import type { StoredSleep, StoredWorkout } from "../store/stored-record.ts"
import { chooseSources } from "./choose.ts"
import { NO_PREFERENCES } from "./rank.ts"

const MIDNIGHT_MS = Date.parse("2026-11-20T00:00:00Z")

/** A main sleep in hours after midnight. */
function sleep(
  provider: string,
  from: number,
  to: number,
  { hasStages = true, ...change }: Partial<StoredSleep> & { readonly hasStages?: boolean } = {},
): StoredSleep {
  const [startMs, endMs] = [MIDNIGHT_MS + from * HOUR_MS, MIDNIGHT_MS + to * HOUR_MS]
  const durationMs = endMs - startMs
  return {
    kind: "sleep",
    provider,
    providerId: `${provider} ${from}`,
    fromArchive: provider === "phone" || provider === "garmin",
    date: new Date(endMs).toISOString().slice(0, 10),
    scoreState: "scored",
    updatedMs: endMs,
    utcOffsetMinutes: 0,
    startMs,
    endMs,
    isNap: false,
    durationMs,
    ...(hasStages && { stages: { lightMs: durationMs, deepMs: 0, remMs: 0, awakeMs: 0 } }),
    ...change,
  }
}

const WITHOUT_STAGES = { hasStages: false }
const inBedOnly = ({ stages: _, asleepMs: __, ...night }: StoredSleep): StoredSleep => night
const PREFERENCES = { ...NO_PREFERENCES, connected: ["phone", "whoop", "garmin", "oura"] }
const chosen = (facts: readonly StoredSleep[], preferences = PREFERENCES) =>
  chooseSources(facts, preferences).flatMap(({ fact, because }) => (because ? [[fact.providerId, because]] : []))

test.each([
  ["with stages", sleep("whoop", 0, 7.1)],
  ["without stages", sleep("whoop", 0, 7.1, { ...WITHOUT_STAGES, asleepMs: 6.5 * HOUR_MS })],
  ["that waits for its score", sleep("whoop", 0, 7.1, { ...WITHOUT_STAGES, scoreState: "pending" })],
])("a fragment does not answer beside a whole night %s", (_name, night) => {
  expect(chosen([sleep("phone", 1, 2.5), night])).toEqual([["whoop 0", "complete"]])
  // 60 % are a night, and nothing is a fragment of a time in bed without sleep.
  expect(chosen([sleep("oura", 0, 7.1 * 0.6), sleep("whoop", 0, 7.1)])).toEqual([["whoop 0", "default_order"]])
  expect(chosen([sleep("phone", 1, 2.5), { ...inBedOnly(night), scoreState: "scored" }])).toEqual([
    ["phone 1", "complete"],
  ])
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

test("a night that two sources date differently is chosen once", () => {
  const night = sleep("whoop", -8, -0.1)
  const copy = sleep("oura", -7.95, 0.1, { copyOf: "other" })
  expect(chosen([copy, night])).toEqual([["whoop -8", "only_one"]])
  const ring = sleep("oura", -7.95, 0.1)
  expect(chosen([ring, night])).toEqual([["whoop -8", "only_one"]])
  expect(chosen([ring, night], { ...PREFERENCES, order: { sleep: ["oura"] } })).toEqual([["oura -7.95", "only_one"]])
  // The night after is another one.
  expect(chosen([sleep("oura", 0.5, 7), night])).toEqual([
    ["oura 0.5", "only_one"],
    ["whoop -8", "only_one"],
  ])
})

test("a date whose own night is a part of another date's has the night of the next source", () => {
  const evening = sleep("whoop", -8, -0.1)
  const sameEvening = sleep("oura", -7.95, 0.1)
  const others = [sameEvening, evening, sleep("garmin", -7.9, 0.2)]
  const night = sleep("phone", 2, 7)
  expect(chosen([...others, night])).toEqual([
    ["whoop -8", "only_one"],
    ["phone 2", "only_one"],
  ])
  // The source of the evening has the night too, and another one has more of it.
  const choices = [{ type: "sleep" as const, date: "2026-11-20", provider: "oura" }]
  const order = { sleep: ["whoop", "garmin", "phone"] }
  const watch = sleep("garmin", 2.1, 7)
  expect(chosen([sameEvening, evening, watch, night], { ...PREFERENCES, order })).toEqual([
    ["whoop -8", "only_one"],
    ["garmin 2.1", "your_order"],
  ])
  // A night that the person chose is no part of another date's.
  expect(chosen([...others, night], { ...PREFERENCES, order, choices })).toEqual([["oura -7.95", "your_choice"]])
  // Where nothing else is left, the date has no night.
  expect(chosen(others)).toEqual([["whoop -8", "only_one"]])
})

test("what an app wrote on a phone is a copy where the person has the app's own source, and else a record like others", () => {
  const all = [sleep("phone", 0, 7, { copyOf: "oura" }), sleep("whoop", 0, 7)]
  const order = { sleep: ["phone"] }
  expect(chosen(all, { ...PREFERENCES, order })).toEqual([["whoop 0", "direct"]])
  expect(chosen(all, { ...PREFERENCES, order, connected: ["phone", "whoop"] })).toEqual([["phone 0", "your_order"]])
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

/** A workout of an hour, in hours after midnight. */
const workout = (provider: string, from: number, change: Partial<StoredWorkout> = {}): StoredWorkout => ({
  kind: "workout",
  provider,
  providerId: `${from}`,
  fromArchive: provider === "garmin",
  date: "2026-11-20",
  scoreState: "scored",
  updatedMs: MIDNIGHT_MS,
  utcOffsetMinutes: 0,
  startMs: MIDNIGHT_MS + from * HOUR_MS,
  endMs: MIDNIGHT_MS + (from + 1) * HOUR_MS,
  durationMs: HOUR_MS,
  sportType: "running",
  countsAsWorkout: true,
  ...change,
})

test.each<readonly [string, Partial<StoredWorkout>, Partial<StoredWorkout>]>([
  ["a copy", {}, { copyOf: "other" }],
  ["one that assistants must not get", { copyOf: "other" }, { copyOf: "other", assistants: false }],
  ["a copy that assistants may get", { assistants: false }, { copyOf: "other" }],
])(
  "of a workout that Google Health has several times, %s does not answer, whichever began first",
  (_what, kept, left) => {
    const of = (providerId: string, from: number, change: Partial<StoredWorkout>) =>
      workout("google_health", from, { providerId, ...change })
    for (const apart of [-0.01, 0, 0.01]) {
      const facts = [of("left", 6 + apart, left), of("kept", 6, kept)]
      const elsewhere = workout("whoop", 12)
      for (const each of [facts, facts.toReversed(), [...facts, elsewhere]]) {
        const choices = chooseSources(each, PREFERENCES).filter(({ fact }) => fact.provider === "google_health")
        const answering = choices.flatMap(({ fact, because }) => (because ? [fact.providerId] : []))
        expect(answering).toEqual(["kept"])
      }
    }
  },
)

test.each([0, 0.5, 1, 9, 23])(
  "a workout that names its record at another source is that one, %d hours apart",
  (apart) => {
    const watch = workout("garmin", 0)
    const synced = workout("intervals", apart, { sameAs: "garmin-0" })
    const [first] = chooseSources([watch, synced], PREFERENCES).filter(({ because }) => because)
    for (const facts of [
      [watch, synced],
      [synced, watch],
    ])
      expect(chooseSources(facts, PREFERENCES).filter(({ because }) => because)).toEqual([first])
    // Another id, or the id at another source, says nothing.
    for (const sameAs of ["garmin-1", "oura-0", "garmin-00"])
      expect(chooseSources([watch, { ...synced, sameAs }], PREFERENCES).filter(({ because }) => because)).toHaveLength(
        apart < 0.5 ? 1 : 2,
      )
  },
)
