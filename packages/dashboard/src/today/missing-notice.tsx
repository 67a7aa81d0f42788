import type { MissingRecords } from "@restwell/client"
import { Notice } from "../components/notice.tsx"
import { sentence } from "../format/number.ts"

/** What the sources could not give of a date. Nothing without it. @param missing of any dates */
export function MissingNotice({ missing, date }: { missing: readonly MissingRecords[]; date: string }) {
  const reasons = new Set(missing.filter((one) => one.date === date).map(({ reason }) => reason))
  if (reasons.size === 0) return null
  return (
    <Notice tone="fair" title="A part of this day is missing">
      <ul>
        {[...reasons].map((reason) => (
          <li key={reason}>{sentence(reason)}</li>
        ))}
      </ul>
    </Notice>
  )
}
