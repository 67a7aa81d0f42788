// The Withings adapter against the simulated Withings: the contract of every vendor, and what is Withings' own.
import { startWithingsSimulator, type WithingsSimulator, type WithingsSimulatorOptions } from "@restwell/simulator"
import { withingsUnderTest } from "@restwell/testing/vendor"
import { createWithingsAdapter, type OauthAdapterOptions, type RecordKind } from "../src/index.ts"
import { CONTRACT_DAYS, CONTRACT_NOW, describeVendorContract } from "./vendor-contract.ts"

const LENA = "lena@example.com"

const start = (options: WithingsSimulatorOptions = {}) =>
  startWithingsSimulator({
    seed: 7,
    now: CONTRACT_NOW,
    days: CONTRACT_DAYS,
    autoApprove: true,
    rateLimits: "off",
    ...options,
  })

const create = (options: OauthAdapterOptions) => createWithingsAdapter({ ...options, now: () => CONTRACT_NOW })

const idsOf = (simulator: WithingsSimulator, kind: RecordKind) =>
  withingsUnderTest(simulator).idsOf(simulator.people.get(LENA), kind)

describeVendorContract({
  name: "Withings",
  start,
  createAdapter: create,
  idsOf,
  unknownId: (kind) => (kind === "cycle" ? "2001-01-01" : "1"),
  tokenPath: "/v2/oauth2",
  accessTokenSeconds: 10_800,
  limitHeaders: (seconds) => ({ "Retry-After": String(seconds) }),
  endlessPage: '{"status":0,"body":{"series":[],"more":true,"offset":300}}',
  listName: "body",
})
