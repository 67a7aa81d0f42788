import type { OauthVendor } from "../contract/vendor.ts"
import { createPolarAdapter } from "./adapter.ts"
import { POLAR_COVERAGE, POLAR_SERIES } from "./coverage.ts"
import { POLAR_PLAUSIBLE } from "./normalize.ts"
import { POLAR_BASE_URL, POLAR_SCOPES } from "./oauth.ts"
import { POLAR_SYNC_POLICY } from "./sync-policy.ts"
import { POLAR_WEBHOOK } from "./webhook.ts"

/** All that the service knows of Polar. */
export const POLAR_VENDOR: OauthVendor = {
  access: "oauth",
  hasNoTimeOfChange: true,
  archiveSteps: undefined,
  defaultBaseUrl: POLAR_BASE_URL,
  appsPage: "admin.polaraccesslink.com",
  formerAppsPage: undefined,
  registration: {
    steps: [
      "Sign in with your Polar Flow account.",
      "Create a client, with any name. The client id and secret are there at once, without a review.",
    ],
    scopes: [...POLAR_SCOPES],
  },
  webhookNote: undefined,
  webhook: POLAR_WEBHOOK,
  coverage: POLAR_COVERAGE,
  series: POLAR_SERIES,
  bounds: POLAR_PLAUSIBLE,
  syncPolicy: POLAR_SYNC_POLICY,
  createAdapter: createPolarAdapter,
}
