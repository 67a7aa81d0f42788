/**
 * Publishes people to Home Assistant. One process is connected to the broker: the one that has the job of the connection, over all processes. It
 * alone runs the jobs of people. Its last will says `offline` when it dies, and the process that takes the job over says `online` again.
 */

import { MINUTE_MS } from "@restwell/client/time-units"
import {
  availabilityTopic,
  BIRTH_TOPIC,
  BROKER_JOB,
  type ClaimedJob,
  type Context,
  type DueTime,
  discoveryOf,
  type HomeAssistantContext,
  installationOf,
  isDatabaseAway,
  type JobPlace,
  markPublished,
  noteLink,
  type Publication,
  preparePublication,
  removedDevice,
  requestAllPublications,
  scheduleBroker,
  sendHistory,
  topicsOf,
} from "@restwell/core"
import type { OptionalWork } from "../jobs/optional-work.ts"
import { unlessAborted, type Wait } from "../process/wait.ts"
import { type Broker, type BrokerOptions, connectBroker } from "./broker.ts"
import { HomeAssistantFault } from "./fault.ts"
import { type HomeAssistantAddress, openStatistics, type StatisticsSocket } from "./statistics-socket.ts"

/** A broker that was away is tried after these, each pause twice as long as the one before. */
const BROKER_PAUSES_MS = { first: 1_000, longest: MINUTE_MS }
/** The same for Home Assistant's own address. */
const HISTORY_PAUSES_MS = { first: 15_000, longest: 60 * MINUTE_MS }
/** What could not be removed is tried with the next connection, or after this time. */
const REMOVE_AGAIN_MS = 10 * MINUTE_MS
/** A stop does not wait longer for a broker. */
const GOODBYE_MS = 2_000

const pauseAfter = (failures: number, { first, longest }: typeof BROKER_PAUSES_MS): number =>
  Math.min(first * 2 ** Math.max(0, failures - 1), longest)

type BrokerAddress = Pick<BrokerOptions, "url">

interface HomeAssistantWorkOptions extends Pick<HomeAssistantContext, "pool" | "statistics"> {
  /** The broker to use now. Undefined while none is set up: the jobs wait. */
  readonly broker: () => BrokerAddress | undefined
  /** Home Assistant's own address and token. */
  readonly history: () => HomeAssistantAddress | undefined
  /** Names the settings in use: another text is another setting. */
  readonly settingsVersion: () => string
  readonly baseUrl: () => string
  /** Waits on the service's clock. */
  readonly wait: Wait
  /** There may be a job that this process can do now. */
  readonly ring: () => void
}

const BROKER_PLACE: JobPlace = { ...BROKER_JOB, minPriority: 0 }
/** People's jobs have a higher priority than the connection's, so that they do not take its place. */
const PEOPLE_PLACES: readonly JobPlace[] = [{ kind: "home_assistant", minPriority: 1 }]

/** State and events, by the broker. */
export function createHomeAssistantWork(options: HomeAssistantWorkOptions): OptionalWork {
  const { broker: address, settingsVersion } = options
  const isSetUp = () => address() !== undefined
  const link = new BrokerLink(options)
  let scheduled: string | undefined
  return {
    places: () => (!isSetUp() ? [] : link.isHeld ? [BROKER_PLACE, ...PEOPLE_PLACES] : [BROKER_PLACE]),
    async addDue(context) {
      const version = settingsVersion()
      if (version === scheduled) return
      link.useNewSettings()
      if (isSetUp()) await scheduleBroker(context)
      scheduled = version
    },
    run: (context, job, signal) =>
      job.key === BROKER_JOB.key
        ? link.hold(context, signal)
        : runPerson(options, link, { context, job }).catch((error: unknown) =>
            signal.aborted ? ("at_once" as const) : afterFailure(context, error),
          ),
  }
}

/** After an error that nobody expected. */
const RETRY_MS = 5 * MINUTE_MS

/** @returns when to try again. While the database is away the job waits for it. @throws then */
function afterFailure({ logger, clock }: Context, error: unknown): Date {
  if (isDatabaseAway(error)) throw error
  logger.error({ err: error }, "could not publish a person to Home Assistant")
  return new Date(clock.now().getTime() + RETRY_MS)
}

/** The connection of this process, if it has the job of the connection. */
class BrokerLink {
  readonly #options: HomeAssistantWorkOptions
  /** Aborts when other settings are in use. */
  #changed = new AbortController()
  #installation = ""
  #connected: Broker | undefined
  /** The failure that the log has. */
  #logged: string | undefined
  isHeld = false

  constructor(options: HomeAssistantWorkOptions) {
    this.#options = options
  }

  /** Undefined while the broker is away. */
  get connected(): Broker | undefined {
    return this.#connected
  }

  get installation(): string {
    return this.#installation
  }

  useNewSettings(): void {
    this.#logged = undefined
    this.#changed.abort()
  }

  /** Stays connected until the signal aborts. After a failure it tries again, after growing pauses. */
  async hold(context: Context, signal: AbortSignal): Promise<DueTime | undefined> {
    const { broker, wait, ring } = this.#options
    this.isHeld = true
    ring()
    try {
      for (let failures = 0; !signal.aborted; ) {
        this.#changed = new AbortController()
        const until = AbortSignal.any([signal, this.#changed.signal])
        try {
          const address = broker()
          // It is taken again once there is a broker.
          if (address === undefined) return "at_once"
          await this.#use(context, address, {
            until,
            onConnected() {
              failures = 0
            },
          })
          continue
        } catch (error) {
          if (until.aborted) continue
          failures += 1
          await this.#note(context, error)
        }
        await wait(pauseAfter(failures, BROKER_PAUSES_MS), until).catch(() => {})
      }
      return undefined
    } finally {
      this.isHeld = false
    }
  }

  /** The failure is stored for the operator, if the database can. */
  async #note(context: Context, error: unknown): Promise<void> {
    const { logger } = context
    if (error instanceof HomeAssistantFault) {
      // A broker may be away for months, and is tried each minute.
      if (error.message !== this.#logged) logger.warn({ code: error.code }, `MQTT: ${error.message}`)
      this.#logged = error.message
    } else logger.error({ err: error }, "the connection to the MQTT broker failed")
    const words = error instanceof HomeAssistantFault ? error.message : "an unexpected error, which the log has"
    await noteLink(context, "broker", words).catch((err: unknown) =>
      logger.debug({ err }, "could not store why the MQTT broker failed"),
    )
  }

  /** Resolves when the signal aborts. @throws {HomeAssistantFault} when the connection fails or is lost */
  async #use(
    context: Context,
    address: BrokerAddress,
    { until, onConnected }: { readonly until: AbortSignal; readonly onConnected: () => void },
  ): Promise<void> {
    this.#installation = await installationOf(context)
    const topic = availabilityTopic(this.#installation)
    const unheard = (error: unknown) => context.logger.warn({ err: error }, "could not answer a message of the broker")
    let isLeaving = false
    let open: Broker | undefined
    const topics = [BIRTH_TOPIC, topic]
    const broker = await connectBroker({
      ...address,
      signal: until,
      will: { topic, payload: "offline" },
      topics,
      onMessage(from, payload) {
        if (from === BIRTH_TOPIC && payload === "online") requestAllPublications(context).catch(unheard)
        // The last will of a process that was connected before. A retained one arrives before the connection is open, and `online` follows it.
        if (from === topic && payload === "offline" && !isLeaving)
          open?.publish(topic, "online", { isRetained: true }).catch(unheard)
      },
    })
    open = broker
    if (!broker.isSubscribed)
      context.logger.warn(
        { topics },
        "MQTT: the broker lets this user not read these topics, so it tells of no restart",
      )
    try {
      await broker.publish(topic, "online", { isRetained: true })
      this.#connected = broker
      this.#logged = undefined
      onConnected()
      await noteLink(context, "broker", null)
      await requestAllPublications(context)
      context.logger.info({}, "connected to the MQTT broker")
      await unlessAborted(broker.closed, until)
      throw new HomeAssistantFault("unreachable", "the broker closed the connection")
    } catch (error) {
      if (!until.aborted) throw error
      isLeaving = true
      const leave = broker.publish(topic, "offline", { isRetained: true }).then(() => broker.close())
      await unlessAborted(leave, AbortSignal.timeout(GOODBYE_MS)).catch(() => {})
    } finally {
      this.#connected = undefined
      broker.end()
    }
  }
}

async function runPerson(
  { pool, statistics, baseUrl }: HomeAssistantWorkOptions,
  link: BrokerLink,
  { context, job }: { readonly context: Context; readonly job: ClaimedJob },
): Promise<DueTime | undefined> {
  const removed = removedDevice(job.key)
  const { connected, installation } = link
  if (removed !== undefined) {
    if (connected && (await isPublished(() => clearTopics(connected, removed)))) return undefined
    return new Date(context.clock.now().getTime() + REMOVE_AGAIN_MS)
  }
  const publication = await preparePublication({ ...context, pool, statistics }, job.key)
  // A change of the data has requested the job again.
  if (publication === "gone" || publication === "changing") return undefined
  // The next connection requests it again, so nothing is lost while the broker is away.
  if (!connected || !(await isPublished(() => publish(connected, publication, { context, installation, baseUrl }))))
    return publication.nextAt
  await markPublished(context, publication)
  return publication.nextAt
}

/** False if the broker was lost meanwhile. */
async function isPublished(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof HomeAssistantFault) return false
    throw error
  }
}

interface PublishOptions extends Pick<HomeAssistantWorkOptions, "baseUrl"> {
  readonly context: Context
  readonly installation: string
}

/** Home Assistant ignores a discovery message that it knows. */
async function publish(broker: Broker, publication: Publication, options: PublishOptions): Promise<void> {
  const { device, name, figures, state, event } = publication
  const { context, installation, baseUrl } = options
  const topics = topicsOf(device)
  const discovery = discoveryOf({ device, name, figures, installation, version: context.version, baseUrl: baseUrl() })
  await broker.publish(topics.discovery, JSON.stringify(discovery), { isRetained: true })
  await broker.publish(topics.state, JSON.stringify(state), { isRetained: true })
  if (event) await broker.publish(topics.event, JSON.stringify(event))
}

/** An empty discovery message removes the device, and an empty retained one is forgotten by the broker. */
async function clearTopics(broker: Broker, device: string): Promise<void> {
  const { discovery, state } = topicsOf(device)
  for (const topic of [discovery, state]) await broker.publish(topic, "", { isRetained: true })
}

/** The history, by Home Assistant's own address. */
export function createHistoryWork(options: Omit<HomeAssistantWorkOptions, "broker" | "ring">): OptionalWork {
  const { history, settingsVersion, pool, statistics } = options
  const places: readonly JobPlace[] = [{ kind: "home_assistant_history", minPriority: 0 }]
  let failures = 0
  let scheduled: string | undefined
  const isSetUp = () => history() !== undefined
  return {
    places: () => (isSetUp() ? places : []),
    async addDue(context) {
      const version = settingsVersion()
      if (version === scheduled) return
      failures = 0
      if (isSetUp()) await requestAllPublications(context)
      scheduled = version
    },
    async run(context, { key: device }, signal) {
      let socket: StatisticsSocket | undefined
      try {
        const address = history()
        // It is taken again once there is an address.
        if (address === undefined) return "at_once"
        const next = await sendHistory({ ...context, pool, statistics }, device, {
          url: address.url,
          async send(all) {
            socket ??= await openStatistics(address, signal)
            await socket.send(all)
          },
        })
        if (socket) await noteLink(context, "history", null)
        failures = 0
        return next
      } catch (error) {
        if (signal.aborted) return "at_once"
        if (!(error instanceof HomeAssistantFault)) return afterFailure(context, error)
        failures += 1
        context.logger.warn({ code: error.code }, `history for Home Assistant: ${error.message}`)
        await noteLink(context, "history", error.message)
        return new Date(context.clock.now().getTime() + pauseAfter(failures, HISTORY_PAUSES_MS))
      } finally {
        socket?.close()
      }
    },
  }
}
