/** Composes and starts the simulated Oura. */

import type { VendorApi } from "./http/vendor-api.ts"
import { addHeartRateRoute, addOuraDataRoutes } from "./oura/data-routes.ts"
import { addOuraTokenRoutes, ouraAuthorization } from "./oura/oauth.ts"
import { PersonDocuments, visibleDocuments } from "./oura/records/person-documents.ts"
import { type OuraDocuments, type OuraRecords, type WireHeartRate, writeMeta } from "./oura/records/wire.ts"
import { type Subscription, Subscriptions } from "./oura/subscriptions.ts"
import { type OuraOptions, OuraRateLimiter, type OuraVendor, ouraSettings } from "./oura/vendor.ts"
import { addSubscriptionRoutes, createOuraEventSource } from "./oura/webhooks.ts"
import {
  createGrants,
  createWorld,
  type RunningVendor,
  type ServerOptions,
  startVendor,
  type World,
  type WorldOptions,
} from "./start-vendor.ts"
import { addAuthorizeRoutes } from "./vendor/authorize.ts"
import { createRecordEdits, type RecordEdits } from "./vendor/control-api.ts"
import type { Webhooks } from "./vendor/webhooks.ts"
import type { Collection } from "./world/collection.ts"
import { createRecordsOf } from "./world/growing-records.ts"
import type { PersonReference } from "./world/people.ts"

/** Oura's OAuth endpoints, collections and subscriptions for the HTTP server. */
function createOuraApi(vendor: OuraVendor): VendorApi {
  return {
    addRoutes(app) {
      addAuthorizeRoutes(app, ouraAuthorization(vendor))
      addOuraTokenRoutes(app, vendor)
      addOuraDataRoutes(app, vendor)
      addHeartRateRoute(app, vendor)
      addSubscriptionRoutes(app, vendor)
    },
    ownerOf: (token) => vendor.grants.ownerOf(token),
    rateLimitExceeded: () => vendor.rateLimiter.tooMany("application", 5000),
  }
}

/** The edits of each collection. An edit changes no other document. */
type OuraEdits = { readonly [Name in keyof OuraDocuments]: RecordEdits<OuraDocuments[Name]> }

function createOuraEdits({ people, documentsOf }: OuraVendor, webhooks: Webhooks): OuraEdits {
  const editsOf = <T extends { id: string }>(
    name: string,
    collectionOf: (of: PersonDocuments["of"]) => Collection<T>,
  ) =>
    createRecordEdits<T>(webhooks, (person: PersonReference) => ({
      collection: collectionOf(documentsOf(person).of),
      keyOf: ({ id }) => id,
      stamp: (atMs) => (name === "enhanced_tag" ? {} : { meta: { updated_at: writeMeta(atMs).updated_at } }),
      follow: (id, verb, atMs) => [
        { atMs, userId: people.get(person).userId, type: `${name}.${verb === "deleted" ? "delete" : "update"}`, id },
      ],
    }))
  return {
    sleep: editsOf("sleep", ({ sleep }) => sleep),
    daily_sleep: editsOf("daily_sleep", ({ daily_sleep }) => daily_sleep),
    daily_readiness: editsOf("daily_readiness", ({ daily_readiness }) => daily_readiness),
    daily_spo2: editsOf("daily_spo2", ({ daily_spo2 }) => daily_spo2),
    daily_activity: editsOf("daily_activity", ({ daily_activity }) => daily_activity),
    workout: editsOf("workout", ({ workout }) => workout),
    enhanced_tag: editsOf("enhanced_tag", ({ enhanced_tag }) => enhanced_tag),
  }
}

export interface OuraSimulatorOptions extends WorldOptions, ServerOptions, OuraOptions {
  /** Another running simulator: both vendors measure its people, by its clock. */
  readonly beside?: World
}

/** `url` is the value for OURA_BASE_URL. */
export interface OuraSimulator extends RunningVendor<OuraEdits, OuraRecords> {
  /** Returns the app's subscriptions to webhooks, expired ones too. */
  subscriptions(): readonly Subscription[]
  /** Returns a person's heart rates of a time that the ring has sent, oldest first. @default all */
  heartRates(person: PersonReference, between?: { fromMs: number; toMs: number }): WireHeartRate[]
}

/** Starts a simulated Oura on a loopback address. */
export async function startOuraSimulator(options: OuraSimulatorOptions = {}): Promise<OuraSimulator> {
  const world = options.beside ?? createWorld(options)
  const vendor = createVendor(options, world)
  const running = await startVendor(
    options,
    { ...world, isShared: options.beside !== undefined },
    {
      grants: vendor.grants,
      api: createOuraApi(vendor),
      source: createOuraEventSource(vendor),
      createEdits: (webhooks) => createOuraEdits(vendor, webhooks),
      editsByName: (edits) => ({ ...edits }),
      read: (person) => visibleDocuments(vendor.people.get(person), vendor.documentsOf(person), vendor.clock.nowMs()),
    },
  )
  return {
    ...running,
    subscriptions: () => vendor.subscriptions.list(),
    heartRates: (person, between = { fromMs: 0, toMs: vendor.clock.nowMs() }) =>
      vendor.documentsOf(person).heartRates(between, vendor.clock.nowMs(), vendor.settings.heartRateShare),
  }
}

function createVendor(options: OuraSimulatorOptions, { clock, people }: World): OuraVendor {
  const settings = ouraSettings(options)
  const nowMs = () => clock.nowMs()
  return {
    settings,
    clock,
    people,
    grants: createGrants(options, {
      nowMs,
      accessTokenSeconds: settings.accessTokenSeconds,
      isRefreshable: () => true,
    }),
    documentsOf: createRecordsOf(people, nowMs, (member) => new PersonDocuments(member)),
    rateLimiter: new OuraRateLimiter(settings.rateLimits, nowMs),
    subscriptions: new Subscriptions(nowMs),
  }
}
