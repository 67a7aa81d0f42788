import { getEventListeners } from "node:events"
import { expect, it } from "vitest"
import { MINUTE_MS } from "../base/time-units.ts"
import { abortableDelay, withSignals } from "./retry.ts"

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))

it.each([0, 1])("aborts the work with the reason of signal %i", async (index) => {
  const controllers = [new AbortController(), new AbortController()]
  const signals = controllers.map(({ signal }) => signal)
  const work = withSignals(signals, ({ signal }) => untilAborted(signal))
  controllers[index]?.abort("enough")
  await expect(work).rejects.toBe("enough")
})

it("does not start when a signal has already aborted", async () => {
  let started = false
  const work = withSignals([undefined, AbortSignal.abort("enough")], async () => {
    started = true
  })
  await expect(work).rejects.toBe("enough")
  expect(started).toBe(false)
})

it("removes its listeners when the work is done", async () => {
  const { signal } = new AbortController()
  await withSignals([signal], async () => undefined)
  await withSignals([signal], () => Promise.reject(new Error("failed"))).catch(() => undefined)
  await abortableDelay(0, signal)
  expect(getEventListeners(signal, "abort")).toEqual([])
})

it("waits for the given time", async () => {
  const startedMs = performance.now()
  await abortableDelay(20, new AbortController().signal)
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(18)
})

it.each(["before", "while"])("rejects when the signal aborts %s it waits", async (when) => {
  const controller = new AbortController()
  if (when === "before") controller.abort("enough")
  const wait = abortableDelay(MINUTE_MS, controller.signal)
  controller.abort("enough")
  await expect(wait).rejects.toBe("enough")
})
