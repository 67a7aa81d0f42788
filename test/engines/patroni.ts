import { setTimeout as wait } from "node:timers/promises"
import type { Engines } from "@restwell/testing/engines"
import { findPatroni, type PatroniCluster, type PatroniNode, startPatroni } from "@restwell/testing/patroni"
import { expect } from "vitest"
import { startNetwork } from "../whole/network.ts"
import { expectAllStored, type Load, startLoad } from "./fail-over.ts"
import { startServices } from "./installation.ts"

/**
 * `kill`: the primary's machine loses its power. `freeze`: it stops answering, and goes on later. `cut`: it no longer reaches etcd. `switch`:
 * an operator moves the primary, as before an upgrade.
 */
export type Loss = "kill" | "freeze" | "cut" | "switch"

interface Routine {
  readonly loss: Loss
  readonly seed: string
  readonly people: number
  readonly loadMs: number
}

/** What deploy/patroni promises. */
const LONGEST_AWAY_MS = 15_000
const LONGEST_LEADER_MS = 60_000
const LOOK_AGAIN_MS = 200

/** Loses the primary of a Patroni cluster under load, and expects that nothing acknowledged is lost. Returns the figures. */
export async function losePrimary(engines: Engines, { loss, seed, people, loadMs }: Routine): Promise<string> {
  const programs = await findPatroni()
  if ("missing" in programs) throw new Error(programs.missing)
  await using started = new AsyncDisposableStack()
  const openWay = (port: number) => startNetwork({ host: "127.0.0.1", port })
  const cluster = started.use(await startPatroni(engines, programs, openWay))
  const services = await startServices(cluster.url, seed, started)
  const load = await startLoad(services, { seed, people })
  try {
    await wait(loadMs)
    const former = await cluster.leader()
    const lostMs = performance.now()
    await lose(cluster, former, loss)
    await expectAnother(cluster, former)
    load.wanted.people = people * 2
    await wait(loadMs)
    await restore(former, loss)
    await expectOnePrimary(cluster)
    await Promise.all([load.activity.end(), load.prober.end(), load.assistant.end()])
    const figures = await expectAllStored(services, load, cluster.url)
    return `${loss}: ${[expectSoonBack(load, lostMs), ...figures].join("; ")}`
  } finally {
    load.activity.abandon()
  }
}

function lose(cluster: PatroniCluster, node: PatroniNode, loss: Loss): Promise<void> {
  if (loss === "kill") return node.kill()
  if (loss === "freeze") return node.freeze()
  return loss === "cut" ? node.cutFromEtcd(true) : cluster.switchOver()
}

async function restore(node: PatroniNode, loss: Loss): Promise<void> {
  if (loss === "kill") node.start()
  if (loss === "freeze") await node.thaw()
  if (loss === "cut") await node.cutFromEtcd(false)
}

async function expectAnother(cluster: PatroniCluster, former: PatroniNode): Promise<void> {
  const others = cluster.nodes.filter((node) => node !== former)
  await expect
    .poll(async () => Promise.all(others.map((node) => node.isPrimary())), {
      timeout: LONGEST_LEADER_MS,
      interval: LOOK_AGAIN_MS,
    })
    .toContain(true)
}

/** A former primary that comes back is a standby. */
async function expectOnePrimary(cluster: PatroniCluster): Promise<void> {
  await expect
    .poll(async () => (await Promise.all(cluster.nodes.map((node) => node.isPrimary()))).toSorted(), {
      timeout: LONGEST_LEADER_MS,
      interval: LOOK_AGAIN_MS,
    })
    .toEqual([false, false, true])
}

function expectSoonBack({ prober }: Load, lostMs: number): string {
  const awayMs = prober.longestGapMs(lostMs)
  const figures = `longest time without an answered read ${awayMs} ms; slowest response ${prober.slowestMs} ms`
  expect(prober.wrong).toEqual([])
  expect(awayMs, figures).toBeLessThan(LONGEST_AWAY_MS)
  return figures
}
