import { type AccountResponse, type PeopleResponse, type Person, PLAN_NAMES } from "@restwell/client"
import { useState } from "react"
import { ConfirmationField, isWrongPassword, useConfirmation } from "../account/confirmation.tsx"
import { useAccount } from "../api/account.ts"
import { useRemovePerson, useResetLinkOf, useSetPlan } from "../api/service.ts"
import { Button } from "../components/button.tsx"
import { Select } from "../components/choice.tsx"
import { CodeBlock } from "../components/code-block.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { Form, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { Instant, TimeAgo } from "../components/time-ago.tsx"
import { whoCanOpen } from "../format/address-reach.ts"
import { providerName } from "../format/provider-name.ts"

const PLANS = [
  ["free", "Free"],
  ["pro", "Pro"],
] as const satisfies readonly (readonly [Person["plan"], string])[]

/** The plan of a person, which is a number of requests a month. */
export const PlanSelect = ({
  label,
  plan,
  isDisabled = false,
  onChange,
}: {
  label: string
  plan: Person["plan"]
  isDisabled?: boolean
  onChange: (plan: Person["plan"]) => void
}) => (
  <Select
    label={label}
    options={PLANS}
    value={plan}
    disabled={isDisabled}
    onChange={({ target }) => onChange(PLAN_NAMES.find((name) => name === target.value) ?? plan)}
  />
)

/** A link that was just made, or the note that it is on its way by email. */
export function NewLink({ link, expiresAt, label }: { link: string | null; expiresAt: string; label: string }) {
  const account = useAccount().data
  if (link === null) return <Notice tone="good">The email is on its way. Failures appear below.</Notice>
  const limit = account && whoCanOpen(account.address)
  return (
    <div className="flex flex-col gap-2 text-sm text-muted">
      <p role="status" className="font-medium text-text">
        Copy the link now and pass it on. You cannot view it again.
      </p>
      <CodeBlock label={label} text={link} />
      <p>
        It works once, until <Instant at={expiresAt} />.{limit !== undefined && ` ${limit}.`}
      </p>
    </div>
  )
}

/** How the owner signs in, which confirms what a stolen session must not do. */
type SignIn = AccountResponse["sign_in"]

/** Makes a link to a new password for a person. */
function ResetLinkForm({ id, email, signIn }: { id: string; email: string; signIn: SignIn }) {
  const make = useResetLinkOf(id)
  const { confirm, isComplete, input } = useConfirmation(signIn)
  const [removesTwoFactor, setRemovesTwoFactor] = useState(false)
  if (make.data)
    return (
      <NewLink link={make.data.link} expiresAt={make.data.expires_at} label={`Link to a new password for ${email}`} />
    )
  return (
    <Form
      onSubmit={() => make.mutate({ removesTwoFactor, confirm })}
      className="gap-3 rounded-xl border border-line p-4 text-sm"
    >
      <p className="text-muted">
        The link lets {email} choose a new password and ends all sessions. Give it only to that person.
      </p>
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 size-4"
          checked={removesTwoFactor}
          onChange={({ target }) => setRemovesTwoFactor(target.checked)}
        />
        Also turn sign-in codes off, because the app and the recovery codes are lost
      </label>
      <ConfirmationField {...input} failure={make.error} />
      {make.error && !isWrongPassword(make.error) && <FailureNotice error={make.error} />}
      <div>
        <Button type="submit" look="primary" isBusy={make.isPending} disabled={!isComplete}>
          Create link
        </Button>
      </div>
    </Form>
  )
}

/** One person, with what the owner can do for them. */
function PersonItem({ person, hasPlans, signIn }: { person: Person; hasPlans: boolean; signIn: SignIn }) {
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
            Joined <TimeAgo instant={createdAt} />,{" "}
            {lastReadAt === null ? (
              "no reads yet"
            ) : (
              <>
                last read <TimeAgo instant={lastReadAt} />
              </>
            )}
          </p>
          <p className="text-muted">{vendorsText(person)}</p>
        </div>
        <div className="flex flex-wrap items-end gap-2">
          {hasPlans && (
            <PlanSelect
              label="Plan"
              plan={plan}
              isDisabled={setPlan.isPending}
              onChange={(next) => setPlan.mutate(next)}
            />
          )}
          {!isOwner && (
            <>
              <Button
                aria-expanded={isLinkOpen}
                aria-label={`Create password reset link for ${email}`}
                onClick={() => setLinkOpen(!isLinkOpen)}
              >
                Create password reset link
              </Button>
              <RemoveDialog person={person} signIn={signIn} />
            </>
          )}
        </div>
      </div>
      {setPlan.error && <FailureNotice error={setPlan.error} />}
      {isLinkOpen && <ResetLinkForm id={id} email={email} signIn={signIn} />}
    </li>
  )
}

const STATUSES: Readonly<Record<Person["connections"][number]["status"], string>> = {
  ok: "up to date",
  syncing: "syncing",
  vendor_unavailable: "cannot be read now",
  failing: "failing",
  reauthorization_required: "reconnect needed",
  archive: "archive",
  disconnected: "disconnected",
}

const vendorsText = ({ connections }: Person): string =>
  connections.length === 0
    ? "No vendor connected"
    : connections.map(({ provider, status }) => `${providerName(provider)}: ${STATUSES[status]}`).join(", ")

function RemoveDialog({ person: { id, name, email }, signIn }: { person: Person; signIn: SignIn }) {
  const remove = useRemovePerson(id)
  const { values, field } = useFields({ address: "" })
  const { confirm, isComplete, input } = useConfirmation(signIn)
  return (
    <ConfirmDialog
      trigger="Remove"
      label={`Remove ${email}`}
      title={`Remove ${name}?`}
      confirmLabel="Delete everything"
      canConfirm={isComplete && values.address.trim().toLowerCase() === email}
      onConfirm={() => remove.mutateAsync({ email: values.address, confirm })}
    >
      <p>
        This deletes the account with all records, keys and sessions, and ends the access at the vendors. It cannot be
        undone.
      </p>
      <div className="flex flex-col gap-3 text-text">
        <TextField label={`Type ${email} to confirm`} autoComplete="off" {...field("address")} />
        <ConfirmationField {...input} failure={remove.error} />
      </div>
    </ConfirmDialog>
  )
}

/** How many people are found without a search. */
const FEW = 10

/** Everybody with an account. */
export function PeoplePanel({
  people,
  hasMore,
  hasPlans,
  signIn,
  search,
  onSearch,
}: {
  people: PeopleResponse["people"]
  hasMore: boolean
  hasPlans: boolean
  signIn: SignIn
  search: string
  onSearch: (search: string) => void
}) {
  const [hasSearch] = useState(people.length > FEW || hasMore)
  const { values, field } = useFields({ search })
  return (
    <Panel title="People" description="Who has an account here. You see no measurements of others.">
      {hasSearch && (
        <Form onSubmit={() => onSearch(values.search.trim())} className="max-w-sm gap-3">
          <TextField label="Name or address" type="search" autoComplete="off" maxLength={100} {...field("search")} />
          <div>
            <Button type="submit">Search</Button>
          </div>
        </Form>
      )}
      {people.length === 0 && <p className="text-sm text-muted">Nobody with this name or address.</p>}
      <ul aria-label="People" className="divide-y divide-line">
        {people.map((person) => (
          <PersonItem key={person.id} person={person} hasPlans={hasPlans} signIn={signIn} />
        ))}
      </ul>
      {hasMore && <p className="text-sm text-muted">There are more people. Search for a name or an address.</p>}
    </Panel>
  )
}
