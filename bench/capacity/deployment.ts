/** A filled PostgreSQL, the API and a worker in processes of their own, a simulated vendor, and a receiver of briefings. */
import { once } from "node:events"
import { rm } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { migrate, openDatabase, openPool } from "@restwell/core"
import type { Simulator } from "@restwell/simulator"
import { makeFolder, type Postgres, postmasterPid, startPostgres } from "@restwell/testing/database"
import { reservePort } from "@restwell/testing/port"
import { quotaOf, type ServiceProcess, serviceEnvironment, startServiceProcess } from "@restwell/testing/service"
import { startVendor } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import type { Pool } from "pg"
import { checkSpaceFor, LOG_SIZE, REBUILT_FROM } from "../growth/growth.ts"
import { type Filled, fillPopulation } from "../population/fill-population.ts"
import type { Measured } from "./cost.ts"

export interface DeploymentOptions {
  /** People who are filled in from templates. */
  readonly people: number
  readonly days: number
}

export interface Deployment extends AsyncDisposable {
  readonly folder: string
  readonly postgres: Postgres
  readonly pool: Pool
  readonly environment: Readonly<Record<string, string>>
  readonly api: ServiceProcess
  readonly worker: ServiceProcess
  readonly simulator: Simulator
  /** Core on the same database, to connect people without a browser. */
  readonly world: World
  /** Takes every briefing. */
  readonly receiverUrl: string
  readonly measured: Measured
  readonly filled: Filled
  /** Bytes of the database once it is filled. */
  readonly bytes: number
}

const MOST_REQUESTS = 100_000_000
const TEMPLATES = 4
const RECORDS_A_DAY = 4
const UNCOUNTED = { acquire: async () => {}, report: async () => {} }

export async function openDeployment({ people, days }: DeploymentOptions): Promise<Deployment> {
  await using opened = new AsyncDisposableStack()
  const folder = await makeFolder("capacity")
  opened.defer(() => rm(folder, { recursive: true }))
  await checkSpaceFor(folder, { people, days })
  const postgres = await startPostgres({ settings: { max_wal_size: LOG_SIZE } })
  opened.defer(() => postgres.remove())
  const pool = openPool({ ...postgres.connection, max: 4 }, () => {})
  opened.defer(() => pool.end())
  await migrate(openDatabase(pool))
  const filled = await fillPopulation({
    connection: postgres.connection,
    cohorts: [{ first: 0, people, days }],
    templates: TEMPLATES,
    rebuildIndexes: people * days * RECORDS_A_DAY > REBUILT_FROM,
  })
  // Their grants are copies, with which no vendor answers. A time more than two days ahead counts as wrong.
  await pool.query("update restwell.connection set next_sync_at = now() + interval '47 hours'")
  await pool.query("vacuum (analyze) restwell.connection")
  await pool.query("checkpoint")
  const bytes = await databaseBytes(pool)

  const simulator = await startVendor({ seed: "capacity", days, wearsAlways: true })
  opened.defer(() => simulator.close())
  const world = await createWorld({ simulator, pool, gateFor: () => UNCOUNTED, cacheBytes: 0 })
  opened.defer(() => world.close())
  const receiver = opened.use(await startReceiver())
  const environment = {
    ...serviceEnvironment(postgres, simulator),
    ...quotaOf(MOST_REQUESTS),
    ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${receiver.port}`,
  }
  const start = async (role: "api" | "worker"): Promise<ServiceProcess> => {
    const { port } = opened.use(reservePort())
    const service = await startServiceProcess({ role, port, environment, logFile: join(folder, `${role}.log`) })
    opened.defer(async () => void (await service.stop()))
    return service
  }
  const [api, worker] = [await start("api"), await start("worker")]
  const databasePid = await postmasterPid(postgres.cluster.home.cluster)
  const running = opened.move()
  return {
    folder,
    postgres,
    pool,
    environment,
    api,
    worker,
    simulator,
    world,
    receiverUrl: `http://127.0.0.1:${receiver.port}/`,
    measured: { pool, servicePids: [api.pid, worker.pid], databasePid },
    filled,
    bytes,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function databaseBytes(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>("select pg_database_size(current_database()) as bytes")
  return Number(rows[0]?.bytes)
}

async function startReceiver(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(204).end())
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    port: typeof address === "object" && address ? address.port : 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}
