import type { AccountResponse, OpenInvitation, PeopleResponse, Person, ServiceResponse } from "@restwell/client"
import { useState } from "react"
import { useInvite, useRenewInvitation, useRevokeInvitation, useSetSignUp } from "../api/service.ts"
import { Button } from "../components/button.tsx"
import { Segmented } from "../components/choice.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { Instant, useNow } from "../components/time-ago.tsx"
import { whoCanOpen } from "../format/address-reach.ts"
import { NewLink, PlanSelect } from "./people-panel.tsx"

interface InvitationsPanelProps {
  readonly invitations: PeopleResponse["invitations"]
  readonly canSend: boolean
  readonly hasPlans: boolean
  readonly signUp: ServiceResponse["sign_up"]
  readonly address: AccountResponse["address"]
}

/** Links that create one account each, and the open invitations. */
export const InvitationsPanel = ({ invitations, canSend, hasPlans, signUp, address }: InvitationsPanelProps) => (
  <Panel title="Invitations" description="An invitation is a link that creates one account.">
    <SignUpSwitch signUp={signUp} />
    {address.reach !== "internet" && (
      <div className="mb-4">
        <Notice tone="fair" title={whoCanOpen(address) ?? ""}>
          The links of invitations lead to it. For people elsewhere, give the service another address under “Public
          address” first.
        </Notice>
      </div>
    )}
    <InviteForm canSend={canSend} hasPlans={hasPlans} />
    {invitations.length > 0 && (
      <ul aria-label="Open invitations" className="mt-4 divide-y divide-line border-t border-line">
        {invitations.map((invitation) => (
          <InvitationItem key={invitation.id} invitation={invitation} canSend={canSend} hasPlans={hasPlans} />
        ))}
      </ul>
    )}
  </Panel>
)

/** Who can create an account: invited people alone, or everybody who reaches the address. */
function SignUpSwitch({ signUp: { value, source } }: Pick<InvitationsPanelProps, "signUp">) {
  const change = useSetSignUp()
  return (
    <div className="mb-4 flex flex-col gap-2 text-sm">
      <p className="font-medium">Who can create an account?</p>
      {source === "environment" ? (
        <p className="text-muted">
          {value === "open" ? "Everybody who reaches this address." : "Invited people only."} Set by environment
          variables: SIGN_UP takes precedence over this page.
        </p>
      ) : (
        <>
          <div>
            <Segmented
              label="Who can create an account"
              options={SIGN_UPS}
              value={value}
              onChange={(next) => change.mutate(next)}
            />
          </div>
          {value === "open" && (
            <p className="text-muted">Everybody who reaches this address can now create an account.</p>
          )}
        </>
      )}
      {change.error && <FailureNotice error={change.error} />}
    </div>
  )
}

const SIGN_UPS = [
  { value: "closed", label: "Invited people only" },
  { value: "open", label: "Everybody" },
] as const

function InviteForm({ canSend, hasPlans }: { canSend: boolean; hasPlans: boolean }) {
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
        {hasPlans && <PlanSelect label="Plan" plan={plan} onChange={setPlan} />}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" isBusy={invite.isPending}>
          Make invitation link
        </Button>
        {canSend && (
          <Button disabled={email === "" || invite.isPending} onClick={() => submit(true)}>
            Send by email
          </Button>
        )}
      </div>
      {invite.data && <NewLink link={invite.data.link} expiresAt={invite.data.expires_at} label="Invitation link" />}
    </Form>
  )
}

function InvitationItem({
  invitation,
  canSend,
  hasPlans,
}: {
  invitation: OpenInvitation
  canSend: boolean
  hasPlans: boolean
}) {
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
            {hasPlans && `Plan ${plan === "pro" ? "Pro" : "Free"}. `}
            {hasExpired ? "Expired" : "Valid until"} <Instant at={expiresAt} />
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
