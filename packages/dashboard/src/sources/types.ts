import type { SourceType } from "@restwell/client"

/** Names of the types in headings and in sentences. */
export const TYPES: Readonly<
  Record<SourceType, { readonly title: string; readonly name: string; readonly what: string }>
> = {
  sleep: { title: "Sleep", name: "sleep", what: "Times, stages and naps." },
  recovery: { title: "Recovery", name: "recovery", what: "Score, HRV, resting heart rate and temperature." },
  workout: { title: "Workouts", name: "workouts", what: "One record of a workout that several recorded." },
  cycle: { title: "Cycles", name: "cycles", what: "Strain and energy of the day." },
}
