import type { KeyVendor } from "../contract/vendor.ts"
import { createIntervalsAdapter, INTERVALS_BASE_URL } from "./adapter.ts"
import { INTERVALS_COVERAGE, INTERVALS_SERIES } from "./coverage.ts"
import { INTERVALS_PLAUSIBLE } from "./normalize.ts"
import { INTERVALS_SYNC_POLICY } from "./sync-policy.ts"

/** All that the service knows of intervals.icu. */
export const INTERVALS_VENDOR: KeyVendor = {
  access: "key",
  repeatsActivities: true,
  archiveSteps: undefined,
  defaultBaseUrl: INTERVALS_BASE_URL,
  keyPage: "intervals.icu/settings",
  keySteps: [
    "Sign in, or make an account, which is free.",
    "Connect your watch's own brand there (Garmin, Polar, Suunto, COROS, Wahoo, Huawei, Amazfit, Oura or WHOOP), and tick wellness. What comes by way of Strava cannot be handed on.",
    "Under Developer Settings, at the end of the page, copy the API key into this form. It gives all rights to your account there, so keep it to yourself.",
  ],
  attribution:
    "Where a device's name contains Garmin, the data come from Garmin. The data of days may come from Garmin devices too.",
  coverage: INTERVALS_COVERAGE,
  series: INTERVALS_SERIES,
  bounds: INTERVALS_PLAUSIBLE,
  syncPolicy: INTERVALS_SYNC_POLICY,
  createAdapter: createIntervalsAdapter,
}
