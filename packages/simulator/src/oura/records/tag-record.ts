/** Tags: what the ring's owner notes about a day. They agree with the person's plan, and a person forgets some. */
import { localInstantMs } from "../../model/calendar.ts"
import type { Life } from "../../model/life.ts"
import { type Random, randomFor } from "../../model/random.ts"
import type { SportName } from "../../model/traits.ts"
import { MINUTE_MS } from "../../model/units.ts"
import type { RecordHistory } from "../../world/collection.ts"
import type { RingDay } from "./ring.ts"
import { type WireTag, writeDay, writeLocal } from "./wire.ts"

interface NotedTag extends Pick<WireTag, "tag_type_code" | "custom_name"> {
  readonly atMs: number
  readonly comment?: string
}

/** Rest that people tag, because Oura does not list it as a workout. */
const RESTS: Readonly<Partial<Record<SportName, string>>> = {
  sauna: "tag_generic_sauna",
  "ice-bath": "tag_generic_coldshower",
  "massage-therapy": "tag_generic_massage",
}

/** Returns the tags of a day. */
export function tagHistories(life: Life, ring: RingDay): RecordHistory<WireTag>[] {
  return [...eveningTags(life, ring), ...bodyTags(life, ring), ...habitTags(life, ring)].map((noted, index) => {
    const id = randomFor(life.seed, "ring tag id", `${ring.day}/${index}`).uuid()
    const body: WireTag = {
      id,
      tag_type_code: noted.tag_type_code,
      start_time: writeLocal(ring.dayZone, noted.atMs),
      end_time: null,
      start_day: writeDay(ring.day),
      end_day: null,
      comment: noted.comment ?? null,
      custom_name: noted.custom_name,
    }
    return { key: id, versions: [{ fromMs: noted.atMs, build: () => body }] }
  })
}

function eveningTags(life: Life, ring: RingDay): NotedTag[] {
  const { eveningOut } = life.plan(ring.day)
  if (!eveningOut) return []
  const random = randomFor(life.seed, "ring tag", ring.day)
  const atMs = ring.endMs - 90 * MINUTE_MS
  return [
    ...(eveningOut.drinks >= 1 ? [{ ...drinkTag(random), atMs, comment: "with Tom at the old harbour" }] : []),
    ...(random.chance(0.5) ? [{ ...coded("tag_generic_lateMeal"), atMs: atMs - 5 * MINUTE_MS }] : []),
  ]
}

const drinkTag = (random: Random) =>
  random.chance(0.7) ? coded("tag_generic_alcohol") : { tag_type_code: "custom", custom_name: "Wine" }

/** Illness, with the pills against it, and menstruation. */
function bodyTags(life: Life, ring: RingDay): NotedTag[] {
  const { illness } = life.plan(ring.day)
  const { menstrualCycleDays } = life.traits.body
  const atMs = ring.wakeMs + 20 * MINUTE_MS
  return [
    ...(illness > 0.3 ? [{ ...coded("tag_generic_sick"), atMs }] : []),
    ...(illness > 0.6 ? [{ tag_type_code: "custom", custom_name: "Ibuprofen", atMs }] : []),
    ...(menstrualCycleDays !== undefined && ring.day % menstrualCycleDays === 0
      ? [{ ...coded("tag_generic_period"), atMs }]
      : []),
  ]
}

function habitTags(life: Life, ring: RingDay): NotedTag[] {
  const random = randomFor(life.seed, "ring tag of habits", ring.day)
  const drinksCoffee = randomFor(life.seed, "ring tag of coffee", 0).chance(0.7)
  const afternoon = localInstantMs(ring.dayZone, ring.day, 15 * 60)
  return [
    ...(drinksCoffee && random.chance(0.4)
      ? [{ ...coded("tag_generic_caffeine"), atMs: afternoon }]
      : random.chance(0.1)
        ? [{ ...coded("tag_generic_nocaffeine"), atMs: afternoon }]
        : []),
    ...ring.activities.flatMap(({ session, endMs }) => {
      const code = session && RESTS[session.sport]
      return code ? [{ ...coded(code), atMs: endMs }] : []
    }),
  ]
}

const coded = (code: string) => ({ tag_type_code: code, custom_name: null })
