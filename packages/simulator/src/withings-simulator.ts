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
import { createUnannouncedEdits, type RecordEdits } from "./vendor/control-api.ts"
import { NO_EVENTS, type Webhooks } from "./vendor/webhooks.ts"
import { addWithingsDataRoutes } from "./withings/data-routes.ts"
import { addWithingsTokenRoutes, withingsAuthorization } from "./withings/oauth.ts"
import { PersonRows } from "./withings/rows.ts"
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
import { createRecordsOf } from "./world/growing-records.ts"

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
    rowsOf: createRecordsOf(people, nowMs, (member) => new PersonRows(member)),
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

function createWithingsEdits({ rowsOf }: WithingsVendor, webhooks: Webhooks): WithingsEdits {
  const editsOf = createUnannouncedEdits(webhooks, rowsOf)
  const stamp = (atMs: number) => ({ modified: Math.floor(atMs / 1000) })
  return {
    sleep: editsOf(
      ({ sleep }) => sleep,
      ({ id }) => String(id),
      stamp,
    ),
    workouts: editsOf(
      ({ workouts }) => workouts,
      ({ id }) => String(id),
      stamp,
    ),
    activity: editsOf(
      ({ activity }) => activity,
      ({ date, brand }) => `${date}/${brand}`,
      stamp,
    ),
    measures: editsOf(
      ({ measures }) => measures,
      ({ grpid }) => String(grpid),
      stamp,
    ),
  }
}

function visibleRows({ sleep, workouts, activity, measures }: PersonRows, nowMs: number): WithingsRecords {
  return {
    sleep: sleep.copiesAt(nowMs),
    workouts: workouts.copiesAt(nowMs),
    activity: activity.copiesAt(nowMs),
    measures: measures.copiesAt(nowMs),
  }
}
