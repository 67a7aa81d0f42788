/* Messages that fail are tried again, but never in quiet hours, and no briefing so late that it comes with the next one. */
import { HOUR_MS } from "@restwell/client/time-units"
import {
  beginMail,
  claimJob,
  createWebhook,
  type DeliveryContext,
  deliverMessages,
  holdJob,
  type Message,
  markMailFailed,
  queueMessage,
  type Sender,
  type SendResult,
  savePushSubscription,
  testWebhook,
} from "@restwell/core"
import { expect, test } from "vitest"
import { BEGIN, OnePerson } from "./one-person.ts"

const quiet = { start: "22:00", end: "07:00" }
const MORNING = 7
const DAY = 24

/** A person with a receiver of each kind. What is sent to them is noted, and answered by the age of the message. */
class Reached implements AsyncDisposable {
  readonly person: OnePerson
  readonly webhookId: string
  readonly tries: { readonly text: unknown; readonly hours: number }[] = []
  answer: (hours: number) => SendResult["outcome"] = () => "delivered"

  private constructor(person: OnePerson, webhookId: string) {
    this.person = person
    this.webhookId = webhookId
  }

  static async start(): Promise<Reached> {
    const person = await OnePerson.start()
    const { userId, world } = person
    await person.choose({ quiet, ntfy: { url: "https://ntfy.example/topic" } })
    const hook = { url: "https://hooks.example/", include_figures: false, events: ["rule.matched" as const] }
    const { id } = await createWebhook(world.context, { userId, network: "-" }, hook)
    const browser = { userId, sessionId: "one", name: "Firefox on Linux", network: "-" }
    const keys = { p256dh: "", auth: "" }
    await savePushSubscription(world.context, browser, { endpoint: "https://push.example/one", keys })
    return new Reached(person, id)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.person[Symbol.asyncDispose]()
  }

  readonly #hours = () => (this.person.now.getTime() - BEGIN) / HOUR_MS

  async queue(channel: Message["channel"], type: Message["type"], text: string): Promise<void> {
    const { userId, world } = this.person
    const message = { userId, channel, type, data: { text } }
    await world.context.database
      .transaction()
      .execute((transaction) => queueMessage(transaction, world.context, message))
  }

  /** Moves the clock from one attempt to the next, up to an hour. */
  async runTo(hours: number): Promise<void> {
    for (;;) {
      while (await this.#runJob());
      const { rows } = await this.person.world.store.pool.query<{ at: Date | null }>(
        "select min(due_at) as at from restwell.job where kind = 'delivery' and due_at < 'infinity'",
      )
      const next = rows[0]?.at
      if (!next || next.getTime() > BEGIN + hours * HOUR_MS) break
      this.person.moveTo((next.getTime() - BEGIN) / HOUR_MS)
    }
    this.person.moveTo(hours)
  }

  context(): DeliveryContext {
    const { context, store } = this.person.world
    const senders = { webhook: this.#send, ntfy: this.#send, push: this.#send }
    return { ...context, pool: store.pool, senders }
  }

  async #runJob(): Promise<boolean> {
    const { context } = this.person.world
    const job = await claimJob(context, [{ kind: "delivery", minPriority: 0 }], this.person.now)
    if (!job) return false
    const run = (signal: AbortSignal) => deliverMessages(this.context(), job, signal)
    await holdJob(context, job, { stopping: new AbortController().signal, run })
    return true
  }

  readonly #send: Sender = async (_receiver, { data }) => {
    this.tries.push({ text: data["text"], hours: this.#hours() })
    return { outcome: this.answer(this.#hours()), status: null, answer: "it is away" }
  }

  async receiver(kind: Message["channel"]) {
    const { rows } = await this.person.world.store.pool.query<{ failures: number; reason: string | null }>(
      "select failures, disabled_reason as reason from restwell.receiver where kind = $1",
      [kind],
    )
    return rows[0]
  }
}

test.each([
  ["ntfy", MORNING + DAY],
  ["push", MORNING + DAY],
  ["webhook", MORNING + 17.6],
] as const)(
  "%s that was away for the day gets the message of a rule %d hours after midnight",
  async (channel, arrives) => {
    await using reached = await Reached.start()
    reached.answer = (hours) => (hours < 20 ? "failed" : "delivered")
    await reached.runTo(MORNING)
    await reached.queue(channel, "rule.matched", "WHOOP has to be reconnected")
    await reached.runTo(2 * DAY)
    expect(reached.tries.length).toBeGreaterThan(5)
    expect(reached.tries.at(-1)?.hours).toBeCloseTo(arrives, 1)
  },
)

test("a topic that was away for the day gets the next briefing alone, and keeps its failures until then", async () => {
  await using reached = await Reached.start()
  reached.answer = (hours) => (hours < 20 ? "failed" : "delivered")
  await reached.runTo(MORNING)
  await reached.queue("ntfy", "briefing.ready", "first")
  await reached.runTo(MORNING + DAY)
  const { failures } = (await reached.receiver("ntfy")) ?? {}
  expect(failures).toBe(reached.tries.length)
  await reached.queue("ntfy", "briefing.ready", "second")
  await reached.runTo(MORNING + DAY)
  expect(reached.tries.filter(({ hours }) => hours >= 20).map(({ text }) => text)).toEqual(["second"])
})

test("a topic that gets briefings alone is given up after three days, and not earlier", async () => {
  await using reached = await Reached.start()
  reached.answer = () => "failed"
  for (let day = 0; day < 5; day += 1) {
    await reached.runTo(MORNING + day * DAY)
    if (day === 3) expect(await reached.receiver("ntfy")).toMatchObject({ reason: null })
    await reached.queue("ntfy", "briefing.ready", String(day))
  }
  expect(await reached.receiver("ntfy")).toMatchObject({
    reason: "nothing arrived for three days, the last answer: it is away",
  })
  expect(await reached.person.told()).toEqual(["Nothing is sent to ntfy.example any more"])
  // As with a new token.
  await reached.person.choose({ ntfy: { url: "https://ntfy.example/topic" } })
  expect(await reached.receiver("ntfy")).toEqual({ failures: 0, reason: null })
})

test("a browser stays on after one briefing that expired, which counts as no failure", async () => {
  await using reached = await Reached.start()
  reached.answer = () => "failed"
  await reached.runTo(MORNING)
  await reached.queue("push", "briefing.ready", "one")
  await reached.runTo(MORNING + 10 * DAY)
  expect(reached.tries.length).toBeLessThan(10)
  expect(await reached.receiver("push")).toEqual({ failures: reached.tries.length, reason: null })
  reached.answer = () => "delivered"
  await reached.queue("push", "briefing.ready", "two")
  await reached.runTo(MORNING + 10 * DAY)
  expect(reached.tries.at(-1)?.text).toBe("two")
  expect(await reached.receiver("push")).toEqual({ failures: 0, reason: null })
})

test("a browser that took none of the messages of three days is off, and the email names it", async () => {
  await using reached = await Reached.start()
  reached.answer = () => "failed"
  for (let day = 0; day < 5; day += 1) {
    await reached.runTo(MORNING + day * DAY)
    await reached.queue("push", "briefing.ready", String(day))
  }
  expect(await reached.receiver("push")).toMatchObject({ reason: expect.stringContaining("for three days") })
  const { rows } = await reached.person.world.store.pool.query("select channels, message from restwell.notice")
  expect(rows).toMatchObject([{ channels: ["email"], message: { title: "No more notifications in Firefox on Linux" } }])
  expect(JSON.stringify(rows)).not.toMatch(/ntfy|push\.example/)
})

test("a webhook that is given up twice on one date is told of twice", async () => {
  await using reached = await Reached.start()
  const { userId } = reached.person
  for (const hours of [MORNING, MORNING + 1]) {
    reached.answer = () => "gone"
    await reached.runTo(hours)
    await reached.queue("webhook", "rule.matched", "one")
    await reached.runTo(hours)
    reached.answer = () => "delivered"
    await testWebhook(reached.context(), { userId, id: reached.webhookId })
  }
  expect(await reached.person.told()).toEqual(Array(2).fill("Nothing is sent to hooks.example any more"))
})

test("an email that the mail server did not take waits for the end of quiet hours", async () => {
  await using person = await OnePerson.start()
  const { context } = person.world
  await person.choose({ quiet, rules: [{ kind: "connection", channels: ["email"], enabled: true }] })
  person.moveTo(21.5)
  await person.noteStatus("reauthorization_required")
  await person.tellAt(21.5)
  const job = await claimJob(context, [{ kind: "mail", minPriority: 0 }], person.now)
  if (!job) throw new Error("no email waits")
  expect(await beginMail(context, job)).toMatchObject({ attempt: 1, content: { kind: "notice" } })
  await markMailFailed(context, { id: job.key, attempt: 1 }, "451 try again later")
  person.moveTo(22.2)
  const quietEnd = new Date("2026-11-21T07:00:00Z")
  expect(await beginMail(context, job)).toEqual(quietEnd)
  const { rows } = await person.world.store.pool.query<{ key: string }>(
    `insert into restwell.mail (kind, user_id, provider, created_at, expires_at)
     values ('reconnect', $1, 'whoop', $2, $2::timestamptz + interval '3 days') returning id::text as key`,
    [person.userId, person.now],
  )
  expect(await beginMail(context, { key: rows[0]?.key ?? "", isTakenOver: false })).toEqual(quietEnd)
  person.moveTo(MORNING + DAY)
  expect(await beginMail(context, job)).toMatchObject({ attempt: 2 })
})
