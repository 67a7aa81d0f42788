import { openPool } from "@restwell/core"
import type { Simulator } from "@restwell/simulator"
import { startPostgres } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { type Nginx, startNginx } from "@restwell/testing/nginx"
import { reservePort } from "@restwell/testing/port"
import { type ServiceProcess, serviceEnvironment, startServiceProcess } from "@restwell/testing/service"
import { startVendor } from "@restwell/testing/vendor"

/** The monthly limit of the free plan, which its readers reach. */
export const FREE_LIMIT = 500
const DAYS = 30

/** A person with an account, a connection and a key. */
export interface Reader {
  readonly member: Member
  readonly key: string
}

/** Two replicas and a worker on one PostgreSQL, each in its own process, behind nginx. */
export interface Cluster {
  readonly ports: readonly [number, number]
  readonly replicas: Map<number, ServiceProcess>
  startReplica(port: number): Promise<void>
  openNginx(ports: readonly number[]): Promise<Nginx>
  addReaders(count: number, plan: "free" | "pro"): Promise<Reader[]>
  /** How many requests the database has counted this month, by email address. */
  counted(): Promise<ReadonlyMap<string, number>>
  close(): Promise<void>
}

export async function openCluster(program: string): Promise<Cluster> {
  await using started = new AsyncDisposableStack()
  const simulator = await startVendor({ days: DAYS })
  started.defer(() => simulator.close())
  const postgres = await startPostgres()
  started.defer(() => postgres.remove())
  const reserve = (): number => started.use(reservePort()).port
  const ports = [reserve(), reserve()] as const
  const nginxPort = reserve()
  const environment = {
    ...serviceEnvironment(postgres, simulator),
    BASE_URL: `http://localhost:${nginxPort}`,
    TRUST_PROXY: "loopback",
    FREE_MONTHLY_REQUESTS: String(FREE_LIMIT),
    PRO_MONTHLY_REQUESTS: "100000000",
    LOG_LEVEL: "warn",
  }
  const replicas = new Map<number, ServiceProcess>()
  started.defer(async () => void (await Promise.all([...replicas.values()].map((replica) => replica.stop()))))
  const startReplica = async (port: number): Promise<void> => {
    replicas.set(port, await startServiceProcess({ port, environment, role: "api" }))
  }
  for (const port of ports) await startReplica(port)
  const worker = await startServiceProcess({ port: reserve(), environment, role: "worker" })
  started.defer(async () => void (await worker.stop()))
  const pool = openPool({ connectionString: postgres.url, max: 1 }, () => {})
  started.defer(() => pool.end())
  const running = started.move()
  let people = 0
  return {
    ports,
    replicas,
    startReplica,
    openNginx: (to) => startNginx(program, nginxPort, to),
    async addReaders(count, plan) {
      const readers: Reader[] = []
      for (const last = people + count; people < last; people += 1)
        readers.push(await addReader(`http://localhost:${ports[0]}`, simulator, people))
      await pool.query(
        'update restwell.person set plan = $1 where user_id in (select id from restwell."user" where email = any ($2))',
        [plan, readers.map(({ member }) => member.email)],
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

/** Each person comes from another network, because sign-ups are limited by network. */
const addReader = (url: string, simulator: Simulator, number: number): Promise<Reader> =>
  Member.connected({ url }, simulator.people.add({ email: `person-${number}@vendor.example` }), {
    "x-forwarded-for": `10.${number >> 8}.${number & 255}.1`,
  })
