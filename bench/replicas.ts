/**
 * `npm run bench:replicas`: two replicas and a worker behind nginx, with deploy/nginx.conf, on one PostgreSQL: whether counts, limits and
 * keys stay exact under load, while a replica is killed or stopped too; and what a replica adds. nginx from the PATH, or NGINX=/path. Everything is
 * on this machine and on loopback, and shares its cores: what is measured is what a replica costs and adds here, not what nginx can do.
 * A promise that is broken ends it with 1.
 */
import { availableParallelism } from "node:os"
import { findNginx } from "../test/support/nginx.ts"
import { print } from "./print.ts"
import { type Cluster, openCluster } from "./replicas/cluster.ts"
import { checkCounts, checkLoss, checkRotations } from "./replicas/correctness.ts"
import { measure } from "./replicas/load.ts"
import type { Reader } from "./replicas/people.ts"

const PEOPLE = 20
/** A drain behind a proxy that does not look at /readyz takes six seconds; the load goes on after it. */
const LOAD_AROUND_STOP_SECONDS = 10
/** As many as there are connections. */
const UNDER_WAY = 32

const program = await findNginx()
if (program === undefined) {
  process.stderr.write("there is no nginx: install one, or name it as NGINX=/path/to/nginx\n")
  process.exit(1)
}
const cluster = await openCluster(program)
try {
  const free = await cluster.addReaders(PEOPLE, "free")
  const pro = await cluster.addReaders(PEOPLE, "pro")
  const perSecond = await printSpeed(cluster, pro)
  if (!(await check(cluster, free, pro, perSecond))) process.exitCode = 1
} finally {
  await cluster.close()
}

async function printSpeed({ ports, openNginx }: Cluster, readers: readonly Reader[]): Promise<number> {
  print([`sleep, 30 days, ${availableParallelism()} cores`, "req/s", "p50 ms", "p99 ms", "of one"])
  const row = async (name: string, url: string, one?: number): Promise<number> => {
    // The first warms up.
    await measure(url, readers)
    const { perSecond, p50Ms, p99Ms } = await measure(url, readers)
    print([`  ${name}`, perSecond.toFixed(0), p50Ms, p99Ms, one === undefined ? "" : (perSecond / one).toFixed(2)])
    return perSecond
  }
  await row("one replica, no proxy", `http://localhost:${ports[0]}`)
  const withNginx = async (name: string, to: readonly number[], one?: number): Promise<number> => {
    const nginx = await openNginx(to)
    try {
      return await row(name, nginx.url, one)
    } finally {
      await nginx.stop()
    }
  }
  const one = await withNginx("nginx, one replica", [ports[0]])
  return withNginx("nginx, two replicas", ports, one)
}

async function check(checked: Cluster, free: Reader[], pro: Reader[], perSecond: number): Promise<boolean> {
  const nginx = await checked.openNginx(checked.ports)
  const { url } = nginx
  const amount = Math.ceil(perSecond * LOAD_AROUND_STOP_SECONDS)
  try {
    print(["promise", "requests", "200", "429/failed", "count +/-", ""])
    const held = [
      await checkCounts(checked, url, free, pro),
      await checkRotations(checked, pro.slice(0, 1)),
      await checkLoss(
        checked,
        { url, readers: pro.slice(1), amount },
        { name: "SIGTERM", signal: "SIGTERM", mayFail: 0 },
      ),
      await checkLoss(
        checked,
        { url, readers: pro.slice(1), amount },
        { name: "kill -9", signal: "SIGKILL", mayFail: UNDER_WAY },
      ),
    ]
    return !held.includes(false)
  } finally {
    await nginx.stop()
  }
}
