import { openPool } from "@restwell/core"
import { startSimulator } from "@restwell/simulator"
import { freePort } from "../../packages/server/src/demo/free-port.ts"
import { type Nginx, startNginx } from "../../test/support/nginx.ts"
import { startOwnPostgres } from "../../test/support/own-postgres.ts"
import { replicaEnvironment, type ServiceProcess, startProcess } from "../../test/support/service-process.ts"
import { addReader, type Reader } from "./people.ts"

/** What the service allows in a month: the free plan's readers run into it. */
export const FREE_LIMIT = 500
const DAYS = 30

/** Two replicas and a worker on one PostgreSQL, each a process of its own, and nginx in front. */
export interface Cluster {
  readonly ports: readonly [number, number]
  readonly replicas: Map<number, ServiceProcess>
  startReplica(port: number): Promise<void>
  openNginx(ports: readonly number[]): Promise<Nginx>
  addReaders(count: number, plan: "free" | "pro"): Promise<Reader[]>
  /** What the database holds as counted this month, by who. */
  counted(): Promise<ReadonlyMap<string, number>>
  close(): Promise<void>
}

export async function openCluster(program: string): Promise<Cluster> {
  await using started = new AsyncDisposableStack()
  const simulator = await startSimulator({ days: DAYS, defaultPeople: false, autoApprove: true, rateLimits: "off" })
  started.defer(() => simulator.close())
  const postgres = await startOwnPostgres()
  started.defer(() => postgres.remove())
  const ports: [number, number] = [await freePort(0), await freePort(0)]
  const nginxPort = await freePort(0)
  const environment = {
    ...replicaEnvironment(postgres.url, simulator.url),
    BASE_URL: `http://localhost:${nginxPort}`,
    TRUST_PROXY: "loopback",
    FREE_MONTHLY_REQUESTS: String(FREE_LIMIT),
    PRO_MONTHLY_REQUESTS: "100000000",
    LOG_LEVEL: "warn",
  }
  const replicas = new Map<number, ServiceProcess>()
  started.defer(async () => void (await Promise.all([...replicas.values()].map((replica) => replica.stop()))))
  const startReplica = async (port: number): Promise<void> => {
    replicas.set(port, await startProcess({ port, environment, role: "api", isQuiet: true }))
  }
  for (const port of ports) await startReplica(port)
  const worker = await startProcess({ port: await freePort(0), environment, role: "worker", isQuiet: true })
  started.defer(async () => void (await worker.stop()))
  const pool = openPool({ connectionString: postgres.url, max: 1 }, () => {})
  started.defer(() => pool.end())
  const running = started.move()
  let known = 0
  return {
    ports,
    replicas,
    startReplica,
    openNginx: (to) => startNginx(program, nginxPort, to),
    async addReaders(count, plan) {
      const readers: Reader[] = []
      while (readers.length < count) {
        known += 1
        readers.push(await addReader(`http://localhost:${ports[0]}`, simulator, known))
      }
      await pool.query(
        'update restwell.person set plan = $1 where user_id in (select id from restwell."user" where email = any ($2))',
        [plan, readers.map(({ userEmail }) => userEmail)],
      )
      return readers
    },
    async counted() {
      const { rows } = await pool.query(
        'select u.email, coalesce(sum(c.used), 0)::integer as used from restwell."user" u left join restwell.usage c on c.user_id = u.id group by u.email',
      )
      return new Map(rows.map(({ email, used }) => [String(email), Number(used)]))
    },
    close: () => running.disposeAsync(),
  }
}
