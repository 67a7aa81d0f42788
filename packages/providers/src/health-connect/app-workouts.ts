// The workouts of Health Connect. Their heart rate, energy and distance are in other tables, written by the same app.
import type { CollectedWorkout } from "../apple-health/normalize.ts"
import type { Json } from "../contract/records.ts"
import type { CountType } from "./wire.ts"

/** A session of exercise, and what was found within it. */
interface Workout {
  readonly device: string
  readonly startMs: number
  readonly endMs: number
  readonly sport: string
  readonly raw: Json
  beats: number
  beatsCount: number
  mostBeats: number
  readonly counted: Map<CountType, number>
}

/** Finds the workouts of a moment or a time. Add all workouts first. */
export class AppWorkouts {
  readonly #ofApps = new Map<string, Workout[]>()
  /** Of each app: up to which the workouts so far last, to know where an earlier one may still go on. */
  #isSorted = true
  #count = 0

  get count(): number {
    return this.#count
  }

  add(workout: Pick<Workout, "device" | "startMs" | "endMs" | "sport" | "raw">): void {
    const own = this.#ofApps.getOrInsertComputed(workout.device, () => [])
    own.push({ ...workout, beats: 0, beatsCount: 0, mostBeats: 0, counted: new Map() })
    this.#isSorted = false
    this.#count += 1
  }

  addBeats(app: string, atMs: number, beats: number): void {
    const workout = this.#at(app, atMs)
    if (!workout || atMs > workout.endMs) return
    workout.beats += beats
    workout.beatsCount += 1
    workout.mostBeats = Math.max(workout.mostBeats, beats)
  }

  /** Apps count in spans of their own, which may begin before a workout. A sum that is longer than the workout says nothing of it. */
  addCount(
    app: string,
    type: CountType,
    span: { readonly startMs: number; readonly endMs: number; value: number },
  ): void {
    const lengthMs = span.endMs - span.startMs
    const workout = this.#at(app, span.startMs) ?? this.#at(app, span.endMs)
    for (const each of new Set([workout, this.#at(app, span.endMs)])) {
      if (!each || lengthMs > each.endMs - each.startMs) continue
      const sharedMs = Math.min(span.endMs, each.endMs) - Math.max(span.startMs, each.startMs)
      if (sharedMs < 0 || (sharedMs === 0 && lengthMs > 0)) continue
      const share = lengthMs === 0 ? 1 : sharedMs / lengthMs
      each.counted.set(type, (each.counted.get(type) ?? 0) + span.value * share)
    }
  }

  /** All workouts with what was found within them. */
  *collected(): Generator<CollectedWorkout, void> {
    for (const { beats, beatsCount, mostBeats, counted, ...workout } of [...this.#ofApps.values()].flat())
      yield {
        ...workout,
        averageHeartRate: beatsCount > 0 ? beats / beatsCount : undefined,
        maxHeartRate: beatsCount > 0 ? mostBeats : undefined,
        calories: counted.get("energy") ?? counted.get("active_energy"),
        distanceMeters: counted.get("distance"),
      }
  }

  /** The last workout of an app that begins at a moment or before. */
  #at(app: string, ms: number): Workout | undefined {
    if (!this.#isSorted) {
      for (const own of this.#ofApps.values()) own.sort((one, other) => one.startMs - other.startMs)
      this.#isSorted = true
    }
    const own = this.#ofApps.get(app) ?? []
    let [low, high] = [0, own.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((own[middle]?.startMs ?? 0) <= ms) low = middle + 1
      else high = middle
    }
    return own[low - 1]
  }
}
