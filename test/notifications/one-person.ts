// A person of a world whose clock stands still, who is told what there is to tell when a test says so.
import type { NotificationsChange } from "@restwell/client"
import { HOUR_MS } from "@restwell/client/time-units"
import {
  addJob,
  changeNotifications,
  claimJob,
  computeInThread,
  holdJob,
  recordSecurityEvent,
  runNotifyJob,
} from "@restwell/core"
import { createWorld, type World } from "@restwell/testing/world"

export const BEGIN = Date.parse("2026-11-20T00:00:00Z")

export class OnePerson implements AsyncDisposable {
  readonly world: World
  readonly userId: string

  private constructor(world: World, userId: string) {
    this.world = world
    this.userId = userId
  }

  static async start(): Promise<OnePerson> {
    const world = await createWorld({ now: new Date(BEGIN), days: 1 })
    return new OnePerson(world, await world.addUser())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world.close()
  }

  get now(): Date {
    return this.world.context.clock.now()
  }

  /** Moves the clock to a time. Hours count from the first midnight. */
  moveTo(hours: number): void {
    this.world.simulator.clock.advance(BEGIN + hours * HOUR_MS - this.now.getTime())
  }

  choose(change: NotificationsChange): Promise<void> {
    return changeNotifications(this.#context(), this.userId, change)
  }

  async tellAt(hours: number): Promise<void> {
    this.moveTo(hours)
    const { context } = this.world
    await addJob(context, { kind: "notify", key: this.userId, userId: this.userId, priority: 0, due: "at_once" })
    const job = await claimJob(context, [{ kind: "notify", minPriority: 0 }], this.now)
    if (!job) throw new Error("the person waits for nothing")
    const run = () => runNotifyJob(this.#context(), job)
    await holdJob(context, job, { stopping: new AbortController().signal, run })
  }

  noteStatus(status: string): Promise<void> {
    const detail = `whoop: before -> ${status}`
    return recordSecurityEvent(this.world.context, this.userId, { type: "connection_changed", detail })
  }

  async travelTo(utcOffsetHours: number): Promise<void> {
    await this.world.store.pool.query("update restwell.person set utc_offset_minutes = $2 where user_id = $1", [
      this.userId,
      utcOffsetHours * 60,
    ])
  }

  /** The titles of all notices, oldest first. */
  async told(): Promise<string[]> {
    const { rows } = await this.world.store.pool.query<{ title: string }>(
      "select message ->> 'title' as title from restwell.notice where user_id = $1 order by sent_at",
      [this.userId],
    )
    return rows.map(({ title }) => title)
  }

  #context() {
    return { ...this.world.context, statistics: computeInThread(this.world.store.pool) }
  }
}
