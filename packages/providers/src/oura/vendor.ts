import type { OauthVendor } from "../contract/vendor.ts"
import { createOuraAdapter } from "./adapter.ts"
import { OURA_COVERAGE, OURA_SERIES } from "./coverage.ts"
import { OURA_BASE_URL, OURA_OPTIONAL_SCOPES, OURA_SCOPES } from "./oauth.ts"
import { OURA_SYNC_POLICY } from "./sync-policy.ts"
import { OURA_WEBHOOK } from "./webhook.ts"

/** All that the service knows of Oura. */
export const OURA_VENDOR: OauthVendor = {
  access: "oauth",
  hasOwnCycleIds: true,
  archiveSteps: ["In Oura's Membership Hub, choose Export data, and download the file when it is ready."],
  defaultBaseUrl: OURA_BASE_URL,
  appsPage: "developer.ouraring.com/applications",
  formerAppsPage: "cloud.ouraring.com",
  registration: {
    steps: [
      "Sign in with your Oura account.",
      "Create an application. Ten people can use it without a review by Oura.",
    ],
    scopes: [...OURA_SCOPES, ...OURA_OPTIONAL_SCOPES],
  },
  webhook: OURA_WEBHOOK,
  webhookNote: undefined,
  coverage: OURA_COVERAGE,
  series: OURA_SERIES,
  bounds: [],
  syncPolicy: OURA_SYNC_POLICY,
  createAdapter: createOuraAdapter,
}
