import type { OauthVendor } from "../contract/vendor.ts"
import { createWithingsAdapter } from "./adapter.ts"
import { WITHINGS_COVERAGE, WITHINGS_SERIES } from "./coverage.ts"
import { WITHINGS_BASE_URL, WITHINGS_OPTIONAL_SCOPES } from "./oauth.ts"
import { WITHINGS_SYNC_POLICY } from "./sync-policy.ts"

/** All that the service knows of Withings. */
export const WITHINGS_VENDOR: OauthVendor = {
  access: "oauth",
  // A workout may be listed twice.
  repeatsActivities: true,
  archiveSteps: undefined,
  defaultBaseUrl: WITHINGS_BASE_URL,
  appsPage: "developer.withings.com/dashboard",
  formerAppsPage: undefined,
  registration: {
    steps: [
      "Sign in with your Withings account.",
      "Create an application of the Public API, which is free. Ten people can use it without a review by Withings.",
    ],
    scopes: WITHINGS_OPTIONAL_SCOPES,
  },
  codeSeconds: 30,
  webhookNote: undefined,
  coverage: WITHINGS_COVERAGE,
  series: WITHINGS_SERIES,
  bounds: [],
  syncPolicy: WITHINGS_SYNC_POLICY,
  createAdapter: createWithingsAdapter,
}
