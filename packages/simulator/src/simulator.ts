/** Composes and starts the simulated WHOOP. */

import type { VendorApi } from "./http/vendor-api.ts"
import {
  createGrants,
  createWorld,
  type RunningVendor,
  type SimulatorOptions,
  startVendor,
  type World,
} from "./start-vendor.ts"
import { addAuthorizeRoutes } from "./vendor/authorize.ts"
import { createRecordEdits, type EditedRecords, type RecordEdits } from "./vendor/control-api.ts"
import type { Grant } from "./vendor/grants.ts"
import type { Webhooks } from "./vendor/webhooks.ts"
import { addDataRoutes } from "./whoop/data-routes.ts"
import { addTokenRoute, whoopAuthorization } from "./whoop/oauth.ts"
import { createMemberRecords, type PersonRecords, visibleRecords } from "./whoop/records/person-records.ts"
import {
  type WireCycle,
  type WireRecords,
  type WireRecovery,
  type WireSleep,
  type WireWorkout,
  writeInstant,
} from "./whoop/records/wire.ts"
import { RateLimiter, type RateLimits, tooManyRequests, type WhoopVendor, whoopSettings } from "./whoop/vendor.ts"
import { createEventSource } from "./whoop/webhooks.ts"
import type { PersonReference } from "./world/people.ts"

/** WHOOP's OAuth endpoints and data API for the HTTP server. */
function createWhoopApi(vendor: WhoopVendor): VendorApi {
  const { grants, rateLimiter, settings } = vendor
  return {
    addRoutes(app) {
      addAuthorizeRoutes(app, whoopAuthorization(vendor))
      addTokenRoute(app, vendor)
      addDataRoutes(app, vendor)
    },
    ownerOf: (token) => grants.ownerOf(token),
    rateLimitExceeded: () =>
      tooManyRequests({ ...rateLimiter.headers(settings.clientId), "X-RateLimit-Remaining": "0" }),
  }
}

interface Edits {
  readonly cycle: RecordEdits<WireCycle>
  readonly sleep: RecordEdits<WireSleep>
  readonly recovery: RecordEdits<WireRecovery>
  readonly workout: RecordEdits<WireWorkout>
}

type Verb = "updated" | "deleted"

/** Returns the edits of every kind. Editing a sleep touches its recovery; deleting it deletes the recovery. */
function createEdits({ people, recordsOf }: WhoopVendor, webhooks: Webhooks): Edits {
  const editsOf = <T extends object>(editedOf: (records: PersonRecords, userId: number) => EditedRecords<T>) =>
    createRecordEdits(webhooks, (person: PersonReference) => editedOf(recordsOf(person), people.get(person).userId))
  return { cycle: editsOf(cycles), sleep: editsOf(sleeps), recovery: editsOf(recoveries), workout: editsOf(workouts) }
}

const stamp = (atMs: number) => ({ updated_at: writeInstant(atMs) })

/** WHOOP has no webhooks for cycles. */
const cycles = (records: PersonRecords): EditedRecords<WireCycle> => ({
  collection: records.cycles,
  keyOf: ({ id }) => String(id),
  stamp,
  follow: () => [],
})

const sleeps = (records: PersonRecords, userId: number): EditedRecords<WireSleep> => ({
  collection: records.sleeps,
  keyOf: ({ id }) => id,
  stamp,
  follow: (id, verb, atMs) => [
    { atMs, userId, type: `sleep.${verb}`, id },
    ...editRecoveryOf(records, id, verb, atMs).map(() => ({ atMs, userId, type: `recovery.${verb}`, id })),
  ],
})

const recoveries = (records: PersonRecords, userId: number): EditedRecords<WireRecovery> => ({
  collection: records.recoveries,
  keyOf: ({ cycle_id }) => String(cycle_id),
  stamp,
  follow: (key, verb, atMs) => {
    const id = records.recoveries.at(key, atMs)?.sleep_id
    return id === undefined ? [] : [{ atMs, userId, type: `recovery.${verb}`, id }]
  },
})

const workouts = (records: PersonRecords, userId: number): EditedRecords<WireWorkout> => ({
  collection: records.workouts,
  keyOf: ({ id }) => id,
  stamp,
  follow: (id, verb, atMs) => [{ atMs, userId, type: `workout.${verb}`, id }],
})

/** Returns the keys of the recoveries that it stamped or deleted. */
function editRecoveryOf(records: PersonRecords, sleepId: string, verb: Verb, atMs: number): string[] {
  const keys = records.recoveries
    .visibleAt(atMs)
    .filter(({ body }) => body.sleep_id === sleepId)
    .map(({ key }) => key)
  for (const key of keys) {
    if (verb === "deleted") records.recoveries.edit(key, { kind: "delete", atMs })
    else records.recoveries.edit(key, { kind: "patch", patch: stamp(atMs), atMs })
  }
  return keys
}

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

function createVendor(options: SimulatorOptions, { clock, people }: World): WhoopVendor {
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
