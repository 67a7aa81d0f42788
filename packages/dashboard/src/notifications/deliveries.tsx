/* What was sent to a webhook: the answer, its time, and another try. */
import type { WebhookDelivery } from "@restwell/client"
import { useState } from "react"
import { useDeliveries, useRedeliver } from "../api/webhooks.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice, Loaded, Skeleton } from "../components/notice.tsx"
import { Disclosure } from "../components/page.tsx"
import { Instant, TimeAgo } from "../components/time-ago.tsx"
import { sentence } from "../format/number.ts"

interface DeliveriesProps {
  readonly webhookId: string
  readonly url: string
}

/** They are asked for once they are opened. */
export function Deliveries({ webhookId, url }: DeliveriesProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Disclosure summary="What was sent" summaryClass="w-fit font-medium" isOpen={isOpen} onToggle={setOpen}>
      {isOpen && <DeliveryList webhookId={webhookId} url={url} />}
    </Disclosure>
  )
}

const DeliveryList = ({ webhookId, url }: DeliveriesProps) => (
  <Loaded query={useDeliveries(webhookId)} skeleton={<Skeleton className="h-10" label="Loading what was sent" />}>
    {({ deliveries }) =>
      deliveries.length === 0 ? (
        <p className="py-2 text-muted">Nothing yet.</p>
      ) : (
        <ul aria-label={`Sent to ${url}`} className="divide-y divide-line">
          {deliveries.map((delivery) => (
            <DeliveryItem key={delivery.id} webhookId={webhookId} delivery={delivery} />
          ))}
        </ul>
      )
    }
  </Loaded>
)

const TONES: Readonly<Record<WebhookDelivery["status"], string>> = {
  delivered: "text-good",
  waiting: "text-fair",
  failed: "text-poor",
}

function DeliveryItem({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const redeliver = useRedeliver(webhookId)
  const { id, type, created_at: createdAt, status, attempts, next_attempt_at: next, last_attempt: last } = delivery
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p>
          <span className="font-mono">{type}</span>{" "}
          <span className="text-muted">
            <TimeAgo instant={createdAt} />
          </span>
        </p>
        <p className={TONES[status]}>
          {STATUS_TEXTS[status]}
          {attempts > 1 && `, ${attempts} attempts`}
        </p>
        {last && (
          <p className="break-words text-muted">
            {last.status === null
              ? sentence(last.answer)
              : `Answer ${last.status} after ${last.duration_ms} ms${last.answer === "" ? "" : `: ${last.answer}`}`}
          </p>
        )}
        {next !== null && (
          <p className="text-muted">
            Next attempt: <Instant at={next} />
          </p>
        )}
        {redeliver.error && <FailureNotice error={redeliver.error} />}
      </div>
      <Button
        aria-label={`Send again: ${type}`}
        isBusy={redeliver.isPending}
        disabled={status === "waiting" && attempts === 0}
        onClick={() => redeliver.mutate(id)}
      >
        Send again
      </Button>
    </li>
  )
}

const STATUS_TEXTS: Readonly<Record<WebhookDelivery["status"], string>> = {
  delivered: "Arrived",
  waiting: "Waiting",
  failed: "Failed",
}
