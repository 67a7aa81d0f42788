import type { Person } from "@restwell/client"
import { useState } from "react"
import { useRemovePerson, useSetPlan } from "../api/people.ts"
import { Button } from "../components/button.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { useFields } from "../components/form.tsx"
import { TextField } from "../components/text-field.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { providerName } from "../format/provider-name.ts"
import { PlanSelect } from "./plan-select.tsx"
import { ResetLinkForm } from "./reset-link-form.tsx"

/** One person, with what the owner can do for them. */
export function PersonItem({ person }: { person: Person }) {
  const { id, name, email, is_owner: isOwner, plan, created_at: createdAt, last_read_at: lastReadAt } = person
  const setPlan = useSetPlan(id)
  const [isLinkOpen, setLinkOpen] = useState(false)
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64 text-sm">
          <p className="font-medium break-words">
            {name}
            {isOwner && (
              <span className="ml-2 rounded-full bg-raised px-2 py-0.5 text-xs font-normal text-muted">Owner</span>
            )}
          </p>
          <p className="break-all text-muted">{email}</p>
          <p className="mt-1 text-muted">
            Joined <TimeAgo instant={createdAt} />, last read <TimeAgo instant={lastReadAt} />
          </p>
          <p className="text-muted">{vendorsText(person)}</p>
        </div>
        <div className="flex flex-wrap items-end gap-2">
          <PlanSelect
            label="Plan"
            plan={plan}
            isDisabled={setPlan.isPending}
            onChange={(next) => setPlan.mutate(next)}
          />
          <Button
            aria-expanded={isLinkOpen}
            aria-label={`Password link for ${email}`}
            onClick={() => setLinkOpen(!isLinkOpen)}
          >
            Password link
          </Button>
          {!isOwner && <RemoveDialog person={person} />}
        </div>
      </div>
      {setPlan.error && <FailureNotice error={setPlan.error} />}
      {isLinkOpen && <ResetLinkForm id={id} email={email} />}
    </li>
  )
}

const STATUSES: Readonly<Record<Person["connections"][number]["status"], string>> = {
  ok: "up to date",
  syncing: "syncing",
  vendor_unavailable: "not responding",
  failing: "failing",
  reauthorization_required: "reconnect needed",
  archive: "archive",
  disconnected: "disconnected",
}

const vendorsText = ({ connections }: Person): string =>
  connections.length === 0
    ? "No vendor connected"
    : connections.map(({ provider, status }) => `${providerName(provider)}: ${STATUSES[status]}`).join(", ")

function RemoveDialog({ person: { id, name, email } }: { person: Person }) {
  const remove = useRemovePerson(id)
  const { values, field } = useFields({ confirmation: "" })
  return (
    <ConfirmDialog
      trigger="Remove"
      label={`Remove ${email}`}
      title={`Remove ${name}?`}
      confirmLabel="Delete everything"
      canConfirm={values.confirmation.trim().toLowerCase() === email}
      onConfirm={() => remove.mutateAsync(values.confirmation)}
    >
      <p>
        This deletes the account with all records, keys and sessions, and ends the access at the vendors. It cannot be
        undone.
      </p>
      <div className="text-text">
        <TextField label={`Type ${email} to confirm`} autoComplete="off" {...field("confirmation")} />
      </div>
    </ConfirmDialog>
  )
}
