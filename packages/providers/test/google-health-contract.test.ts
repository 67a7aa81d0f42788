// The Google Health adapter against the simulated Google Health: the contract of every vendor, and what is Google's own.

import { type GoogleHealthSimulator, startGoogleHealthSimulator } from "@restwell/simulator"
import { googleHealthUnderTest } from "@restwell/testing/vendor"
import { createGoogleHealthAdapter, type OauthAdapterOptions } from "../src/index.ts"
import { CONTRACT_DAYS, CONTRACT_NOW, describeVendorContract } from "./vendor-contract.ts"

const LENA = "lena@example.com"

const start = () =>
  startGoogleHealthSimulator({
    seed: 7,
    now: CONTRACT_NOW,
    days: CONTRACT_DAYS,
    autoApprove: true,
    callsPerMinute: "off",
  })

const create = (options: OauthAdapterOptions) => createGoogleHealthAdapter({ ...options, now: () => CONTRACT_NOW })

describeVendorContract<GoogleHealthSimulator>({
  name: "Google Health",
  start,
  createAdapter: create,
  idsOf: (simulator, kind) => googleHealthUnderTest(simulator).idsOf(simulator.people.get(LENA), kind),
  unknownId: (kind) => (kind === "sleep" || kind === "workout" ? "1" : "2001-01-01"),
  tokenPath: "/token",
  accessTokenSeconds: 3_599,
  keepsRefreshToken: true,
  limitHeaders: (seconds) => ({ "Retry-After": String(seconds) }),
  endlessPage: '{"dataPoints":[],"nextPageToken":"again"}',
  listName: "dataPoints",
})
