// Messages to several receivers, while both replicas that send them are killed again and again.
import { setTimeout as wait } from "node:timers/promises"
import { queueMessage } from "@restwell/core"
import { randomFor } from "@restwell/simulator"
import { Member } from "@restwell/testing/member"
import { serviceEnvironment } from "@restwell/testing/service"
import { createWorld, type World } from "@restwell/testing/world"
import { expect } from "vitest"
import { KillableService } from "../crash/killable-service.ts"
import { makeWebhook } from "./own-webhooks.ts"
import { answerWith, Receiver } from "./receiver.ts"

export interface DeliveryKills {
  readonly messages: number
  readonly kills: number
  readonly seed: string
}

const RECEIVERS = 4
/** Answers of a receiver take this long, so that kills meet requests that are under way. */
const ANSWER_MS = 15
/** A receiver fails so seldom that its next try, after 5 seconds, does not fail again. */
const FAILS_EVERY = 40
/** A dead run's job is taken over after 15 seconds, and failures are tried again after 5 minutes at the latest. */
const LONGEST_MS = 400_000

/**
 * Writes messages while two replicas are killed with -9 in turn. Expects that every message arrives at every receiver, although some of their
 * answers are 500.
 */
export async function surviveDeliveryKills({ messages, kills, seed }: DeliveryKills): Promise<string> {
  const world = await createWorld({ days: 1, seed })
  const environment = { ...serviceEnvironment(world.store, world.simulator), ALLOWED_PRIVATE_HOSTS: "127.0.0.1" }
  const replicas = [new KillableService(environment), new KillableService(environment)] as const
  const receivers = await Promise.all(Array.from({ length: RECEIVERS }, startFlaky))
  const random = randomFor(seed, "deliveries")
  try {
    for (const replica of replicas) await replica.startReady()
    const userId = await personWith(world, replicas[0], receivers)
    const startedAt = performance.now()
    const written = write(world, userId, messages)
    for (let kill = 0; kill < kills; kill += 1) {
      await wait(random.integer(500, 4_000))
      const replica = replicas[kill % 2] ?? replicas[0]
      await replica.kill()
      await replica.startReady()
    }
    await written
    const numbersAt = (receiver: Receiver) => new Set(receiver.received.map(({ event }) => event.data["number"]))
    await expect
      .poll(() => receivers.map((receiver) => numbersAt(receiver).size), { timeout: LONGEST_MS, interval: 500 })
      .toEqual(receivers.map(() => messages))
    const waiting = async () => {
      const { rows } = await world.store.pool.query("select status from restwell.delivery where status <> 'delivered'")
      return rows.length
    }
    await expect.poll(waiting, { timeout: LONGEST_MS }).toBe(0)
    const twice = receivers.reduce((sum, { received }) => sum + received.length - messages, 0)
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    return `${messages} messages to ${RECEIVERS} receivers, ${kills} kills, ${twice} requests repeated, ${seconds} s, seed ${seed}`
  } finally {
    for (const replica of replicas) await replica.stop()
    await Promise.all(receivers.map((receiver) => receiver.leave()))
    await world.close()
  }
}

async function startFlaky(): Promise<Receiver> {
  const receiver = await Receiver.start()
  receiver.answer = (response, request) => {
    const status = receiver.received.length % FAILS_EVERY === 0 ? 500 : 204
    setTimeout(() => answerWith(status)(response, request), ANSWER_MS)
  }
  return receiver
}

async function personWith(world: World, service: KillableService, receivers: readonly Receiver[]): Promise<string> {
  const member = new Member(service)
  await member.signUp()
  for (const { url } of receivers) await makeWebhook(member, url)
  const { rows } = await world.store.pool.query(`select id from restwell."user" where email = $1`, [member.email])
  return String(rows[0].id)
}

/** A few a second, as events come. */
async function write({ context }: World, userId: string, messages: number): Promise<void> {
  for (let number = 0; number < messages; number += 1) {
    const data = { mode: "live", source: null, kind: null, id: null, date: null, number }
    await context.database
      .transaction()
      .execute((transaction) =>
        queueMessage(transaction, context, { userId, channel: "webhook", type: "briefing.ready", data }),
      )
    await wait(5)
  }
}
