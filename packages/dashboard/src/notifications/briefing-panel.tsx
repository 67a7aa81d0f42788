/* The message of each morning: whether, from when on and where. */
import type { Briefing } from "@restwell/client"
import { useState } from "react"
import { useSaveNotifications } from "../api/notifications.ts"
import { Button } from "../components/button.tsx"
import { Form, fieldError, isFieldError, TextField } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { ChannelBoxes } from "./channel-boxes.tsx"
import { Switch } from "./switch.tsx"

export function BriefingPanel({ stored }: { stored: Briefing }) {
  const save = useSaveNotifications()
  const [draft, setDraft] = useState<Briefing>()
  const briefing = draft ?? stored
  const change = (part: Partial<Briefing>) => setDraft({ ...briefing, ...part })
  const { error, isPending } = save
  const lacksChannel = briefing.enabled && briefing.channels.length === 0
  return (
    <Panel
      title="A message each morning"
      description="Once your night is scored: how it was in a sentence, three figures beside what is usual for you, what is unusual, and when to go to bed tonight. One a night, and none for a night that is over for a day."
    >
      <Form
        onSubmit={() => save.mutate({ briefing }, { onSuccess: () => setDraft(undefined) })}
        className="max-w-md gap-4"
      >
        <Switch isOn={briefing.enabled} onChange={(enabled) => change({ enabled })}>
          Send me a message each morning
        </Switch>
        {briefing.enabled && (
          <>
            <TextField
              label="Not before"
              type="time"
              required
              hint="If the night is scored later, the message comes later."
              error={fieldError(error, "briefing.earliest")}
              value={briefing.earliest}
              onChange={({ target }) => change({ earliest: target.value })}
            />
            <ChannelBoxes chosen={briefing.channels} onChange={(channels) => change({ channels })} />
          </>
        )}
        {error && !isFieldError(error, ["briefing.earliest"]) && <FailureNotice error={error} />}
        {draft !== undefined && (
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" look="primary" isBusy={isPending} disabled={lacksChannel}>
              Save
            </Button>
            {lacksChannel && <span className="text-sm text-muted">Choose where it is sent.</span>}
          </div>
        )}
        {draft === undefined && save.isSuccess && <Notice tone="good">Saved.</Notice>}
      </Form>
    </Panel>
  )
}
