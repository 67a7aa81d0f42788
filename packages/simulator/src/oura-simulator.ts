/** Composes and starts the simulated Oura. */
import type { ServerOptions, WorldOptions } from "./options.ts"
import { createOuraEdits, type OuraEdits } from "./oura/edits.ts"
import { createOuraEventSource } from "./oura/events.ts"
import { createOuraApi } from "./oura/oura-api.ts"
import { OuraRateLimiter } from "./oura/rate-limit.ts"
import { createDocumentsOf, visibleDocuments } from "./oura/records/person-documents.ts"
import type { OuraRecords } from "./oura/records/wire.ts"
import { type OuraOptions, ouraSettings } from "./oura/settings.ts"
import { type Subscription, Subscriptions } from "./oura/subscriptions.ts"
import type { OuraVendor } from "./oura/vendor.ts"
import { createGrants, type RunningVendor, startVendor } from "./start-vendor.ts"
import { createWorld, type World } from "./world.ts"

export interface OuraSimulatorOptions extends WorldOptions, ServerOptions, OuraOptions {
  /** Another running simulator: both vendors measure its people, by its clock. */
  readonly beside?: World
}

/** `url` is the value for OURA_BASE_URL. */
export interface OuraSimulator extends RunningVendor<OuraEdits, OuraRecords> {
  /** Returns the app's subscriptions to webhooks, expired ones too. */
  subscriptions(): readonly Subscription[]
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
  return { ...running, subscriptions: () => vendor.subscriptions.list() }
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
    documentsOf: createDocumentsOf(people, nowMs),
    rateLimiter: new OuraRateLimiter(settings.rateLimits, nowMs),
    subscriptions: new Subscriptions(nowMs),
  }
}
