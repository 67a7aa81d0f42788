import type { Urgency } from "@restwell/core"

const ORDER: Readonly<Record<Urgency, number>> = { now: 0, later: 1, history: 2 }

/** Takes turns as the service's queue does: each person once at a time, the urgent first, so many at a time. */
export function createTurns(workers: number) {
  const waiting = new Map<string, Urgency>()
  const running = new Set<string>()
  const next = (): string | undefined =>
    [...waiting.entries()]
      .filter(([person]) => !running.has(person))
      .toSorted(([, one], [, other]) => ORDER[one] - ORDER[other])
      .at(0)?.[0]
  return {
    ask(person: string, urgency: Urgency): void {
      const asked = waiting.get(person)
      if (asked === undefined || ORDER[urgency] < ORDER[asked]) waiting.set(person, urgency)
    },
    isAnyoneWaiting: () => waiting.size > 0,
    /** Until nobody waits any more. */
    async run(turn: (person: string) => Promise<void>): Promise<void> {
      const worker = async () => {
        for (let person = next(); person !== undefined; person = next()) {
          waiting.delete(person)
          running.add(person)
          await turn(person).finally(() => running.delete(person))
        }
      }
      await Promise.all(Array.from({ length: workers }, worker))
    },
  }
}
