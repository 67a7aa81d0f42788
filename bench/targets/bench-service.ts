import { rm } from "node:fs/promises"
import { join } from "node:path"
import { MINUTE_MS } from "@restwell/client/time-units"
import { connectionOf, openCluster } from "@restwell/postgres"
import { makeFolder, startPostgres } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { reservePort } from "@restwell/testing/port"
import {
  quotaOf,
  type ServiceProcess,
  startServiceProcess,
  TEST_SECRET,
  vendorEnvironment,
} from "@restwell/testing/service"
import type { PoolConfig } from "pg"
import { EMAIL, startSimulator } from "./simulator.ts"

/** The quota of each person: more than a benchmark reads. */
const MONTHLY_REQUESTS = 100_000_000
const LOOK_AGAIN_MS = 20
const HISTORY_TIMEOUT_MS = 30 * MINUTE_MS

export interface BenchService extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly member: Member
  readonly key: string
  readonly database: PoolConfig
  /** Milliseconds from the start of the program on an empty DATA_DIR until it was ready. */
  readonly startMs: number
  /** Milliseconds from the approval at the vendor until the whole history was stored. */
  readonly historyMs: number
  readonly simulatorUrl: string
  /** The number of the service's process. */
  pid(): number
  /** Stops the service and starts it again on the same data. Returns the milliseconds until it was ready. */
  restart(): Promise<number>
  close(): Promise<void>
}

export interface BenchServiceOptions {
  /** Days of the person's history. @default 365 */
  readonly days?: number
  /** @default "embedded" */
  readonly postgres?: "embedded" | "external"
  /** Further variables of the service. */
  readonly environment?: Readonly<Record<string, string>>
  /** Path of `restwell.js`, as of an installed package. @default the repository's */
  readonly program?: string | undefined
}

/**
 * The service as it runs for people: a process with its log at the default level, a PostgreSQL that syncs every commit to disk, and a
 * person with data. The simulated vendor is another process.
 */
export async function openBenchService(options: BenchServiceOptions = {}): Promise<BenchService> {
  const { days = 365, postgres = "embedded" } = options
  await using opened = new AsyncDisposableStack()
  const dataDir = await makeFolder("bench")
  opened.defer(() => rm(dataDir, { recursive: true }))
  const simulator = opened.use(await startSimulator(days))
  const external = postgres === "external" ? await startPostgres({ isOverTcp: true }) : undefined
  opened.defer(async () => external?.remove())
  const { port } = opened.use(reservePort())
  const start = () =>
    startServiceProcess({ port, environment, program: options.program, logFile: join(dataDir, "service.log") })
  const environment = {
    ...vendorEnvironment(simulator),
    DATA_DIR: dataDir,
    SIGN_UP: "open",
    ...quotaOf(MONTHLY_REQUESTS),
    RESTWELL_SECRET: TEST_SECRET,
    ...(external && { DATABASE_URL: external.url }),
    ...options.environment,
  }
  let service: ServiceProcess = await start()
  opened.defer(async () => void (await service.stop()))
  const { startMs, url } = service
  const { member, key, historyMs } = await connectMember(url)
  const running = opened.move()
  return {
    url,
    port,
    member,
    key,
    database: external ? { connectionString: external.url } : connectionOf(await openCluster(dataDir)),
    startMs,
    historyMs,
    simulatorUrl: simulator.url,
    pid: () => service.pid,
    async restart() {
      await service.stop()
      service = await start()
      return service.startMs
    },
    close: () => running.disposeAsync(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function connectMember(url: string): Promise<Pick<BenchService, "member" | "key" | "historyMs">> {
  const member = new Member({ url })
  await member.signUp()
  const connectedAt = performance.now()
  await member.connect({ email: EMAIL })
  await member.untilHistoryIsComplete(HISTORY_TIMEOUT_MS, LOOK_AGAIN_MS)
  const historyMs = performance.now() - connectedAt
  return { member, key: await member.newKey(), historyMs }
}
