/*
 * Edits of recent records, as by members and WHOOP's support. A sync lists 10 days again, so edits stay within the last 8.
 */
import type { Simulator, WireRecords, WireSleep } from "@restwell/simulator"
import { Chart, instantOf } from "./chart.ts"
import type { Member } from "./members.ts"
import { SPORT_NAMES } from "./sports.ts"

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const EDITED_DAYS = 8
const NOBODY = "0d6d6ed6-9a5f-4f0b-8a55-5d8f3c4c7e11"

/** Offsets in use anywhere, from the last to the first clock of the world, in all the ways WHOOP writes one. */
const OFFSETS = ["+14:00", "-12:00", "Z", "+00:00", "+05:45", "-03:30", "+12:45", "-09:30", "+01:00", "-05:00"]

/** An edit draws whole numbers from 0 to below a bound, the same ones for the same seed. */
export type Draw = (bound: number) => number

interface Desk {
  readonly simulator: Simulator
  readonly member: Member
  readonly draw: Draw
  readonly recent: Pick<WireRecords, "sleeps" | "recoveries" | "workouts" | "cycles">
}

/** Each makes one change and says whether there was something to change. */
export const EDITS = {
  "moves a sleep": (desk) => moved(desk, "sleep", pick(desk, desk.recent.sleeps)),
  "moves a workout": (desk) => moved(desk, "workout", pick(desk, desk.recent.workouts)),
  "moves the start of a cycle": (desk) =>
    patched(desk, "cycle", pick(desk, desk.recent.cycles), ({ start }) => ({
      start: later(start, shift(desk, start)),
    })),
  "moves the end of a sleep": (desk) =>
    patched(desk, "sleep", pick(desk, desk.recent.sleeps), ({ end }) => ({
      end: later(end, 1 + desk.draw(3 * HOUR_MS)),
    })),
  "gives a sleep another offset": (desk) => patched(desk, "sleep", pick(desk, desk.recent.sleeps), () => offset(desk)),
  "gives a workout another offset": (desk) =>
    patched(desk, "workout", pick(desk, desk.recent.workouts), () => offset(desk)),
  "gives a cycle another offset": (desk) => patched(desk, "cycle", pick(desk, desk.recent.cycles), () => offset(desk)),
  "gives the newest night and its cycle another offset": (desk) => {
    const night = desk.recent.sleeps.find(({ nap }) => !nap)
    const cycle = desk.recent.cycles.find(({ id }) => id === night?.cycle_id)
    return patched(desk, "sleep", night, () => offset(desk)) && patched(desk, "cycle", cycle, () => offset(desk))
  },
  "makes a nap of a night, or a night of a nap": (desk) =>
    patched(desk, "sleep", pick(desk, desk.recent.sleeps), ({ nap }) => ({ nap: !nap })),
  "moves a sleep to another cycle": (desk) =>
    patched(desk, "sleep", pick(desk, desk.recent.sleeps), ({ cycle_id }) => ({
      cycle_id: pick(desk, desk.recent.cycles)?.id ?? cycle_id,
    })),
  "scores a sleep again": (desk) => patched(desk, "sleep", scored(desk, desk.recent.sleeps), () => sleepScore(desk)),
  "scores a recovery again": (desk) =>
    patched(desk, "recovery", scored(desk, desk.recent.recoveries), () => recoveryScore(desk)),
  "scores a cycle again": (desk) =>
    patched(desk, "cycle", scored(desk, desk.recent.cycles), () => ({
      score: { strain: desk.draw(420) / 20, kilojoule: 4.184 * (2000 + desk.draw(2000) / 2) },
    })),
  "takes the score of a sleep": (desk) =>
    patched(desk, "sleep", scored(desk, desk.recent.sleeps), () => withoutScore(desk)),
  "takes the score of a recovery": (desk) =>
    patched(desk, "recovery", scored(desk, desk.recent.recoveries), () => withoutScore(desk)),
  "takes the score of a workout": (desk) =>
    patched(desk, "workout", scored(desk, desk.recent.workouts), () => withoutScore(desk)),
  "takes the score of a cycle": (desk) =>
    patched(desk, "cycle", scored(desk, desk.recent.cycles), () => withoutScore(desk)),
  "forgets the temperature of a recovery": (desk) =>
    patched(desk, "recovery", scored(desk, desk.recent.recoveries), () => ({ score: { skin_temp_celsius: null } })),
  "renames a workout": (desk) =>
    patched(desk, "workout", pick(desk, desk.recent.workouts), () => ({
      sport_name: SPORT_NAMES[desk.draw(SPORT_NAMES.length)],
    })),
  "measures a workout again": (desk) =>
    patched(desk, "workout", scored(desk, desk.recent.workouts), () => ({
      score: {
        distance_meter: desk.draw(3) ? desk.draw(400_000) / 20 : null,
        kilojoule: 4.184 * (desk.draw(4000) / 2),
      },
    })),
  "takes the sleep of a recovery": (desk) =>
    patched(desk, "recovery", pick(desk, desk.recent.recoveries), () => ({ sleep_id: NOBODY })),
  "deletes a sleep": (desk) => deleted(desk, "sleep", pick(desk, desk.recent.sleeps)),
  "deletes a recovery": (desk) => deleted(desk, "recovery", pick(desk, desk.recent.recoveries)),
  "deletes a workout": (desk) => deleted(desk, "workout", pick(desk, desk.recent.workouts)),
  "deletes a cycle": (desk) => deleted(desk, "cycle", pick(desk, desk.recent.cycles)),
  "deletes the cycle of a recovery without a sleep": orphaned,
  "adds a nap that was forgotten": added,
} satisfies Record<string, (desk: Desk) => boolean>

export type EditName = keyof typeof EDITS
export const EDIT_NAMES = Object.keys(EDITS).filter((name): name is EditName => name in EDITS)

/** Makes one change to a person's records of the last days. Returns false when they have none of the kind. */
export function edit(simulator: Simulator, member: Member, name: EditName, draw: Draw): boolean {
  const raw = simulator.records(member.person)
  const chart = new Chart(raw)
  const since = simulator.clock.nowMs() - EDITED_DAYS * DAY_MS
  const isRecent = (record: { start: string }) => instantOf(record.start) > since
  const recent = {
    sleeps: raw.sleeps.filter(isRecent),
    recoveries: raw.recoveries.filter((recovery) => chart.momentOf(recovery) > since),
    workouts: raw.workouts.filter(isRecent),
    cycles: raw.cycles.filter(isRecent),
  }
  return EDITS[name]({ simulator, member, draw, recent })
}

type Kind = "sleep" | "recovery" | "workout" | "cycle"
type Identified = { id: string | number } | { cycle_id: number; sleep_id: string }

const idOf = (record: Identified): string | number => ("id" in record ? record.id : record.cycle_id)

function pick<Item>({ draw }: Desk, items: readonly Item[]): Item | undefined {
  return items.length === 0 ? undefined : items[draw(items.length)]
}

function scored<Item extends { score_state: string }>(desk: Desk, items: readonly Item[]): Item | undefined {
  return pick(
    desk,
    items.filter((item) => item.score_state === "SCORED"),
  )
}

function patched<Item extends Identified>(
  { simulator, member }: Desk,
  kind: Kind,
  record: Item | undefined,
  patchFor: (record: Item) => object,
): boolean {
  if (!record) return false
  simulator.edit[kind].patch(member.person, idOf(record), patchFor(record))
  return true
}

function deleted({ simulator, member }: Desk, kind: Kind, record: Identified | undefined): boolean {
  if (!record) return false
  simulator.edit[kind].delete(member.person, idOf(record))
  return true
}

const later = (instant: string, byMs: number): string => new Date(instantOf(instant) + byMs).toISOString()

/** Up to 15 hours either way, to the millisecond, so that no two records start together; and nothing moves into the future. */
function shift({ draw, simulator }: Desk, latest: string): number {
  return Math.min(draw(30 * HOUR_MS) - 15 * HOUR_MS, simulator.clock.nowMs() - instantOf(latest) - draw(HOUR_MS))
}

function moved(desk: Desk, kind: "sleep" | "workout", record: { id: string; start: string; end: string } | undefined) {
  if (!record) return false
  const byMs = shift(desk, record.end)
  return patched(desk, kind, record, ({ start, end }) => ({ start: later(start, byMs), end: later(end, byMs) }))
}

const offset = ({ draw }: Desk): object => ({ timezone_offset: OFFSETS[draw(OFFSETS.length)] })

/** WHOOP keeps the old score, or writes null. */
const withoutScore = ({ draw }: Desk): object => ({
  score_state: draw(2) ? "UNSCORABLE" : "PENDING_SCORE",
  ...(draw(2) && { score: null }),
})

/** Values exactly between two rounded ones, which show how they are rounded. */
function sleepScore({ draw }: Desk): object {
  const halfOfHundredthHour = () => 36_000 * draw(300) + 18_000
  return {
    score: {
      stage_summary: {
        total_in_bed_time_milli: halfOfHundredthHour() + 4 * HOUR_MS,
        total_awake_time_milli: halfOfHundredthHour(),
        total_light_sleep_time_milli: halfOfHundredthHour(),
        total_slow_wave_sleep_time_milli: halfOfHundredthHour(),
        total_rem_sleep_time_milli: halfOfHundredthHour(),
      },
      respiratory_rate: 10 + draw(200) / 20,
      sleep_performance_percentage: draw(2001) / 20,
      sleep_consistency_percentage: draw(2001) / 20,
      sleep_efficiency_percentage: draw(2001) / 20,
      sleep_needed: {
        baseline_milli: halfOfHundredthHour() + 6 * HOUR_MS,
        need_from_sleep_debt_milli: 36_000 * draw(200),
        need_from_recent_strain_milli: 36_000 * draw(100),
        need_from_recent_nap_milli: -36_000 * draw(200),
      },
    },
  }
}

function recoveryScore({ draw }: Desk): object {
  return {
    score: {
      recovery_score: draw(2001) / 20,
      resting_heart_rate: 40 + draw(80) / 2,
      hrv_rmssd_milli: 20 + draw(2000) / 20,
      spo2_percentage: 90 + draw(200) / 20,
      skin_temp_celsius: 30 + draw(80) / 20,
    },
  }
}

function orphaned(desk: Desk): boolean {
  const { recent } = desk
  const orphan = recent.recoveries.find(({ cycle_id }) => recent.cycles.some(({ id }) => id === cycle_id))
  if (!orphan) return false
  patched(desk, "recovery", orphan, () => ({ sleep_id: NOBODY }))
  return deleted(desk, "cycle", { id: orphan.cycle_id })
}

function added(desk: Desk): boolean {
  const { simulator, member, draw } = desk
  const nowMs = simulator.clock.nowMs()
  const model = pick(
    desk,
    desk.recent.sleeps.filter(({ end }) => instantOf(end) < nowMs - 4 * HOUR_MS),
  )
  if (!model) return false
  const now = new Date(nowMs).toISOString()
  const start = later(model.end, HOUR_MS + draw(HOUR_MS))
  const nap: WireSleep = {
    ...model,
    id: NOBODY.replace("7e11", String(1000 + draw(9000))),
    nap: true,
    start,
    end: later(start, 20 * 60_000 + draw(HOUR_MS)),
    created_at: now,
    updated_at: now,
  }
  simulator.edit.sleep.put(member.person, nap)
  return true
}
