import type { OauthVendor } from "../contract/vendor.ts"
import { createWhoopAdapter, WHOOP_BASE_URL } from "./adapter.ts"
import { WHOOP_COVERAGE } from "./coverage.ts"
import { WHOOP_PLAUSIBLE } from "./normalize.ts"
import { WHOOP_SCOPES } from "./oauth.ts"
import { WHOOP_SYNC_POLICY } from "./sync-policy.ts"
import { WHOOP_WEBHOOK } from "./webhook.ts"

/** All that the service knows of WHOOP. */
export const WHOOP_VENDOR: OauthVendor = {
  access: "oauth",
  hasOwnCycleIds: true,
  archiveSteps: ["In the WHOOP app, open More, App Settings, Data Export. WHOOP sends a link by email."],
  defaultBaseUrl: WHOOP_BASE_URL,
  appsPage: "developer-dashboard.whoop.com",
  formerAppsPage: undefined,
  registration: {
    steps: [
      "Sign in with your WHOOP account.",
      "Create a team with any name, and in it an app. Ten people can use it without a review by WHOOP.",
    ],
    scopes: WHOOP_SCOPES,
  },
  webhook: WHOOP_WEBHOOK,
  webhookNote: "Choose the model version v2.",
  coverage: WHOOP_COVERAGE,
  // WHOOP's API has no samples.
  series: [],
  bounds: WHOOP_PLAUSIBLE,
  syncPolicy: WHOOP_SYNC_POLICY,
  createAdapter: createWhoopAdapter,
}
