import type { MailFailure, PeopleResponse, ServiceResponse } from "@restwell/client"
import { useLateConfirmation } from "../account/confirmation.tsx"
import { useRemoveMail, useSetMail, useTestMail } from "../api/service.ts"
import { Button } from "../components/button.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Disclosure, Panel } from "../components/page.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { sentence } from "../format/number.ts"

const KINDS: Readonly<Record<MailFailure["kind"], string>> = {
  password_reset: "Link to a new password",
  reconnect: "Notice to reconnect",
  invitation: "Invitation",
  passkey_added: "Notice of a new passkey",
  passkey_removed: "Notice of a deleted passkey",
  notice: "Briefing or rule",
}

interface MailPanelProps {
  readonly settings: ServiceResponse["mail"]
  readonly state: PeopleResponse["mail"]
}

/** The mail server, a test message, and the emails that could not be sent. */
export const MailPanel = ({
  settings,
  state: { is_set_up: isSetUp, waiting, last_sent_at, failures },
}: MailPanelProps) => (
  <Panel
    title="Email"
    description={
      isSetUp
        ? "Links to new passwords, invitations and notices to reconnect."
        : "Not needed: you can copy links here and pass them on. With a mail server, Restwell sends them."
    }
  >
    <div className="flex flex-col gap-4">
      {isSetUp && (
        <p className="text-sm text-muted">
          {waiting === 0
            ? "No email waits to be sent"
            : `${waiting} ${waiting === 1 ? "email waits" : "emails wait"} to be sent`}
          . Last one sent: <TimeAgo instant={last_sent_at} />.
        </p>
      )}
      {failures.length > 0 && (
        <ul aria-label="Emails that could not be sent" className="divide-y divide-line border-y border-line">
          {failures.map((failure) => (
            <FailureItem key={failure.id} failure={failure} />
          ))}
        </ul>
      )}
      {settings.source !== null && <SetUp settings={settings} />}
      {settings.source !== "environment" && (
        <Disclosure
          summary={settings.source === null ? "Set up a mail server" : "Change the mail server"}
          summaryClass="w-fit font-medium"
        >
          <MailForm key={settings.server} />
        </Disclosure>
      )}
    </div>
  </Panel>
)

/** The settings in use: a test message, and their removal. */
function SetUp({ settings: { source, server, from } }: Pick<MailPanelProps, "settings">) {
  const test = useTestMail()
  const remove = useRemoveMail()
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className="break-words text-muted">
        {source === "environment"
          ? "Set by environment variables: SMTP_URL and MAIL_FROM take precedence over this page."
          : `Sent by ${server}, from ${from}.`}
      </p>
      {(test.error ?? remove.error) && <FailureNotice error={test.error ?? remove.error ?? new Error()} />}
      {test.data && !test.isPending && <TestOutcome {...test.data} />}
      <div className="flex flex-wrap gap-2">
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          Send a test message
        </Button>
        {source === "page" && (
          <Button isBusy={remove.isPending} onClick={() => remove.mutate()}>
            Remove the mail server
          </Button>
        )}
      </div>
    </div>
  )
}

const TestOutcome = ({ sent_to, problem }: { sent_to: string; problem: string | null }) =>
  problem === null ? (
    <Notice tone="good">The mail server took the test message to {sent_to}. Look into that mailbox.</Notice>
  ) : (
    <Notice tone="poor" title="The test message was not sent">
      {sentence(problem)}
    </Notice>
  )

const EMPTY = { host: "", port: "465", user: "", password: "", from: "" } as const

function MailForm() {
  const change = useSetMail()
  const { confirm, field: confirmation, failure } = useLateConfirmation(change.error)
  const { values, field } = useFields<keyof typeof EMPTY>(EMPTY)
  const { host, port, user, password, from } = values
  const server = { host, port: Number(port), from, ...(user !== "" && { user, password }) }
  const text = (name: keyof typeof EMPTY) => ({
    ...field(name),
    autoComplete: "off",
    spellCheck: false,
    error: fieldError(change.error, name),
  })
  return (
    <Form onSubmit={() => change.mutate({ server, confirm })} className="mt-3 gap-4">
      <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
        <TextField
          label="Mail server"
          required
          hint="Like mail.example.com, from the help of your mail provider."
          {...text("host")}
        />
        <TextField
          label="Port"
          type="number"
          inputMode="numeric"
          min={1}
          max={65_535}
          required
          hint="465, or 587"
          {...text("port")}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="User name" hint="Often your email address." {...text("user")} />
        <TextField
          label="Mail password"
          type="password"
          hint="Stored encrypted. Many providers want an app password here."
          {...text("password")}
        />
      </div>
      <TextField
        label="Sender"
        required
        hint="The address that emails come from, like restwell@example.com."
        {...text("from")}
      />
      {confirmation}
      {failure && !isFieldError(failure, Object.keys(EMPTY)) && <FailureNotice error={failure} />}
      {change.data && !change.isPending && <TestOutcome {...change.data} />}
      <div>
        <Button type="submit" look="primary" isBusy={change.isPending}>
          Send a test message and save
        </Button>
      </div>
    </Form>
  )
}

const FailureItem = ({ failure: { kind, address, error, attempts, next_try_at } }: { failure: MailFailure }) => (
  <li className="py-3 text-sm">
    <p className="font-medium break-all">
      {KINDS[kind]}
      {address !== null && ` to ${address}`}
    </p>
    <p className="break-words text-poor">{error}</p>
    <p className="text-muted">
      {attempts === 1 ? "Tried once" : `Tried ${attempts} times`}.{" "}
      {next_try_at === null ? "It is not tried again." : "It is tried again by itself."}
    </p>
  </li>
)
