import type { Clock } from "../base/calendar.ts"
import { tooManyAtATime } from "../context/limit-at-a-time.ts"

/** Pushes of one person at a time. */
const MOST = 2
/** Phones do not come back, so the next ones wait. More of them than a phone sends are refused at once. */
const MOST_WAITING = 18
const LONGEST_WAIT_MS = 20_000
const RETRY_AFTER_SECONDS = 5

interface PushTurnsOptions {
  readonly clock: Clock
  /** Resolves after that many milliseconds of real time. It must not keep the process from ending. */
  readonly wait: (milliseconds: number) => Promise<void>
}

/** Lets two pushes of a person be stored at a time, in this process. */
export interface PushTurns {
  /** Waits for a turn, in the order of the calls. Returns what ends it. @throws {TooManyRequests} when none comes */
  begin(userId: string): Promise<() => void>
}

interface Person {
  running: number
  readonly waiting: (() => void)[]
}

export function pushTurns({ clock, wait }: PushTurnsOptions): PushTurns {
  const people = new Map<string, Person>()
  const end = (userId: string, person: Person) => {
    const next = person.waiting.shift()
    if (next) return next()
    person.running -= 1
    if (person.running === 0) people.delete(userId)
  }
  const refusal = () => tooManyAtATime({ what: "pushes", most: MOST, retryAfterSeconds: RETRY_AFTER_SECONDS, clock })
  return {
    async begin(userId) {
      const person = people.getOrInsertComputed(userId, () => ({ running: 0, waiting: [] }))
      if (person.running < MOST) person.running += 1
      else {
        if (person.waiting.length >= MOST_WAITING) throw refusal()
        const { promise: turn, resolve } = Promise.withResolvers<true>()
        const take = () => resolve(true)
        person.waiting.push(take)
        const hasTurn = await Promise.race([turn, wait(LONGEST_WAIT_MS).then(() => false)])
        if (!hasTurn) {
          person.waiting.splice(person.waiting.indexOf(take), 1)
          throw refusal()
        }
      }
      let isRunning = true
      return () => {
        if (isRunning) end(userId, person)
        isRunning = false
      }
    },
  }
}
