/* Whether the person's figures are sent to the Home Assistant of this installation. */
import type { AccountResponse, NotificationsResponse } from "@restwell/client"
import { useState } from "react"
import { useSaveNotifications } from "../api/notifications.ts"
import { ButtonLink } from "../components/button.tsx"
import { FailureNotice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { Switch } from "./switch.tsx"

interface HomeAssistantPanelProps {
  readonly account: AccountResponse
  readonly isOn: NotificationsResponse["home_assistant"]
}

export function HomeAssistantPanel({
  account: { has_home_assistant: isSetUp, is_owner: isOwner },
  isOn,
}: HomeAssistantPanelProps) {
  const save = useSaveNotifications()
  // Until it is stored.
  const [wanted, setWanted] = useState<boolean>()
  const turn = (home_assistant: boolean) => {
    setWanted(home_assistant)
    save.mutate({ home_assistant }, { onSettled: () => setWanted(undefined) })
  }
  // Nobody but the owner can set it up.
  if (!isSetUp && !isOn && !isOwner) return null
  return (
    <Panel
      title="Home Assistant"
      description="Your last night, recovery, day and weight as a device of the Home Assistant of this house."
    >
      <div className="flex flex-col gap-4 text-sm">
        {(isSetUp || isOn) && (
          <>
            <Switch isOn={wanted ?? isOn} onChange={turn}>
              Send my figures to Home Assistant
            </Switch>
            <p className="text-muted">Everybody who can see that Home Assistant can see them.</p>
          </>
        )}
        {!isSetUp && (
          <p className="text-muted">
            {isOwner ? "No Home Assistant is set up yet." : "The owner has set no Home Assistant up: nothing is sent."}
          </p>
        )}
        {!isSetUp && isOwner && (
          <div>
            <ButtonLink to="/service">Set up Home Assistant</ButtonLink>
          </div>
        )}
        {save.error && <FailureNotice error={save.error} />}
      </div>
    </Panel>
  )
}
