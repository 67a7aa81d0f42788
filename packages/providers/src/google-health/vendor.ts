import type { OauthVendor } from "../contract/vendor.ts"
import { createGoogleHealthAdapter } from "./adapter.ts"
import { GOOGLE_HEALTH_COVERAGE, GOOGLE_HEALTH_SERIES } from "./coverage.ts"
import { GOOGLE_HEALTH_BASE_URL, GOOGLE_HEALTH_OPTIONAL_SCOPES, GOOGLE_HEALTH_SCOPES } from "./oauth.ts"
import { GOOGLE_HEALTH_SYNC_POLICY } from "./sync-policy.ts"
import { TAKEOUT_RULE } from "./takeout-days.ts"

/** All that the service knows of Google Health, which Fitbit's and Pixel's devices send to. */
export const GOOGLE_HEALTH_VENDOR: OauthVendor = {
  access: "oauth",
  repeatsActivities: true,
  oneDevice: TAKEOUT_RULE,
  archiveSteps: [
    "Fitbit's history is in Google Takeout. At takeout.google.com choose Deselect all, then Google Health (or Fitbit).",
    "Choose the file type .zip and the largest file size, so that Google does not divide the file.",
    "Google sends a link by email, within minutes or days. Upload the zip file as it is.",
  ],
  defaultBaseUrl: GOOGLE_HEALTH_BASE_URL,
  appsPage: "console.cloud.google.com/apis/credentials",
  formerAppsPage: undefined,
  registration: {
    steps: [
      "Sign in with any Google account, and create a project with any name. In it, enable the Google Health API.",
      "Set up the consent screen for external users. Under Data access add each of the scopes by hand: Google drops others in silence.",
      "Under Audience, publish the app, or add the Google account of each person as a test user. Up to 100 people can use it without a review by Google.",
      "Create an OAuth client of the type Web application.",
    ],
    scopes: [...GOOGLE_HEALTH_SCOPES, ...GOOGLE_HEALTH_OPTIONAL_SCOPES],
  },
  webhookNote: undefined,
  trialGrant: {
    days: 7,
    note: "While this server's app is in Testing at Google, your access ends after seven days. Your data stay, and one click renews it.",
  },
  coverage: GOOGLE_HEALTH_COVERAGE,
  series: GOOGLE_HEALTH_SERIES,
  bounds: [],
  syncPolicy: GOOGLE_HEALTH_SYNC_POLICY,
  createAdapter: createGoogleHealthAdapter,
}
