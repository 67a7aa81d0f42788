/* Hours in which nothing is sent. */
import type { NotificationsResponse } from "@restwell/client"
import { useState } from "react"
import { useSaveNotifications } from "../api/notifications.ts"
import { Button } from "../components/button.tsx"
import { Form, TextField } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { Switch } from "./switch.tsx"

type Quiet = NotificationsResponse["quiet"]
const USUAL = { start: "22:00", end: "07:00" } as const

export function QuietPanel({ stored }: { stored: Quiet }) {
  const save = useSaveNotifications()
  const [draft, setDraft] = useState<{ readonly quiet: Quiet }>()
  const quiet = draft === undefined ? stored : draft.quiet
  return (
    <Panel
      title="Quiet hours"
      description="Nothing is lost: a message that comes in these hours is sent when they end."
    >
      <Form
        onSubmit={() => save.mutate({ quiet }, { onSuccess: () => setDraft(undefined) })}
        className="max-w-md gap-4"
      >
        <Switch isOn={quiet !== null} onChange={(isOn) => setDraft({ quiet: isOn ? USUAL : null })}>
          Keep some hours quiet
        </Switch>
        {quiet && (
          <div className="grid grid-cols-2 gap-4">
            <TextField
              label="From"
              type="time"
              required
              value={quiet.start}
              onChange={({ target }) => setDraft({ quiet: { ...quiet, start: target.value } })}
            />
            <TextField
              label="Until"
              type="time"
              required
              value={quiet.end}
              onChange={({ target }) => setDraft({ quiet: { ...quiet, end: target.value } })}
            />
          </div>
        )}
        {save.error && <FailureNotice error={save.error} />}
        {draft !== undefined && (
          <div>
            <Button type="submit" look="primary" isBusy={save.isPending}>
              Save
            </Button>
          </div>
        )}
        {draft === undefined && save.isSuccess && <Notice tone="good">Saved.</Notice>}
      </Form>
    </Panel>
  )
}
