import type { MailFailure, PeopleResponse } from "@restwell/client"
import { Panel } from "../components/panel.tsx"
import { TimeAgo } from "../components/time-ago.tsx"

const KINDS: Readonly<Record<MailFailure["kind"], string>> = {
  password_reset: "Link to a new password",
  reconnect: "Notice to reconnect",
  invitation: "Invitation",
}

/** Whether e-mails are sent, and which could not be. */
export const MailPanel = ({ is_set_up, waiting, last_sent_at, failures }: PeopleResponse["mail"]) => (
  <Panel
    title="E-mail"
    description={
      is_set_up
        ? "Links to new passwords, invitations and notices to reconnect."
        : "Not set up. Copy links here and pass them on, or set SMTP_URL and MAIL_FROM to send them."
    }
  >
    {is_set_up && (
      <p className="text-sm text-muted">
        {waiting === 0
          ? "No e-mail waits to be sent"
          : `${waiting} ${waiting === 1 ? "e-mail waits" : "e-mails wait"} to be sent`}
        . Last one sent: <TimeAgo instant={last_sent_at} />.
      </p>
    )}
    {failures.length > 0 && (
      <ul aria-label="E-mails that could not be sent" className="mt-4 divide-y divide-line border-t border-line">
        {failures.map((failure) => (
          <FailureItem key={failure.id} failure={failure} />
        ))}
      </ul>
    )}
  </Panel>
)

const FailureItem = ({ failure: { kind, address, error, attempts, next_try_at } }: { failure: MailFailure }) => (
  <li className="py-3 text-sm last:pb-0">
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
