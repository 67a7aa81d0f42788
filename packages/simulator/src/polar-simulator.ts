/** Composes and starts the simulated Polar. */
import type { VendorApi } from "./http/vendor-api.ts"
import { addPolarDataRoutes } from "./polar/data-routes.ts"
import { addPolarTokenRoute, addRegistrationRoutes, polarAuthorization } from "./polar/oauth.ts"
import { OwnWebhook, type PolarWebhook } from "./polar/own-webhook.ts"
import { PersonRows } from "./polar/rows.ts"
import {
  type PolarOptions,
  PolarRateLimiter,
  type PolarVendor,
  polarSettings,
  Registrations,
  TOKEN_SECONDS,
} from "./polar/vendor.ts"
import { addWebhookRoutes, createPolarEventSource } from "./polar/webhooks.ts"
import type { PolarRecords, WireDay, WireExercise, WireNight, WireRecharge, WireTemperature } from "./polar/wire.ts"
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

interface PolarEdits {
  readonly nights: RecordEdits<WireNight>
  readonly recharges: RecordEdits<WireRecharge>
  readonly temperatures: RecordEdits<WireTemperature>
  readonly days: RecordEdits<WireDay>
  readonly exercises: RecordEdits<WireExercise>
}

export interface PolarSimulatorOptions extends WorldOptions, ServerOptions, PolarOptions {
  /** Another running simulator: both vendors measure its people, by its clock. */
  readonly beside?: World
}

/** `url` is the value for POLAR_BASE_URL. */
export interface PolarSimulator extends RunningVendor<PolarEdits, PolarRecords> {
  /** Returns when a person's data were served first. Undefined before. */
  firstServedMs(person: PersonReference): number | undefined
  /** Returns the app's webhook, its secret included. Undefined before there is one. */
  webhook(): PolarWebhook | undefined
}

/** Starts a simulated Polar on a loopback address. */
export async function startPolarSimulator(options: PolarSimulatorOptions = {}): Promise<PolarSimulator> {
  const world = options.beside ?? createWorld(options)
  const { clock, people } = world
  const nowMs = () => clock.nowMs()
  const settings = polarSettings(options)
  const vendor: PolarVendor = {
    settings,
    clock,
    people,
    grants: createGrants(options, { nowMs, accessTokenSeconds: TOKEN_SECONDS, isRefreshable: () => false }),
    rowsOf: createRecordsOf(people, nowMs, (member) => new PersonRows(member)),
    registrations: new Registrations(settings.registeredSince),
    rateLimiter: new PolarRateLimiter(settings.rateLimits, nowMs),
    webhook: new OwnWebhook(),
  }
  const api: VendorApi = {
    addRoutes(app) {
      addAuthorizeRoutes(app, polarAuthorization(vendor))
      addPolarTokenRoute(app, vendor)
      addRegistrationRoutes(app, vendor)
      addPolarDataRoutes(app, vendor)
      addWebhookRoutes(app, vendor)
    },
    ownerOf: (token) => vendor.grants.ownerOf(token),
    rateLimitExceeded: () => vendor.rateLimiter.tooMany(),
  }
  const running = await startVendor(
    options,
    { ...world, isShared: options.beside !== undefined },
    {
      grants: vendor.grants,
      api,
      source: createPolarEventSource(vendor),
      createEdits: (webhooks) => createPolarEdits(vendor, webhooks),
      editsByName: (edits) => ({ ...edits }),
      read: (person) => visibleRows(vendor.rowsOf(person), nowMs()),
    },
  )
  return {
    ...running,
    firstServedMs: (person) => vendor.registrations.firstServedMs(people.get(person).userId),
    webhook: () => vendor.webhook.get(),
  }
}

/** Rows have no time of their last change. A night or day that is written again is announced, of exercises the new ones alone. */
function createPolarEdits({ rowsOf, people }: PolarVendor, webhooks: Webhooks): PolarEdits {
  const editsOf = <T extends object>(
    collectionOf: (rows: PersonRows) => Collection<T>,
    keyOf: (row: T) => string,
    announcedAs: (collection: Collection<T>, key: string, atMs: number) => string | undefined = () => undefined,
  ) =>
    createRecordEdits<T>(webhooks, (person) => {
      const collection = collectionOf(rowsOf(person))
      return {
        collection,
        keyOf,
        stamp: () => ({}),
        follow(id, verb, atMs) {
          const type = verb === "deleted" ? undefined : announcedAs(collection, id, atMs)
          return type === undefined ? [] : [{ atMs, userId: people.get(person).userId, type, id }]
        },
      }
    })
  return {
    nights: editsOf(
      ({ nights }) => nights,
      ({ date }) => date,
      () => "SLEEP",
    ),
    recharges: editsOf(
      ({ recharges }) => recharges,
      ({ date }) => date,
    ),
    temperatures: editsOf(
      ({ temperatures }) => temperatures,
      ({ sleep_date }) => sleep_date,
    ),
    days: editsOf(
      ({ days }) => days,
      ({ start_time }) => start_time.slice(0, 10),
      () => "ACTIVITY_SUMMARY",
    ),
    exercises: editsOf(
      ({ exercises }) => exercises,
      ({ id }) => id,
      (exercises, id, atMs) => (exercises.at(id, atMs - 1) === null ? "EXERCISE" : undefined),
    ),
  }
}

function visibleRows(rows: PersonRows, nowMs: number): PolarRecords {
  const oldestFirst = <T extends object>(collection: Collection<T>): T[] => collection.copiesAt(nowMs).toReversed()
  return {
    nights: oldestFirst(rows.nights),
    recharges: oldestFirst(rows.recharges),
    temperatures: oldestFirst(rows.temperatures),
    days: oldestFirst(rows.days),
    exercises: oldestFirst(rows.exercises),
  }
}
