/** The people and the clock that one or several simulated vendors share. */
import { SimulatedClock } from "./clock/clock.ts"
import type { WorldOptions } from "./options.ts"
import { addDefaultPeople, People } from "./people/people.ts"

export interface World {
  readonly clock: SimulatedClock
  readonly people: People
}

export function createWorld(options: WorldOptions): World {
  const clock = new SimulatedClock(options.now ?? "system", options.ticking)
  const people = new People({
    seed: seedOf(options),
    nowMs: () => clock.nowMs(),
    days: options.days ?? 365,
    fromMs: options.historyFrom?.getTime(),
    wearsAlways: options.wearsAlways ?? false,
  })
  if (options.defaultPeople !== false) addDefaultPeople(people)
  return { clock, people }
}

export const seedOf = ({ seed }: Pick<WorldOptions, "seed">): string => String(seed ?? 1)
