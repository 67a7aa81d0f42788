/** The one list of what the person of `restwell demo` may wear. Simulators and archives are loaded when they are used: a help page prints the names. */

import type { AppleElement } from "./archives/apple-archive.ts"
import type { OuraRecords } from "./oura/records/wire.ts"
import type { OuraSimulator } from "./oura-simulator.ts"
import type { Simulator } from "./simulator.ts"
import type { WorldOptions } from "./start-vendor.ts"

interface DemoOptions extends Required<Pick<WorldOptions, "historyFrom">> {
  readonly clientId: string
  readonly clientSecret: string
  readonly email: string
  readonly grantsFile: string
}

/** The person's band and ring: both measure the same nights. Other devices are on the same person. */
interface Worn {
  readonly band: Simulator
  readonly ring: OuraSimulator
}

/** What every other vendor is started with. */
interface Beside extends Worn {
  readonly historyFrom: Date
  readonly options: Readonly<Record<"clientId" | "clientSecret" | "seed" | "autoApprove" | "grantsFile", string>> & {
    readonly beside: Simulator
    readonly rateLimits: "off"
    readonly defaultPeople: false
  }
}

interface DemoVendor {
  readonly url: string
  /** Of vendors that people connect with a key. */
  keyOf?(email: string): string
  close(): Promise<void>
}

/** What the device's data come from: a vendor that connects, or the archive that a vendor without a connection would send. */
export type DemoDevice =
  | { readonly by: "app" | "key"; readonly provider: string; start(beside: Beside): DemoVendor | Promise<DemoVendor> }
  | { readonly by: "archive"; archive(records: OuraRecords, now: Date): Promise<Buffer> }

/** By the names that `--devices` takes. */
export const DEMO_DEVICES: Readonly<Record<string, DemoDevice>> = {
  whoop: { by: "app", provider: "whoop", start: ({ band }) => band },
  oura: { by: "app", provider: "oura", start: ({ ring }) => ring },
  withings: {
    by: "app",
    provider: "withings",
    start: async ({ options }) => (await import("./withings-simulator.ts")).startWithingsSimulator(options),
  },
  polar: {
    by: "app",
    provider: "polar",
    start: async ({ options, historyFrom }) =>
      (await import("./polar-simulator.ts")).startPolarSimulator({ ...options, registeredSince: historyFrom }),
  },
  fitbit_live: {
    by: "app",
    provider: "google_health",
    start: async ({ options }) =>
      (await import("./google-health-simulator.ts")).startGoogleHealthSimulator({ ...options, callsPerMinute: "off" }),
  },
  intervals: {
    by: "key",
    provider: "intervals",
    start: async ({ options }) => (await import("./intervals-simulator.ts")).startIntervalsSimulator(options),
  },
  ultrahuman: {
    by: "key",
    provider: "ultrahuman",
    start: async ({ band }) => (await import("./ultrahuman-simulator.ts")).startUltrahumanSimulator({ beside: band }),
  },
  garmin: {
    by: "archive",
    async archive(records) {
      const { garminArchive, garminRows } = await import("./archives/garmin-archive.ts")
      return garminArchive(garminRows(records))
    },
  },
  apple: {
    by: "archive",
    async archive(records, now) {
      const { appleArchive, appleRows } = await import("./archives/apple-archive.ts")
      return appleArchive(appleRows(records).filter((element) => hasEnded(element, now)))
    },
  },
  android: {
    by: "archive",
    async archive(records, now) {
      const { healthConnectArchive, healthConnectTables } = await import("./archives/health-connect-archive.ts")
      return healthConnectArchive(healthConnectTables(untilYesterday(records, now)))
    },
  },
  fitbit: {
    by: "archive",
    async archive(records, now) {
      const { takeoutArchive, takeoutRows } = await import("./archives/takeout-archive.ts")
      return takeoutArchive(takeoutRows(untilYesterday(records, now)))
    },
  },
}

/** What the person wears if nothing else is said. */
export const USUAL_DEVICES: readonly string[] = ["whoop", "oura"]

// The archives above spread the steps of a day over its hours, some of which are still to come today.

const hasEnded = ({ attributes: { endDate = "" } }: AppleElement, now: Date): boolean =>
  Date.parse(endDate) <= now.getTime()

function untilYesterday(records: OuraRecords, now: Date): OuraRecords {
  const today = now.toISOString().slice(0, 10)
  return { ...records, daily_activity: records.daily_activity.filter(({ day }) => day < today) }
}

export interface DemoVendors {
  /** Addresses by the vendors' names, also of vendors whose devices the person does not wear. */
  readonly urls: ReadonlyMap<string, string>
  /** Returns the person's key at a vendor. */
  keyOf(provider: string): string
  /** Returns the archive of a device. */
  archiveOf(device: string): Promise<Buffer>
  close(): Promise<void>
}

/** Starts every vendor of the list, without limits, so that nobody waits a minute for the history. */
export async function startDemoVendors({ email, historyFrom, grantsFile, ...app }: DemoOptions): Promise<DemoVendors> {
  await using started = new AsyncDisposableStack()
  const common = { ...app, seed: "demo", autoApprove: email, rateLimits: "off", defaultPeople: false } as const
  const worn = await putOn({ ...common, historyFrom, grantsFile }, started)
  const running = new Map<string, DemoVendor>()
  for (const device of Object.values(DEMO_DEVICES)) {
    if (device.by === "archive") continue
    const options = { ...common, beside: worn.band, grantsFile: `${grantsFile}.${device.provider}` }
    const vendor = await device.start({ ...worn, historyFrom, options })
    if (vendor !== worn.band && vendor !== worn.ring) started.defer(() => vendor.close())
    running.set(device.provider, vendor)
  }
  const { asMeasuredBy } = await import("./archives/as-measured-by.ts")
  const vendors = started.move()
  return {
    urls: new Map([...running].map(([provider, { url }]) => [provider, url])),
    keyOf(provider) {
      const key = running.get(provider)?.keyOf?.(email)
      if (key === undefined) throw new RangeError(`people have no keys at ${provider}`)
      return key
    },
    async archiveOf(name) {
      const device = DEMO_DEVICES[name]
      if (device?.by !== "archive") throw new RangeError(`${name} has no archive`)
      return device.archive(asMeasuredBy(name, worn.ring.records(email)), worn.band.clock.now())
    },
    close: () => vendors.disposeAsync(),
  }
}

type WornOptions = Omit<Beside["options"], "beside"> & Pick<Beside, "historyFrom">

async function putOn(
  { historyFrom, grantsFile, ...options }: WornOptions,
  started: AsyncDisposableStack,
): Promise<Worn> {
  const { startSimulator } = await import("./simulator.ts")
  const { startOuraSimulator } = await import("./oura-simulator.ts")
  const { enduranceAthlete, wornAlways } = await import("./model/archetypes.ts")
  const band = await startSimulator({ ...options, now: "system", historyFrom, grantsFile })
  started.defer(() => band.close())
  // A visitor judges by the first screen: today has a night and a strain.
  const traits = { ...wornAlways(enduranceAthlete), hasStrainSoFar: true }
  band.people.add({ email: options.autoApprove, firstName: "Lena", lastName: "Vogel", traits })
  const ring = await startOuraSimulator({ ...options, beside: band, grantsFile: `${grantsFile}.oura` })
  started.defer(() => ring.close())
  return { band, ring }
}
