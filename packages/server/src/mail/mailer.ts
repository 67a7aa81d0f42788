import {
  beginMail,
  type Context,
  type DueMail,
  type JobPlace,
  type MailContent,
  markMailFailed,
  markMailSent,
} from "@restwell/core"
import { Counter, type Registry } from "prom-client"
import type { MailConfig } from "../config/config.ts"
import type { OptionalWork } from "../jobs/optional-work.ts"
import { reachOf } from "../network/addresses.ts"
import { composeMail, type Mail } from "./compose-mail.ts"

const CONNECT_MS = 10_000
const SILENCE_MS = 30_000

/** The mail server did not take an email. The message is the server's, or says why it could not be reached. */
export class SmtpFailure extends Error {
  override readonly name = "SmtpFailure"
  /** Of nodemailer, like EAUTH or ECONNECTION. */
  readonly code: string
  /** Of the mail server, like 550. */
  readonly status: number | undefined

  constructor(message: string, { code, status, cause }: { code: string; status: number | undefined; cause: unknown }) {
    super(message, { cause })
    this.code = code
    this.status = status
  }
}

interface Mailer {
  /** @throws {SmtpFailure} */
  send(address: string, mail: Mail): Promise<void>
  /** Connects and signs in, and sends nothing. @throws {SmtpFailure} */
  verify(): Promise<void>
  close(): void
}

/** The connection to the operator's mail server. nodemailer is loaded here, so that services without email need no memory for it. */
export async function createMailer({ smtpUrl, from }: MailConfig): Promise<Mailer> {
  const { createTransport } = await import("nodemailer")
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: CONNECT_MS,
    requireTLS: needsTls(new URL(smtpUrl)),
    // An email has no attachment, so nothing reads files or addresses for it.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(address, { subject, text, html }) {
      try {
        await transport.sendMail({
          from,
          // As an object the whole text is one address. As text it could be a list.
          to: { name: "", address },
          subject,
          text,
          html,
          // RFC 3834: no automatic reply, such as a holiday notice.
          headers: { "Auto-Submitted": "auto-generated" },
        })
      } catch (cause) {
        throw failureOf(cause)
      }
    },
    async verify() {
      try {
        await transport.verify()
      } catch (cause) {
        throw failureOf(cause)
      }
    },
    close: () => transport.close(),
  }
}

/** A password must not travel readable, except on this machine. `?ignoreTLS=true` in the address allows it. */
const needsTls = ({ username, hostname, searchParams }: URL): boolean =>
  username !== "" && reachOf(hostname) !== "this_computer" && searchParams.get("ignoreTLS") !== "true"

function failureOf(cause: unknown): SmtpFailure {
  const message = cause instanceof Error ? cause.message : String(cause)
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "UNKNOWN"
  const status = cause instanceof Error && "responseCode" in cause ? Number(cause.responseCode) : undefined
  return new SmtpFailure(message, { code, status, cause })
}

const KINDS: readonly MailContent["kind"][] = [
  "password_reset",
  "reconnect",
  "invitation",
  "passkey_added",
  "passkey_removed",
  "notice",
]
const OUTCOMES = ["sent", "failed"] as const

/** Called with each try to send an email. */
type MailMeter = (kind: MailContent["kind"], outcome: (typeof OUTCOMES)[number]) => void

/** Counts the tries of this process to send emails. No label names a person. */
export function createMailMeter(registry: Registry): MailMeter {
  const tries = new Counter({
    name: "restwell_emails_total",
    help: "Tries to send an email, by kind and outcome",
    labelNames: ["kind", "outcome"],
    registers: [registry],
  })
  // A series that starts at its first failure has no increase to alert on.
  for (const kind of KINDS) for (const outcome of OUTCOMES) tries.inc({ kind, outcome }, 0)
  return (kind, outcome) => tries.inc({ kind, outcome })
}

interface MailOptions {
  /** Links lead to it. */
  readonly baseUrl: () => string
  /** The mail server to use now. Undefined while none is set up: the emails wait. */
  readonly mail: () => MailConfig | undefined
  readonly meter: MailMeter
}

interface MailWork extends OptionalWork {
  /** Waits for the current email, which a slow mail server may take after all: it is not sent twice. */
  stop(): Promise<void>
}

/**
 * Sends the emails of jobs. Each is tried until the mail server takes it or it is of no use any more. If a process is killed between the
 * server's answer and its own note, the email is sent again.
 */
export function createMailWork({ baseUrl, mail, meter }: MailOptions): MailWork {
  const places: readonly JobPlace[] = [{ kind: "mail", minPriority: 0 }]
  let last: Promise<unknown> = Promise.resolve()
  let isStopping = false
  const send: OptionalWork["run"] = async (context, job) => {
    const settings = mail()
    // It is taken again once there is a mail server.
    if (settings === undefined) return "at_once"
    const due = await beginMail(context, job)
    if (due === undefined || due instanceof Date) return due
    const mailer = await createMailer(settings)
    const email = composeMail(due.content, baseUrl())
    return sendMail({ context, meter, mailer }, due, email).finally(() => mailer.close())
  }
  return {
    places: () => (isStopping || mail() === undefined ? [] : places),
    run(...args) {
      const sending = send(...args)
      last = sending.catch(() => {})
      return sending
    },
    async stop() {
      isStopping = true
      await last
    },
  }
}

interface Sending extends Pick<MailOptions, "meter"> {
  readonly context: Context
  readonly mailer: Mailer
}

/** @returns the next try, if it was not sent */
async function sendMail({ context, meter, mailer }: Sending, due: DueMail, mail: Mail): Promise<Date | undefined> {
  const { kind } = due.content
  const fields = { kind, attempt: due.attempt }
  try {
    await mailer.send(due.address, mail)
  } catch (error) {
    if (!(error instanceof SmtpFailure)) throw error
    meter(kind, "failed")
    const nextTryAt = await markMailFailed(context, due, error.message)
    const { code, status } = error
    // The mail server's words may contain the address, so only the page Service displays them.
    context.logger.warn({ ...fields, code, status, nextTryAt }, "could not send an email")
    return nextTryAt
  }
  meter(kind, "sent")
  await markMailSent(context, due.id)
  context.logger.info(fields, "sent an email")
  return undefined
}
