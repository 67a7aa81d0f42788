import type { KeyVendor } from "../contract/vendor.ts"
import { createUltrahumanAdapter, ULTRAHUMAN_BASE_URL } from "./adapter.ts"
import { ULTRAHUMAN_COVERAGE, ULTRAHUMAN_SERIES } from "./coverage.ts"
import { ULTRAHUMAN_SYNC_POLICY } from "./sync-policy.ts"

/** All that the service knows of Ultrahuman. */
export const ULTRAHUMAN_VENDOR: KeyVendor = {
  access: "key",
  hasNoTimeOfChange: true,
  archiveSteps: undefined,
  defaultBaseUrl: ULTRAHUMAN_BASE_URL,
  keyPage: "vision.ultrahuman.com/developer",
  keySteps: [
    "Sign in with the account of your ring's app.",
    "Create a personal token there, and copy it into this form. It is long and begins with eyJ. It reads your data, so keep it to yourself.",
    "Open the ring's app on your phone once a day: a night arrives at Ultrahuman when the phone syncs.",
  ],
  attribution: undefined,
  coverage: ULTRAHUMAN_COVERAGE,
  series: ULTRAHUMAN_SERIES,
  bounds: [],
  syncPolicy: ULTRAHUMAN_SYNC_POLICY,
  createAdapter: createUltrahumanAdapter,
}
