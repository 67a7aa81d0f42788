/** Composes and starts the simulated Withings. It sends no notifications: each would be subscribed for one person. */
import type { VendorApi } from "./http/vendor-api.ts"
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
import type { EventSource, Webhooks } from "./vendor/webhooks.ts"
import { addWithingsDataRoutes } from "./withings/data-routes.ts"
import { addWithingsTokenRoutes, withingsAuthorization } from "./withings/oauth.ts"
import { createRowsOf, type PersonRows } from "./withings/rows.ts"
import {
  tooMany,
  type WithingsOptions,
  WithingsRateLimiter,
  type WithingsVendor,
  withingsSettings,
} from "./withings/vendor.ts"
import type {
  WireMeasureGroup,
  WireWithingsActivity,
  WireWithingsSleep,
  WireWithingsWorkout,
  WithingsRecords,
} from "./withings/wire.ts"
import type { Collection } from "./world/collection.ts"
import type { PersonReference } from "./world/people.ts"

interface WithingsEdits {
  readonly sleep: RecordEdits<WireWithingsSleep>
  readonly workouts: RecordEdits<WireWithingsWorkout>
  readonly activity: RecordEdits<WireWithingsActivity>
  readonly measures: RecordEdits<WireMeasureGroup>
}

export interface WithingsSimulatorOptions extends WorldOptions, ServerOptions, WithingsOptions {
  /** Another running simulator: both vendors measure its people, by its clock. */
  readonly beside?: World
}

/** `url` is the value for WITHINGS_BASE_URL. */
export type WithingsSimulator = RunningVendor<WithingsEdits, WithingsRecords>

/** Starts a simulated Withings on a loopback address. */
export async function startWithingsSimulator(options: WithingsSimulatorOptions = {}): Promise<WithingsSimulator> {
  const world = options.beside ?? createWorld(options)
  const { clock, people } = world
  const nowMs = () => clock.nowMs()
  const settings = withingsSettings(options)
  const { accessTokenSeconds, codeSeconds } = settings
  const vendor: WithingsVendor = {
    settings,
    clock,
    people,
    grants: createGrants(options, { nowMs, accessTokenSeconds, codeSeconds, isRefreshable: () => true }),
    rowsOf: createRowsOf(people, nowMs),
    rateLimiter: new WithingsRateLimiter(settings.rateLimits, nowMs),
  }
  const api: VendorApi = {
    addRoutes(app) {
      addAuthorizeRoutes(app, withingsAuthorization(vendor))
      addWithingsTokenRoutes(app, vendor)
      addWithingsDataRoutes(app, vendor)
    },
    ownerOf: (token) => vendor.grants.ownerOf(token),
    rateLimitExceeded: tooMany,
  }
  return startVendor(
    options,
    { ...world, isShared: options.beside !== undefined },
    {
      grants: vendor.grants,
      api,
      source: NO_EVENTS,
      createEdits: (webhooks) => createWithingsEdits(vendor, webhooks),
      editsByName: (edits) => ({ ...edits }),
      read: (person) => visibleRows(vendor.rowsOf(person), nowMs()),
    },
  )
}

const NO_EVENTS: EventSource = {
  eventsBetween: () => [],
  isConnected: () => false,
  write: () => ({ headers: {}, body: "" }),
  retryAfterMs: [],
}

function createWithingsEdits({ rowsOf }: WithingsVendor, webhooks: Webhooks): WithingsEdits {
  const editsOf = <Row extends object>(
    collectionOf: (rows: PersonRows) => Collection<Row>,
    keyOf: (row: Row) => string,
  ) =>
    createRecordEdits<Row>(webhooks, (person: PersonReference) => ({
      collection: collectionOf(rowsOf(person)),
      keyOf,
      stamp: (atMs) => ({ modified: Math.floor(atMs / 1000) }),
      follow: () => [],
    }))
  return {
    sleep: editsOf(
      ({ sleep }) => sleep,
      ({ id }) => String(id),
    ),
    workouts: editsOf(
      ({ workouts }) => workouts,
      ({ id }) => String(id),
    ),
    activity: editsOf(
      ({ activity }) => activity,
      ({ date, brand }) => `${date}/${brand}`,
    ),
    measures: editsOf(
      ({ measures }) => measures,
      ({ grpid }) => String(grpid),
    ),
  }
}

function visibleRows({ sleep, workouts, activity, measures }: PersonRows, nowMs: number): WithingsRecords {
  const bodies = <Row extends object>(collection: Collection<Row>): Row[] =>
    structuredClone(collection.visibleAt(nowMs).map(({ body }) => body))
  return { sleep: bodies(sleep), workouts: bodies(workouts), activity: bodies(activity), measures: bodies(measures) }
}
