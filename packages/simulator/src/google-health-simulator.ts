/** Composes and starts the simulated Google Health. Its webhooks need a service account, so it sends none here. */
import { addGoogleDataRoutes } from "./google-health/data-routes.ts"
import { ACCESS_SECONDS, addGoogleTokenRoutes, googleAuthorization } from "./google-health/oauth.ts"
import { PersonPoints } from "./google-health/points.ts"
import {
  type GoogleHealthOptions,
  GoogleRateLimiter,
  type GoogleVendor,
  googleSettings,
  tooMany,
} from "./google-health/vendor.ts"
import {
  type GoogleRecords,
  idOf,
  type WireDaily,
  type WireDailyType,
  type WireGoogleBodyFat,
  type WireGoogleDay,
  type WireGoogleExercise,
  type WireGoogleSleep,
  type WireGoogleWeight,
} from "./google-health/wire.ts"
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
import { createRecordsOf } from "./world/growing-records.ts"

interface GoogleEdits extends Readonly<Record<WireDailyType, RecordEdits<WireDaily>>> {
  readonly sleep: RecordEdits<WireGoogleSleep>
  readonly exercise: RecordEdits<WireGoogleExercise>
  readonly days: RecordEdits<WireGoogleDay>
  readonly weight: RecordEdits<WireGoogleWeight>
  readonly bodyFat: RecordEdits<WireGoogleBodyFat>
}

export interface GoogleHealthSimulatorOptions extends WorldOptions, ServerOptions, GoogleHealthOptions {
  /** Another running simulator: both vendors measure its people, by its clock. */
  readonly beside?: World
}

/** `url` is the value for GOOGLE_HEALTH_BASE_URL. */
export type GoogleHealthSimulator = RunningVendor<GoogleEdits, GoogleRecords>

/** Starts a simulated Google Health on a loopback address. */
export async function startGoogleHealthSimulator(
  options: GoogleHealthSimulatorOptions = {},
): Promise<GoogleHealthSimulator> {
  const world = options.beside ?? createWorld(options)
  const { clock, people } = world
  const nowMs = () => clock.nowMs()
  const settings = googleSettings(options)
  const vendor: GoogleVendor = {
    settings,
    clock,
    people,
    grants: createGrants(options, { nowMs, accessTokenSeconds: ACCESS_SECONDS, isRefreshable: () => true }),
    pointsOf: createRecordsOf(people, nowMs, (member) => new PersonPoints(member)),
    rateLimiter: new GoogleRateLimiter(settings.callsPerMinute, nowMs),
  }
  const api: VendorApi = {
    addRoutes(app) {
      addAuthorizeRoutes(app, googleAuthorization(vendor))
      addGoogleTokenRoutes(app, vendor)
      addGoogleDataRoutes(app, vendor)
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
      createEdits: (webhooks) => createGoogleEdits(vendor, webhooks),
      editsByName: (edits) => ({ ...edits }),
      read: (person) => visiblePoints(vendor.pointsOf(person), nowMs()),
    },
  )
}

function createGoogleEdits({ pointsOf }: GoogleVendor, webhooks: Webhooks): GoogleEdits {
  const editsOf = createUnannouncedEdits(webhooks, pointsOf)
  const dailyOf = (type: WireDailyType) => editsOf(({ daily }) => daily[type], idOf)
  const stampOf = (type: string) => (atMs: number) => ({ [type]: { updateTime: new Date(atMs).toISOString() } })
  return {
    sleep: editsOf(({ sleep }) => sleep, idOf, stampOf("sleep")),
    exercise: editsOf(({ exercise }) => exercise, idOf, stampOf("exercise")),
    days: editsOf(
      ({ days }) => days,
      ({ date }) => date,
    ),
    weight: editsOf(({ weight }) => weight, idOf),
    bodyFat: editsOf(({ bodyFat }) => bodyFat, idOf),
    "daily-resting-heart-rate": dailyOf("daily-resting-heart-rate"),
    "daily-heart-rate-variability": dailyOf("daily-heart-rate-variability"),
    "daily-oxygen-saturation": dailyOf("daily-oxygen-saturation"),
    "daily-respiratory-rate": dailyOf("daily-respiratory-rate"),
    "daily-sleep-temperature-derivations": dailyOf("daily-sleep-temperature-derivations"),
  }
}

function visiblePoints(points: PersonPoints, nowMs: number): GoogleRecords {
  const daily = (type: WireDailyType) => points.daily[type].copiesAt(nowMs)
  return {
    sleep: points.sleep.copiesAt(nowMs),
    exercise: points.exercise.copiesAt(nowMs),
    daily: {
      "daily-resting-heart-rate": daily("daily-resting-heart-rate"),
      "daily-heart-rate-variability": daily("daily-heart-rate-variability"),
      "daily-oxygen-saturation": daily("daily-oxygen-saturation"),
      "daily-respiratory-rate": daily("daily-respiratory-rate"),
      "daily-sleep-temperature-derivations": daily("daily-sleep-temperature-derivations"),
    },
    days: points.days.copiesAt(nowMs),
    weight: points.weight.copiesAt(nowMs),
    bodyFat: points.bodyFat.copiesAt(nowMs),
  }
}
