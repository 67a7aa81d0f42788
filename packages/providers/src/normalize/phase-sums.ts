// Whether the phases of a sleep are those that its own sums tell of. Files are cut, and a night is read again while it goes on.
import { SLEEP_PHASES, type SleepPhase } from "../contract/records.ts"
import type { PhaseSpan } from "./derive.ts"

/** Part of a sleep that may be in other phases than its sums say. More is of another device, or of a sleep that was cut or edited. */
export const MOST_DIFFERENCE = 0.1

/** What a sleep tells of itself, milliseconds. What is missing says nothing. */
export interface OwnSums {
  readonly asleepMs?: number | undefined
  readonly phases?: Readonly<Partial<Record<SleepPhase, number | undefined>>> | undefined
}

/** True if neither the time asleep nor that of a phase is far from the sleep's own. @param lengthMs of the sleep */
export function areOfSums(spans: readonly PhaseSpan[], { asleepMs, phases = {} }: OwnSums, lengthMs: number): boolean {
  const msOf = (isCounted: (phase: SleepPhase) => boolean) =>
    spans.reduce((sum, { phase, startMs, endMs }) => sum + (isCounted(phase) ? endMs - startMs : 0), 0)
  const isNear = (ms: number, ownMs = ms) => Math.abs(ms - ownMs) <= lengthMs * MOST_DIFFERENCE
  return (
    isNear(
      msOf((phase) => phase !== "awake"),
      asleepMs,
    ) &&
    SLEEP_PHASES.every((phase) =>
      isNear(
        msOf((each) => each === phase),
        phases[phase],
      ),
    )
  )
}
