import type { MailConfig } from "../config/config.ts"
import { reachOf } from "../network/addresses.ts"
import type { Mail } from "./compose-mail.ts"

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

export interface Mailer {
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
