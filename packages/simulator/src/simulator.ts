/** Composes and starts the simulated WHOOP. */
import type { Grant } from "./grants/grants.ts"
import type { SimulatorOptions } from "./options.ts"
import { createGrants, type RunningVendor, startVendor } from "./start-vendor.ts"
import { createEdits, type Edits } from "./whoop/edits.ts"
import { createEventSource } from "./whoop/event-source.ts"
import { RateLimiter } from "./whoop/rate-limit.ts"
import { createMemberRecords } from "./whoop/records/member-records.ts"
import { visibleRecords } from "./whoop/records/visible-records.ts"
import type { WireRecords } from "./whoop/records/wire.ts"
import { type RateLimits, whoopSettings } from "./whoop/settings.ts"
import type { Vendor } from "./whoop/vendor.ts"
import { createWhoopApi } from "./whoop/whoop-api.ts"
import { createWorld, type World } from "./world.ts"

/** `url` is the value for WHOOP_BASE_URL. */
export interface Simulator extends RunningVendor<Edits, WireRecords> {
  /** Replaces the rate limits. */
  limitRates(limits: RateLimits | "off"): void
}

/** Starts a simulated WHOOP on a loopback address. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const world = createWorld(options)
  const vendor = createVendor(options, world)
  const running = await startVendor(
    options,
    { ...world, isShared: false },
    {
      grants: vendor.grants,
      api: createWhoopApi(vendor),
      source: createEventSource(vendor),
      createEdits: (webhooks) => createEdits(vendor, webhooks),
      editsByName: ({ cycle, sleep, recovery, workout }) => ({
        cycles: cycle,
        sleeps: sleep,
        recoveries: recovery,
        workouts: workout,
      }),
      read: (person) => visibleRecords(vendor.people.get(person), vendor.recordsOf(person), vendor.clock.nowMs()),
    },
  )
  return { ...running, limitRates: (limits) => vendor.rateLimiter.set(limits) }
}

const hasOffline = ({ scopes }: Grant): boolean => scopes.includes("offline")

function createVendor(options: SimulatorOptions, { clock, people }: World): Vendor {
  const settings = whoopSettings(options)
  const nowMs = () => clock.nowMs()
  return {
    settings,
    clock,
    people,
    grants: createGrants(options, {
      nowMs,
      accessTokenSeconds: settings.accessTokenSeconds,
      isRefreshable: hasOffline,
    }),
    recordsOf: createMemberRecords(people, nowMs),
    rateLimiter: new RateLimiter(settings.rateLimits, nowMs),
  }
}
