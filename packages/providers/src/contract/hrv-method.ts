import type { HrvMethod } from "@restwell/client"

/**
 * How each source computes HRV.
 * @see https://developer.whoop.com/api, field hrv_rmssd_milli
 * @see https://cloud.ouraring.com/v2/docs, field average_hrv
 * @see https://developer.apple.com/documentation/healthkit/hkquantitytypeidentifier/heartratevariabilitysdnn
 */
const HRV_METHODS: ReadonlyMap<string, HrvMethod> = new Map([
  ["apple_health", "sdnn"],
  ["gadgetbridge", "rmssd"],
  ["garmin", "rmssd"],
  ["google_health", "rmssd"],
  ["health_connect", "rmssd"],
  ["oura", "rmssd"],
  ["polar", "rmssd"],
  ["whoop", "rmssd"],
  ["withings", "rmssd"],
])

/** Returns null for an unknown source. */
export const hrvMethodOf = (provider: string): HrvMethod | null => HRV_METHODS.get(provider) ?? null
