export { type AndroidTables, androidDatabase } from "./archives/android-database.ts"
export * from "./archives/apple-archive.ts"
export { asMeasuredBy } from "./archives/as-measured-by.ts"
export * from "./archives/fit-file.ts"
export * from "./archives/gadgetbridge-archive.ts"
export * from "./archives/garmin-archive.ts"
export * from "./archives/health-connect-archive.ts"
export * from "./archives/sleep-as-android-archive.ts"
export * from "./archives/takeout-archive.ts"
export * from "./archives/zip.ts"
export type {
  GoogleRecords,
  WireDaily,
  WireGoogleBodyFat,
  WireGoogleDay,
  WireGoogleExercise,
  WireGoogleSleep,
  WireGoogleWeight,
} from "./google-health/wire.ts"
export {
  type GoogleHealthSimulator,
  type GoogleHealthSimulatorOptions,
  startGoogleHealthSimulator,
} from "./google-health-simulator.ts"
export type { Fault, FaultKind } from "./http/faults.ts"
export type { IntervalsRecords, WireActivity, WireWellness } from "./intervals/wire.ts"
export {
  type IntervalsSimulator,
  type IntervalsSimulatorOptions,
  startIntervalsSimulator,
} from "./intervals-simulator.ts"
export { enduranceAthlete, officeWorker, wornAlways } from "./model/archetypes.ts"
export { type Random, randomFor } from "./model/random.ts"
export type { Traits } from "./model/traits.ts"
export type { OuraRecords, WireOuraSleep, WireOuraWorkout } from "./oura/records/wire.ts"
export type { DateSemantics, OuraPortal } from "./oura/vendor.ts"
export { signOuraWebhook } from "./oura/webhooks.ts"
export { type OuraSimulator, type OuraSimulatorOptions, startOuraSimulator } from "./oura-simulator.ts"
export type { PolarWebhook } from "./polar/own-webhook.ts"
export { signPolarWebhook } from "./polar/webhooks.ts"
export type {
  PolarRecords,
  WireDay,
  WireExercise,
  WireNight,
  WireRecharge,
  WireTemperature,
} from "./polar/wire.ts"
export { type PolarSimulator, type PolarSimulatorOptions, startPolarSimulator } from "./polar-simulator.ts"
export { type Simulator, startSimulator } from "./simulator.ts"
export type { RunningVendor, SimulatorOptions } from "./start-vendor.ts"
export type { UltrahumanRecords, WirePoint, WireUltrahumanDay } from "./ultrahuman/wire.ts"
export {
  startUltrahumanSimulator,
  type UltrahumanSimulator,
  type UltrahumanSimulatorOptions,
} from "./ultrahuman-simulator.ts"
export type { Delivery } from "./vendor/webhooks.ts"
export type { WireCycle, WireRecords, WireRecovery, WireSleep, WireWorkout } from "./whoop/records/wire.ts"
export { signWebhook } from "./whoop/webhooks.ts"
export type {
  WireMeasureGroup,
  WireWithingsActivity,
  WireWithingsSleep,
  WireWithingsWorkout,
  WithingsRecords,
} from "./withings/wire.ts"
export {
  startWithingsSimulator,
  type WithingsSimulator,
  type WithingsSimulatorOptions,
} from "./withings-simulator.ts"
export type { Person, PersonReference } from "./world/people.ts"
