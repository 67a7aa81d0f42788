import type { Urgency } from "@restwell/core"

const ORDER: Readonly<Record<Urgency, number>> = { now: 0, later: 1, history: 2 }

/** Orders jobs like the queue of the service: one job per person at a time, urgent ones first, and a fixed number of workers. */
export function createJobQueue(workers: number) {
  const waiting = new Map<string, Urgency>()
  const running = new Set<string>()
  const next = (): string | undefined =>
    [...waiting.entries()]
      .filter(([userId]) => !running.has(userId))
      .toSorted(([, one], [, other]) => ORDER[one] - ORDER[other])
      .at(0)?.[0]
  return {
    request(userId: string, urgency: Urgency): void {
      const requested = waiting.get(userId)
      if (requested === undefined || ORDER[urgency] < ORDER[requested]) waiting.set(userId, urgency)
    },
    isAnyoneWaiting: () => waiting.size > 0,
    /** Runs jobs until none is waiting. */
    async run(job: (userId: string) => Promise<void>): Promise<void> {
      const worker = async () => {
        for (let userId = next(); userId !== undefined; userId = next()) {
          waiting.delete(userId)
          running.add(userId)
          await job(userId).finally(() => running.delete(userId))
        }
      }
      await Promise.all(Array.from({ length: workers }, worker))
    },
  }
}
