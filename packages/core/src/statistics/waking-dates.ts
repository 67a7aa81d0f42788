/** The date that each moment of a sleep belongs to: that of waking from it, or from the night that it is a part of. */
import { DAY_MS } from "@restwell/client/time-units"
import { groupNights } from "@restwell/providers"
import { partOfSleep, type SleepCandidate } from "../store/stored-record.ts"

import { dayOf } from "./series.ts"

interface DatedSleep extends Pick<SleepCandidate, "provider" | "startMs" | "endMs"> {
  /** As a day number. */
  readonly day: number
}

/** Returns the day number of the sleep of a source that a stage is of. Undefined where none of its sleeps is. */
export type WakingDay = (provider: string, atMs: number, durationMs: number) => number | undefined

/** @param sleeps nights and naps of any sources */
export function wakingDays(sleeps: readonly SleepCandidate[]): WakingDay {
  const [naps, mainSleeps] = [sleeps.filter(({ isNap }) => isNap), sleeps.filter(({ isNap }) => !isNap)]
  const dated = [
    ...groupNights(mainSleeps, partOfSleep).flatMap(({ sleeps: parts, last }) =>
      parts.map((part) => datedSleep(part, last.date)),
    ),
    ...naps.map((nap) => datedSleep(nap, nap.date)),
  ]
  const byDay = new Map<string, DatedSleep[]>()
  for (const sleep of dated)
    for (let day = Math.floor(sleep.startMs / DAY_MS); day * DAY_MS <= sleep.endMs; day += 1)
      byDay.getOrInsertComputed(`${sleep.provider} ${day}`, () => []).push(sleep)
  const sleepsAt = (provider: string, atMs: number) => byDay.get(`${provider} ${Math.floor(atMs / DAY_MS)}`) ?? []
  return (provider, atMs, durationMs) => {
    const begun = sleepsAt(provider, atMs).find(({ startMs, endMs }) => atMs >= startMs && atMs < endMs)
    // The first stage of some devices begins before the sleep: it is of the sleep that it reaches into.
    const reached =
      begun ??
      sleepsAt(provider, atMs + durationMs).find(({ startMs }) => atMs < startMs && startMs < atMs + durationMs)
    return reached?.day
  }
}

/** When the parts of the nights begin that reach into some time, epoch milliseconds. @param sleeps nights and naps of any sources */
export const startsOfNights = (
  sleeps: readonly SleepCandidate[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number[] =>
  groupNights(
    sleeps.filter(({ isNap }) => !isNap),
    partOfSleep,
  )
    .filter((night) => night.sleeps.some(({ startMs, endMs }) => endMs >= fromMs && startMs < toMs))
    .flatMap((night) => night.sleeps.map(({ startMs }) => startMs))

const datedSleep = ({ provider, startMs, endMs }: SleepCandidate, date: string): DatedSleep => ({
  provider,
  startMs,
  endMs,
  day: dayOf(date),
})
