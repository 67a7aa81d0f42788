// Data that nothing delivers any more: of today nothing of them is late.
import type { AccountResponse, DayResponse, MissingRecords, TrendDay } from "@restwell/client"
import { isLive } from "../api/account.ts"
import { ButtonLink } from "../components/button.tsx"
import { Notice } from "../components/notice.tsx"
import { mediumDate } from "../format/date.ts"

type Kind = MissingRecords["kind"]

interface Ended {
  readonly title: string
  /** The date with the newest of these data. */
  readonly newest: string
  readonly kinds: readonly Kind[]
}

const ALL_KINDS: readonly Kind[] = ["sleep", "recovery", "cycle", "workout"]

/** So many nights of the connected devices, without a recovery, show that they give none. */
const NIGHTS_WITHOUT = 3

/** Undefined while a connection may deliver newer data. @param before the days before today, oldest first */
export function endedOf(
  { connections }: Pick<AccountResponse, "connections">,
  { newest_date: newest, today }: Pick<DayResponse, "newest_date" | "today">,
  before: readonly TrendDay[],
): Ended | undefined {
  const live = connections.filter(isLive).map(({ provider }) => provider)
  if (live.length === 0)
    return newest === null || newest === today
      ? undefined
      : { title: `Your data end on ${mediumDate(newest)}`, newest, kinds: ALL_KINDS }
  const last = before.findLast(({ recovery }) => recovery !== null)
  if (!last || before.some(({ recovery }) => recovery && live.includes(recovery.source))) return undefined
  const since = before.filter(({ date, sleep }) => date > last.date && sleep && live.includes(sleep.source))
  return since.length < NIGHTS_WITHOUT
    ? undefined
    : { title: `Your recoveries end on ${mediumDate(last.date)}`, newest: last.date, kinds: ["recovery"] }
}

/** Since when there are no data, with the way to the newest. */
export const EndedNotice = ({ title, newest }: Ended) => (
  <Notice
    tone="fair"
    title={title}
    action={
      <>
        <ButtonLink to={`/?date=${newest}`}>Show that day</ButtonLink>
        <ButtonLink to="/connections">Connections</ButtonLink>
      </>
    }
  >
    No connection delivers newer ones. Upload a newer archive, or connect your device.
  </Notice>
)
