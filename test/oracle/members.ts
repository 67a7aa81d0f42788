/* The people whose answers are compared. Together they have every special case of docs/api.md. */
import { enduranceAthlete, officeWorker, type Person, type Traits } from "@restwell/simulator"
import type { World } from "@restwell/testing/world"
import fc from "fast-check"

export interface Member {
  readonly person: Person
  readonly userId: string
}

export const HISTORY_DAYS = 420

/** The person whose values are round numbers. */
export const COARSE = "coarse@example.com"

/** Lives in the first time zone of the world and travels to the last. Naps, and often does not wear the strap. */
const islander: Traits = {
  ...officeWorker,
  homeZone: "Pacific/Kiritimati",
  sleep: { ...officeWorker.sleep, napsPerWeek: 4 },
  life: {
    ...officeWorker.life,
    tripsPerYear: 8,
    destinations: ["Pacific/Pago_Pago", "Etc/GMT+12", "Pacific/Chatham"],
    chargingNights: 0.05,
    gapsPerYear: 8,
    unscorableNights: 0.06,
  },
}

/** Offsets with fractions of an hour, and a clock change of half an hour. */
const mountaineer: Traits = {
  ...enduranceAthlete,
  homeZone: "Australia/Lord_Howe",
  life: { ...enduranceAthlete.life, tripsPerYear: 7, destinations: ["Asia/Kathmandu", "America/St_Johns"] },
}

/** A strap without sensors for blood oxygen and skin temperature. */
const oldStrap: Traits = { ...officeWorker, homeZone: "America/Sao_Paulo", strapGeneration: 3 }

/** Rescores a whole history in round numbers: many means then lie exactly between two rounded values. */
function scoreCoarsely({ simulator }: World, person: Person): void {
  const { recoveries, sleeps, cycles } = simulator.records(person)
  const isScored = ({ score_state }: { score_state: string }) => score_state === "SCORED"
  const numbers = fc.sample(fc.nat({ max: 1_000_000 }), { seed: 1, numRuns: 5000 }).values()
  const between = (low: number, high: number, step: number) => {
    const steps = Math.round((high - low) / step)
    return Number((low + ((numbers.next().value ?? 0) % (steps + 1)) * step).toFixed(2))
  }
  for (const { cycle_id } of recoveries.filter(isScored))
    simulator.edit.recovery.patch(person, cycle_id, {
      score: {
        recovery_score: between(20, 99, 1),
        resting_heart_rate: between(48, 56, 0.5),
        hrv_rmssd_milli: between(60, 90, 0.1),
        skin_temp_celsius: between(33, 35, 0.1),
      },
    })
  for (const { id } of sleeps.filter(isScored))
    simulator.edit.sleep.patch(person, id, {
      score: {
        stage_summary: {
          total_in_bed_time_milli: between(25_200_000, 30_600_000, 18_000),
          // Together not more than the shortest time in bed.
          total_awake_time_milli: between(0, 1_800_000, 18_000),
          total_light_sleep_time_milli: between(9_000_000, 12_600_000, 18_000),
          total_slow_wave_sleep_time_milli: between(1_800_000, 5_400_000, 18_000),
          total_rem_sleep_time_milli: between(1_800_000, 5_400_000, 18_000),
        },
        sleep_performance_percentage: between(70, 100, 1),
        sleep_efficiency_percentage: between(85, 99, 0.1),
      },
    })
  for (const { id } of cycles.filter(isScored))
    simulator.edit.cycle.patch(person, id, { score: { strain: between(4, 20, 0.1) } })
}

/** Adds the people to the simulated vendor, and connects an account to each. The first four have long histories. */
export async function addMembers(world: World): Promise<Member[]> {
  const { people } = world.simulator
  const coarse = people.add({ email: COARSE, traits: enduranceAthlete, days: 200 })
  scoreCoarsely(world, coarse)
  const persons = [
    people.add({ email: "athlete@example.com", traits: enduranceAthlete }),
    people.add({ email: "office@example.com", traits: officeWorker }),
    people.add({ email: "islander@example.com", traits: islander, days: 130 }),
    people.add({ email: "mountaineer@example.com", traits: mountaineer, days: 130 }),
    people.add({ email: "old-strap@example.com", traits: oldStrap, days: 100 }),
    coarse,
    people.add({ email: "drawn-2@example.com", days: 100 }),
    people.add({ email: "drawn-3@example.com", days: 100 }),
    people.add({ email: "new@example.com", days: 3 }),
    people.add({ email: "empty@example.com", history: "none" }),
  ]
  const members: Member[] = []
  for (const person of persons) members.push(await connected(world, person))
  return members
}

/** Adds an account that is connected to a person, with the whole history stored. Others may be connected to the same person. */
export async function connected(world: World, person: Person): Promise<Member> {
  const userId = await world.addUser()
  await world.connect(userId, person, "allow")
  return { person, userId }
}

/** All stored vendor data of an account as text, to compare two accounts. */
export async function storedRows({ store }: World, { userId }: Member): Promise<string> {
  const { rows } = await store.pool.query(
    `select to_jsonb(r) - 'user_id' as row from restwell.record r where user_id = $1
     union all select to_jsonb(p) - 'user_id' - 'fetched_at' from restwell.profile p where user_id = $1
     union all select to_jsonb(n) - 'user_id' - 'data_version' from restwell.person n where user_id = $1
     order by 1`,
    [userId],
  )
  return rows.map(({ row }) => JSON.stringify(row)).join("\n")
}
