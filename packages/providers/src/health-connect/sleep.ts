// Sleep of Health Connect: sessions of apps, and the stages within them.
import { SLEEP_STAGES } from "@restwell/client"
import { HOUR_MS } from "@restwell/client/time-units"
import type { CollectedRows } from "../apple-health/collected-rows.ts"
import { UnreadableArchive } from "../archive/archive-items.ts"
import { numberIn } from "../archive/sqlite-file.ts"
import { isPlausibleInstant } from "../normalize/plausible.ts"
import type { AppSpan, AppTables } from "./app-tables.ts"
import { SLEEP_SESSIONS, SLEEP_STAGES_OF_SESSIONS, stageIndex } from "./wire.ts"

/** Some apps write one night as several sessions. @see https://github.com/home-assistant/android/issues/7353 */
const LONGEST_GAP_MS = HOUR_MS
/** More than anyone sleeps in a lifetime of wearing devices. */
const MOST_SESSIONS = 300_000

/** Adds all sleeps. @returns the sessions, by their start */
export function addSleeps(tables: AppTables, collected: CollectedRows): readonly AppSpan[] {
  const sessions: AppSpan[] = []
  const add = (table: string, { app, startMs, endMs }: Pick<AppSpan, "app" | "startMs" | "endMs">, value: number) => {
    const fault = collected.add({ type: "sleep", device: app, startMs, endMs, value })
    if (fault !== undefined) tables.ignore(table, fault)
    return fault === undefined
  }
  for (const session of tables.spans(SLEEP_SESSIONS, [])) {
    if (sessions.length >= MOST_SESSIONS)
      throw new UnreadableArchive(`the export has more than ${MOST_SESSIONS} sessions of sleep`)
    // What no stage covers is time in bed.
    if (session.endMs === session.startMs) tables.ignore(SLEEP_SESSIONS, "a session without a length")
    else if (add(SLEEP_SESSIONS, session, SLEEP_STAGES.indexOf("in_bed"))) {
      tables.addOwnOffsets(session)
      sessions.push(session)
    }
  }
  for (const gap of gapsOf(sessions)) add(SLEEP_SESSIONS, gap, SLEEP_STAGES.indexOf("awake"))
  const parent = { table: SLEEP_SESSIONS, numbers: ["row_id", "app_info_id"] }
  const numbers = ["stage_start_time", "stage_end_time", "stage_type"]
  for (const row of tables.database.rows(SLEEP_STAGES_OF_SESSIONS, { numbers, parent })) {
    const [startMs, endMs] = [numberIn(row, "stage_start_time"), numberIn(row, "stage_end_time")]
    const value = stageIndex(numberIn(row, "stage_type"))
    if (numberIn(row, "parent_row_id") === undefined) tables.ignore(SLEEP_STAGES_OF_SESSIONS, "without its session")
    else if (startMs === undefined || endMs === undefined || !isPlausibleInstant(new Date(startMs)))
      tables.ignore(SLEEP_STAGES_OF_SESSIONS, "without a time of this century")
    else if (value !== undefined)
      add(SLEEP_STAGES_OF_SESSIONS, { app: tables.appOf(numberIn(row, "parent_app_info_id")), startMs, endMs }, value)
  }
  return sessions.toSorted((one, other) => one.startMs - other.startMs)
}

/** The time between two sessions of one app that are one sleep: the person was awake. */
function* gapsOf(sessions: readonly AppSpan[]): Generator<Pick<AppSpan, "app" | "startMs" | "endMs">, void> {
  for (const [app, own] of Map.groupBy(sessions, (session) => session.app)) {
    let reachMs = Number.NEGATIVE_INFINITY
    for (const { startMs, endMs } of own.toSorted((one, other) => one.startMs - other.startMs)) {
      if (startMs > reachMs && startMs - reachMs <= LONGEST_GAP_MS) yield { app, startMs: reachMs, endMs: startMs }
      reachMs = Math.max(reachMs, endMs)
    }
  }
}

/** Whether a moment is within a sleep or up to an hour beside one. What is measured elsewhere is no part of a night. */
export function nearSleep(sessions: readonly AppSpan[]): (ms: number) => boolean {
  const spans: { readonly startMs: number; endMs: number }[] = []
  for (const session of sessions) {
    const [startMs, endMs] = [session.startMs - LONGEST_GAP_MS, session.endMs + LONGEST_GAP_MS]
    const last = spans.at(-1)
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs)
    else spans.push({ startMs, endMs })
  }
  return (ms) => {
    let [low, high] = [0, spans.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((spans[middle]?.startMs ?? 0) <= ms) low = middle + 1
      else high = middle
    }
    return ms <= (spans[low - 1]?.endMs ?? Number.NEGATIVE_INFINITY)
  }
}
