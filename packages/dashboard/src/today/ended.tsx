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
const OF_NIGHT = ["sleep", "recovery"] as const

/** Undefined while all that the last days have is delivered on. @param before the days before today, oldest first */
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
  const ended = OF_NIGHT.flatMap((kind) => {
    const given = before.flatMap((day) => (day[kind] ? [{ date: day.date, source: day[kind].source }] : []))
    const last = given.at(-1)
    return last && !given.some(({ source }) => live.includes(source)) ? [{ kind, date: last.date }] : []
  })
  const [last] = ended
    .map(({ date }) => date)
    .toSorted()
    .reverse()
  if (last === undefined) return undefined
  return { title: `Your nights end on ${mediumDate(last)}`, newest: last, kinds: ended.map(({ kind }) => kind) }
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
