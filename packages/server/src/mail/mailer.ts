import { type Context, type MailContent, markMailFailed, markMailSent, takeDueMail } from "@restwell/core"
import { Counter, type Registry } from "prom-client"
import type { MailConfig } from "../config/config.ts"
import { reachOf } from "../network/addresses.ts"
import { type RepeatOptions, repeat } from "../process/wait.ts"
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
  readonly context: Pick<Context, "database" | "clock" | "logger">
  /** Links lead to it. */
  readonly baseUrl: () => string
  /** The mail server to use now. Undefined while none is set up: the emails wait. */
  readonly mail: () => MailConfig | undefined
  readonly meter: MailMeter
  /** When to look: somebody may be waiting for a link. */
  readonly looks: Pick<RepeatOptions, "everyMs" | "wait">
}

/**
 * Sends the emails that wait in the database, one after the other, on any number of processes. Every email is tried until the mail server
 * takes it or it is of no use any more. A process that is killed between the server's answer and its own note sends the email again.
 * @returns stops after the current email
 */
export function startMail({ context, baseUrl, mail, meter, looks }: MailOptions): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const send = async () => {
    const settings = mail()
    if (settings === undefined) return
    const mailer = await createMailer(settings)
    await sendAll({ context, baseUrl, meter, mailer, signal }).finally(() => mailer.close())
  }
  const task = () =>
    send().catch((error: unknown) => context.logger.error({ err: error }, "could not look for emails to send"))
  const running = repeat(task, { ...looks, signal })
  return async () => {
    stopping.abort()
    await running
  }
}

interface Sending extends Pick<MailOptions, "context" | "baseUrl" | "meter"> {
  readonly mailer: Mailer
  readonly signal: AbortSignal
}

async function sendAll({ context, baseUrl, meter, mailer, signal }: Sending): Promise<void> {
  while (!signal.aborted) {
    const due = await takeDueMail(context)
    if (!due) return
    const { kind } = due.content
    try {
      await mailer.send(due.address, composeMail(due.content, baseUrl()))
    } catch (error) {
      if (!(error instanceof SmtpFailure)) throw error
      meter(kind, "failed")
      const nextTryAt = await markMailFailed(context, due, error.message)
      const { code, status } = error
      // The mail server's words may contain the address, so only the page Service displays them.
      context.logger.warn({ kind, attempt: due.attempt, code, status, nextTryAt }, "could not send an email")
      continue
    }
    meter(kind, "sent")
    await markMailSent(context, due.id)
    context.logger.info({ kind, attempt: due.attempt }, "sent an email")
  }
}
