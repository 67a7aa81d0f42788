import { type Person, type Simulator, signWebhook, type WireRecovery, type WireWorkout } from "@restwell/simulator"
import type { VendorUnderTest } from "./vendor-under-test.ts"

/** The simulated WHOOP. */
export function whoopUnderTest(simulator: Simulator): VendorUnderTest {
  const { edit, records } = simulator
  return {
    provider: "whoop",
    simulator,
    paths: { data: /^\/developer\/v2\//, one: /\/v2\/(?:activity\/\w+\/|cycle\/)/, token: "/oauth/oauth2/token" },
    listName: "records",
    unknownId: "0d6d6ed6-9a5f-4f0b-8a55-5d8f3c4c7e11",
    cyclesEndByClock: false,
    idsOf(person, kind) {
      const { sleeps, recoveries, workouts, cycles } = records(person)
      const ids = {
        sleep: sleeps.map(({ id }) => id),
        recovery: recoveries.map(({ cycle_id }) => cycle_id),
        workout: workouts.map(({ id }) => id),
        cycle: cycles.map(({ id }) => id),
      }
      return ids[kind].map(String)
    },
    versionsOf(person) {
      const { sleeps, cycles, recoveries, workouts } = records(person)
      return [
        ...cycles.filter(({ end }) => end).map((cycle) => `cycle/${cycle.id}/${cycle.updated_at}`),
        ...recoveries.map((recovery) => `recovery/${recovery.cycle_id}/${recovery.updated_at}`),
        ...sleeps.map((sleep) => `sleep/${sleep.id}/${sleep.updated_at}`),
        ...workouts.map((workout) => `workout/${workout.id}/${workout.updated_at}`),
      ]
    },
    // A night is announced with its score.
    samplesBefore: () => 0,
    hasUnannounced: (person) => records(person).sleeps.some(({ score_state }) => score_state === "PENDING_SCORE"),
    isHistory: (query) => query.includes("end="),
    renameWorkout: (person, id, sport) => edit.workout.patch(person, id, { sport_name: sport }),
    rescoreSleep(person, id, score) {
      if (records(person).sleeps.some((sleep) => sleep.id === id && sleep.score_state === "SCORED"))
        edit.sleep.patch(person, id, { score: { sleep_performance_percentage: score } })
    },
    rescoreRecovery(person, id, score) {
      const isScored = ({ cycle_id, score_state }: WireRecovery) => String(cycle_id) === id && score_state === "SCORED"
      if (records(person).recoveries.some(isScored))
        edit.recovery.patch(person, id, { score: { recovery_score: score } })
    },
    addWorkout(person, beside, { id, earlierByMs }) {
      edit.workout.put(person, another(workoutOf(simulator, person, beside), simulator, { id, earlierByMs }))
    },
    delete: (person, kind, id) => edit[kind].delete(person, id),
    subscribe(callbackUrl) {
      simulator.webhooks.urls = [callbackUrl]
    },
    write: ({ person, kind, id, verb, eventId = crypto.randomUUID() }) =>
      JSON.stringify({ user_id: person.userId, id, type: `${kind}.${verb}`, trace_id: eventId }),
    sign: (body, atMs, secret) => ({
      "x-whoop-signature": signWebhook(secret, String(atMs), body),
      "x-whoop-signature-timestamp": String(atMs),
    }),
  }
}

function workoutOf({ records }: Simulator, person: Person, wanted: string): WireWorkout {
  const workout = records(person).workouts.find(({ id }) => id === wanted)
  if (!workout) throw new Error("the person has no such workout")
  return workout
}

/** A workout that was recorded late: it began a little before an existing one. */
function another(
  workout: WireWorkout,
  { clock }: Simulator,
  { id, earlierByMs }: { readonly id: string; readonly earlierByMs: number },
): WireWorkout {
  const earlier = (instant: string) => new Date(Date.parse(instant) - earlierByMs).toISOString()
  const now = clock.now().toISOString()
  const { start, end } = workout
  return { ...workout, id, v1_id: null, start: earlier(start), end: earlier(end), created_at: now, updated_at: now }
}
