/** The date that each moment of a sleep belongs to: that of waking from it, or from the night that it is a part of. */
import { DAY_MS } from "@restwell/client/time-units"
import { groupNights } from "@restwell/providers"
import type { Candidate, CandidateNight, Span } from "../store/statements/health-fact.ts"
import { dayOf } from "./series.ts"

interface DatedSleep extends Span {
  readonly provider: string
  /** As a day number. */
  readonly day: number
}

/** Returns the day number of a moment of a source's sleep. Undefined where none of its sleeps is. */
export type WakingDay = (provider: string, atMs: number) => number | undefined

type MainSleep = Candidate & { readonly night: CandidateNight }

const isMain = (sleep: Candidate): sleep is MainSleep => sleep.night !== null

/** @param sleeps nights and naps of any sources */
export function wakingDays(sleeps: readonly Candidate[]): WakingDay {
  const nights = groupNights(sleeps.filter(isMain), ({ night, provider }) => ({ ...night, provider }))
  const dated = [
    ...nights.flatMap(({ sleeps: parts, last }) =>
      parts.map(({ night, provider }) => datedSleep(provider, night, last.date)),
    ),
    ...sleeps.flatMap(({ activity, provider, date }) => (activity ? datedSleep(provider, activity, date) : [])),
  ]
  const byDay = new Map<string, DatedSleep[]>()
  for (const sleep of dated)
    for (let day = Math.floor(sleep.startMs / DAY_MS); day * DAY_MS <= sleep.endMs; day += 1)
      byDay.getOrInsertComputed(`${sleep.provider} ${day}`, () => []).push(sleep)
  return (provider, atMs) =>
    byDay.get(`${provider} ${Math.floor(atMs / DAY_MS)}`)?.find(({ startMs, endMs }) => atMs >= startMs && atMs < endMs)
      ?.day
}

const datedSleep = (provider: string, { startMs, endMs }: Span, date: string): DatedSleep => ({
  provider,
  startMs,
  endMs,
  day: dayOf(date),
})
