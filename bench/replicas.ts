/**
 * `npm run bench:replicas`: two replicas and a worker behind nginx (deploy/nginx.conf) on one PostgreSQL. Checks that counts, limits and keys
 * stay exact under load, even while a replica is stopped or killed, and measures what a second replica adds. Takes nginx from the PATH or from
 * NGINX=/path. All processes share the cores of this machine. Exits with 1 if a guarantee is broken.
 */
import { availableParallelism } from "node:os"
import { findNginx } from "@restwell/testing/nginx"
import { print } from "./measuring/print.ts"
import { type Cluster, openCluster, type Reader } from "./replicas/cluster.ts"
import { checkCounts, checkLoss, checkRotations } from "./replicas/correctness.ts"
import { measure } from "./replicas/load.ts"

const PEOPLE = 20
/** Behind a proxy that does not check /readyz a drain takes six seconds. The load must last longer. */
const LOAD_AROUND_STOP_SECONDS = 10
/** Requests in flight: as many as there are connections. */
const IN_FLIGHT = 32

const program = await findNginx()
if (program === undefined) {
  process.stderr.write("nginx is missing: install it, or set NGINX=/path/to/nginx\n")
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
    // The first run warms up.
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
    print(["guarantee", "requests", "200", "429/failed", "count +/-", ""])
    const kept = [
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
        { name: "kill -9", signal: "SIGKILL", mayFail: IN_FLIGHT },
      ),
    ]
    return !kept.includes(false)
  } finally {
    await nginx.stop()
  }
}
