import type { Connection } from "@restwell/client"
import { Notice } from "../components/notice.tsx"
import { instantText } from "../format/date.ts"
import { sentence } from "../format/sentence.ts"

/** What a sync waits for, and until when. */
export const WaitingNotice = ({ waiting }: { waiting: NonNullable<Connection["waiting"]> }) => (
  <Notice title="Waiting to sync">
    {sentence(waiting.message)} The sync continues at about{" "}
    <time dateTime={waiting.until}>{instantText(waiting.until)}</time>. Your stored data is still available.
  </Notice>
)
