/* Addresses of programs that get a message about each night, day and workout. */
import { WEBHOOK_EVENTS, type WebhookEvent, type WebhooksResponse } from "@restwell/client"
import { plural } from "@restwell/client/figures"
import { useState } from "react"
import {
  useCreateWebhook,
  useEndWebhook,
  useRotateWebhookSecret,
  useTestWebhook,
  useWebhooks,
} from "../api/webhooks.ts"
import { Button } from "../components/button.tsx"
import { CheckBoxes } from "../components/check-boxes.tsx"
import { CodeBlock } from "../components/code-block.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Disclosure, Panel } from "../components/page.tsx"
import { Instant } from "../components/time-ago.tsx"
import { sentence } from "../format/number.ts"
import { Deliveries } from "./deliveries.tsx"
import { isPrivateRefusal, ReceiverFailure } from "./receiver-failure.tsx"
import { Switch } from "./switch.tsx"

type Webhook = WebhooksResponse["webhooks"][number]

export const WebhooksPanel = ({ isOwner }: { isOwner: boolean }) => (
  <Panel
    title="Webhooks"
    description={
      <>
        For programs of your own: Restwell sends each event to an address, signed, and tries for three days.{" "}
        <a href="/docs/webhooks" className="text-accent underline underline-offset-2">
          How to receive them
        </a>
      </>
    }
  >
    <div className="flex flex-col gap-5">
      <Loaded query={useWebhooks()} skeleton={<Skeleton className="h-10" label="Loading webhooks" />}>
        {({ webhooks }) =>
          webhooks.length > 0 && (
            <ul aria-label="Webhooks" className="divide-y divide-line">
              {webhooks.map((webhook) => (
                <WebhookItem key={webhook.id} webhook={webhook} isOwner={isOwner} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <AddWebhook isOwner={isOwner} />
    </div>
  </Panel>
)

const EVENT_TEXTS: Readonly<Record<WebhookEvent, string>> = {
  "sleep.scored": "Night scored",
  "recovery.scored": "Recovery scored",
  "workout.recorded": "Workout recorded",
  "record.changed": "Record changed",
  "record.deleted": "Record deleted",
  "connection.failing": "Connection failing",
  "connection.restored": "Connection restored",
  "batch.completed": "History or archive read",
  "briefing.ready": "Morning message",
  "rule.matched": "Rule matched",
}

function WebhookItem({
  webhook: { id, url, events, include_figures, given_up: givenUp, disabled },
  isOwner,
}: {
  webhook: Webhook
  isOwner: boolean
}) {
  const test = useTestWebhook(id)
  const rotate = useRotateWebhookSecret(id)
  const end = useEndWebhook()
  const names =
    events.length === WEBHOOK_EVENTS.length ? "All events" : events.map((each) => EVENT_TEXTS[each]).join(", ")
  return (
    <li className="flex flex-col gap-3 py-4 text-sm first:pt-0">
      <div className="min-w-0">
        <p className="font-medium break-all">{url}</p>
        <p className="text-muted">
          {names}, {include_figures ? "with figures" : "without figures"}
        </p>
      </div>
      {disabled && (
        <Notice tone="poor" title="Nothing is sent to this webhook any more">
          {sentence(disabled.reason)} That was on <Instant at={disabled.at} />. Repair the receiver and send a test: if
          it arrives, the webhook is on again.
        </Notice>
      )}
      {givenUp > 0 && !disabled && (
        <Notice tone="fair" title={`${plural(givenUp, "message")} did not arrive`}>
          Tried for three days and given up, while others arrived. What was sent lists the answers, and sends one again.
        </Notice>
      )}
      {test.error && <ReceiverFailure error={test.error} isOwner={isOwner} url={url} onAllowed={() => test.mutate()} />}
      {test.isSuccess && <Notice tone="good">The test arrived.</Notice>}
      {rotate.data !== undefined && <NewSecret secret={rotate.data} isRotated />}
      <div className="flex flex-wrap gap-2">
        <Button aria-label={`Send a test to ${url}`} isBusy={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </Button>
        <ConfirmDialog
          trigger="New secret"
          label={`New secret for ${url}`}
          title="Make a new secret?"
          confirmLabel="Make a new secret"
          onConfirm={() => rotate.mutateAsync()}
        >
          <p>
            For a day messages are signed with the former one too, so that you can change the receiver without a loss.
          </p>
        </ConfirmDialog>
        <ConfirmDialog
          trigger="Delete"
          label={`Delete ${url}`}
          title="Delete this webhook?"
          confirmLabel="Delete"
          onConfirm={() => end.mutateAsync(id)}
        >
          <p>Nothing more is sent to it, and what waits for it is deleted.</p>
        </ConfirmDialog>
      </div>
      <Deliveries webhookId={id} url={url} />
    </li>
  )
}

function AddWebhook({ isOwner }: { isOwner: boolean }) {
  const add = useCreateWebhook()
  const { values, field, reset } = useFields({ url: "" })
  const [events, setEvents] = useState<readonly WebhookEvent[]>(WEBHOOK_EVENTS)
  const [hasFigures, setFigures] = useState(false)
  const { error } = add
  const url = values.url.trim()
  const submit = () => add.mutate({ url, events: [...events], include_figures: hasFigures }, { onSuccess: reset })
  return (
    <>
      {add.data !== undefined && <NewSecret secret={add.data} />}
      <Form onSubmit={submit} className="max-w-md gap-4 border-t border-line pt-5 first:border-t-0 first:pt-0">
        <TextField
          label="Address of your program"
          type="url"
          required
          placeholder="https://example.com/restwell"
          autoComplete="off"
          error={isPrivateRefusal(error) ? undefined : fieldError(error, "url")}
          {...field("url")}
        />
        <Disclosure summary="Which events" summaryClass="w-fit font-medium">
          <CheckBoxes
            legend="Events"
            options={WEBHOOK_EVENTS.map((event) => [event, EVENT_TEXTS[event]])}
            chosen={events}
            onChange={setEvents}
            columns="mt-2 sm:grid-cols-2"
            isLegendHidden={true}
          />
        </Disclosure>
        <Switch isOn={hasFigures} onChange={setFigures}>
          Send the figures too
        </Switch>
        {error && (isPrivateRefusal(error) || !isFieldError(error, ["url"])) && (
          <ReceiverFailure error={error} isOwner={isOwner} url={url} onAllowed={submit} />
        )}
        <div>
          <Button type="submit" isBusy={add.isPending} disabled={events.length === 0}>
            Add a webhook
          </Button>
        </div>
      </Form>
    </>
  )
}

/** It is in the memory of this page and nowhere else. */
const NewSecret = ({ secret, isRotated = false }: { secret: string; isRotated?: boolean }) => (
  <div className="flex flex-col gap-3 text-sm text-muted">
    <p role="status" className="font-medium text-text">
      Copy the secret now, and give it to your program. You cannot view it again.
    </p>
    <CodeBlock label="secret" text={secret} />
    {isRotated && <p>The former secret signs too until tomorrow at this time.</p>}
  </div>
)
