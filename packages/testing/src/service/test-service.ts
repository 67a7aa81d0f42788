import type { Clock } from "@restwell/core"
import { type Simulator, startSimulator } from "@restwell/simulator"
import { loadConfig, type Role } from "../../packages/server/src/config/config.ts"
import { openSecrets } from "../../packages/server/src/config/open-secrets.ts"
import { freePort } from "../../packages/server/src/demo/free-port.ts"
import { createLogger } from "../../packages/server/src/log.ts"
import { type Service, startService } from "../../packages/server/src/service.ts"
import { createTestDatabase, type TestDatabase } from "./database.ts"

/** The whole service on a port of its own, with a database of its own and a simulated vendor; real time, real HTTP. */
export interface TestService {
  readonly url: string
  readonly simulator: Simulator
  readonly store: TestDatabase
  /** Everything the service logged, as text. */
  readonly log: string[]
  /** Sets the service's own clock so far ahead of everybody else's; behind, when it is negative. */
  skewClock(milliseconds: number): void
  /** Another replica on the same database. */
  startReplica(
    role?: Role,
    environment?: Readonly<Record<string, string>>,
  ): Promise<{ url: string; close(): Promise<void> }>
  /** Stops the first process; replicas go on. */
  closeFirst(): Promise<void>
  close(): Promise<void>
}

export interface TestServiceOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly days?: number
  /** What the first process does. @default "all" */
  readonly role?: Role
  /** Answers for the sites where OAuth clients publish their metadata. */
  readonly fetchDocument?: typeof fetch
}

export async function startTestService({
  environment = {},
  days = 60,
  role = "all",
  fetchDocument,
}: TestServiceOptions = {}): Promise<TestService> {
  const simulator = await startSimulator({
    seed: "service",
    days,
    defaultPeople: false,
    wearsAlways: true,
    rateLimits: "off",
    autoApprove: true,
  })
  const store = await createTestDatabase()
  const log: string[] = []
  let skewMs = 0
  const clock: Clock = { now: () => new Date(simulator.clock.nowMs() + skewMs) }
  const replica = (as: Role, more: Readonly<Record<string, string>> = {}) =>
    startReplica({ simulator, clock, store, log, environment: { ...environment, ...more }, role: as, fetchDocument })
  const first = await replica(role)
  const services = [first.service]
  return {
    url: first.url,
    simulator,
    store,
    log,
    skewClock(milliseconds) {
      skewMs = milliseconds
    },
    async startReplica(as = "all", more = {}) {
      const { url, service } = await replica(as, more)
      services.push(service)
      return { url, close: () => service.close() }
    },
    closeFirst: () => first.service.close(),
    async close() {
      await Promise.all(services.map((service) => service.close()))
      await simulator.close()
      await store.drop()
    },
  }
}

async function startReplica({
  simulator,
  clock,
  store,
  log,
  environment,
  role,
  fetchDocument,
}: Pick<TestService, "simulator" | "store" | "log"> & {
  clock: Clock
  environment: Readonly<Record<string, string>>
  role: Role
  fetchDocument: typeof fetch | undefined
}): Promise<{
  url: string
  service: Service
}> {
  const port = await freePort(0)
  const config = loadConfig(
    {
      PORT: String(port),
      DATABASE_URL: databaseUrlOf(store),
      RESTWELL_SECRET: "a secret of at least thirty-two characters",
      WHOOP_CLIENT_ID: "simulator-client",
      WHOOP_CLIENT_SECRET: "simulator-secret",
      WHOOP_BASE_URL: simulator.url,
      WHOOP_CALLS_PER_MINUTE: "1000000",
      WHOOP_CALLS_PER_DAY: "1000000",
      ...environment,
    },
    ["--role", role],
  )
  const service = await startService({
    config,
    secrets: await openSecrets(config),
    clock,
    logger: createLogger("debug", { write: (line: string) => void log.push(line) }),
    ...(fetchDocument && { fetchDocument }),
    onFatal: (error) => {
      throw error
    },
  })
  return { url: `http://localhost:${port}`, service }
}

/** node-postgres takes a socket's folder as the parameter `host`. */
export function databaseUrlOf({
  connection: { host = "", port = 5432, user = "", database = "" },
}: TestDatabase): string {
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
