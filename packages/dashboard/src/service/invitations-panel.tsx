import type { OpenInvitation, PeopleResponse, Person } from "@restwell/client"
import { useState } from "react"
import { useInvite, useRenewInvitation, useRevokeInvitation } from "../api/people.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { fieldError, isFieldError } from "../components/field-error.ts"
import { Form, useFields } from "../components/form.tsx"
import { Panel } from "../components/panel.tsx"
import { TextField } from "../components/text-field.tsx"
import { instantText } from "../format/date.ts"
import { useNow } from "../format/use-now.ts"
import { NewLink } from "./new-link.tsx"
import { PlanSelect } from "./plan-select.tsx"

/** Links that create one account each, and the open invitations. */
export const InvitationsPanel = ({ invitations, sign_up, mail }: PeopleResponse) => (
  <Panel
    title="Invitations"
    description={
      sign_up === "closed"
        ? "Sign-ups are closed. An invitation lets one person in."
        : "Anybody who reaches this address can sign up. An invitation also sets the plan. SIGN_UP=closed lets only invited people in."
    }
  >
    <InviteForm canSend={mail.is_set_up} />
    {invitations.length > 0 && (
      <ul aria-label="Open invitations" className="mt-4 divide-y divide-line border-t border-line">
        {invitations.map((invitation) => (
          <InvitationItem key={invitation.id} invitation={invitation} canSend={mail.is_set_up} />
        ))}
      </ul>
    )}
  </Panel>
)

function InviteForm({ canSend }: { canSend: boolean }) {
  const invite = useInvite()
  const { values, field, reset } = useFields({ email: "" })
  const [plan, setPlan] = useState<Person["plan"]>("free")
  const email = values.email.trim()
  const submit = (isSent: boolean) =>
    invite.mutate({ plan, send: isSent, ...(email !== "" && { email }) }, { onSuccess: reset })
  return (
    <Form onSubmit={() => submit(false)} className="gap-4">
      {invite.error && !isFieldError(invite.error, ["email"]) && <FailureNotice error={invite.error} />}
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64 sm:max-w-sm">
          <TextField
            label="Email address (optional)"
            type="email"
            autoComplete="off"
            maxLength={254}
            hint="Only this address can then accept the invitation."
            error={fieldError(invite.error, "email")}
            {...field("email")}
          />
        </div>
        <PlanSelect label="Plan" plan={plan} onChange={setPlan} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" isBusy={invite.isPending}>
          Make invitation link
        </Button>
        {canSend && (
          <Button disabled={email === "" || invite.isPending} onClick={() => submit(true)}>
            Send by e-mail
          </Button>
        )}
      </div>
      {invite.data && <NewLink link={invite.data.link} expiresAt={invite.data.expires_at} label="Invitation link" />}
    </Form>
  )
}

function InvitationItem({ invitation, canSend }: { invitation: OpenInvitation; canSend: boolean }) {
  const { id, email, plan, expires_at: expiresAt } = invitation
  const renew = useRenewInvitation(id)
  const revoke = useRevokeInvitation(id)
  const error = renew.error ?? revoke.error
  const whose = email ?? "anybody with the link"
  const hasExpired = Date.parse(expiresAt) < useNow()
  return (
    <li className="flex flex-col gap-3 py-4 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 text-sm">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium break-all">{email ?? "Anybody with the link"}</p>
          <p className="text-muted">
            Plan {plan === "pro" ? "Pro" : "Free"}, {hasExpired ? "expired" : "valid until"} {instantText(expiresAt)}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {canSend && email !== null && (
            <Button aria-label={`Send again to ${email}`} isBusy={renew.isPending} onClick={() => renew.mutate(true)}>
              Send again
            </Button>
          )}
          <Button aria-label={`New link for ${whose}`} isBusy={renew.isPending} onClick={() => renew.mutate(false)}>
            New link
          </Button>
          <Button
            aria-label={`Revoke the invitation for ${whose}`}
            isBusy={revoke.isPending}
            onClick={() => revoke.mutate()}
          >
            Revoke
          </Button>
        </div>
      </div>
      {error && <FailureNotice error={error} />}
      {renew.data && (
        <NewLink link={renew.data.link} expiresAt={renew.data.expires_at} label={`Invitation link for ${whose}`} />
      )}
    </li>
  )
}
