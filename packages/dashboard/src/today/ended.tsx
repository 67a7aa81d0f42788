// Data that nothing delivers any more: of today nothing of them is late.
import type { Ended } from "@restwell/client"
import { whatEnded } from "@restwell/client/figures"
import { ButtonLink } from "../components/button.tsx"
import { Notice } from "../components/notice.tsx"
import { mediumDate } from "../format/date.ts"

/** Since when there are no data, with the way to the newest. Nothing where a connection has to be renewed: its own notice says so. */
export const EndedNotice = ({ ended }: { ended: Ended }) =>
  ended.date === null || ended.reconnect.length > 0 ? null : (
    <Notice
      tone="fair"
      title={`Your ${whatEnded(ended)} end on ${mediumDate(ended.date)}`}
      action={
        <>
          <ButtonLink to={`/?date=${ended.date}`}>Show that day</ButtonLink>
          <ButtonLink to="/connections">Connections</ButtonLink>
        </>
      }
    >
      No connection delivers newer ones. Upload a newer archive, or connect your device.
    </Notice>
  )
