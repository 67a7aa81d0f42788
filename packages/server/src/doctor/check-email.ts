import { createMailer, SmtpFailure } from "../mail/mailer.ts"
import type { Facts } from "./facts.ts"
import { failed, type Outcome, ok } from "./result.ts"

/** By the codes of nodemailer. */
const MAIL_FAULTS: Readonly<Record<string, readonly [string, string]>> = {
  EAUTH: ["refuses the user or the password", "correct both in SMTP_URL"],
  EDNS: ["has a name that is not known", "correct the name in SMTP_URL"],
  ETLS: [
    "does not encrypt the connection, so the password would be readable on the way",
    "use its port with TLS: smtps://USER:PASSWORD@HOST:465",
  ],
  EPROTOCOL: ["does not speak SMTP", "correct host and port in SMTP_URL"],
}

function describe({ code, message }: SmtpFailure): readonly [string, string] {
  // nodemailer replaces the codes of TLS by ESOCKET.
  if (code === "ESOCKET" && /certificate|altnames/.test(message))
    return [
      `has a certificate that is refused (${message.replace(/;.*/s, "")})`,
      "use the name in its certificate, which a known authority has to sign",
    ]
  return MAIL_FAULTS[code] ?? [`does not answer (${code})`, "correct SMTP_URL, or let the network through"]
}

/** The mail server takes our password. */
export async function checkEmail({ config }: Facts): Promise<Outcome> {
  if (config.mail === undefined) return ok("SMTP_URL is not set, so links are copied by hand")
  const mailer = await createMailer(config.mail)
  try {
    await mailer.verify()
    return ok("the mail server takes e-mails")
  } catch (error) {
    if (!(error instanceof SmtpFailure)) throw error
    const host = new URL(config.mail.smtpUrl).host
    const [what, remedy] = describe(error)
    return failed(`the mail server ${host} ${what}`, remedy)
  } finally {
    mailer.close()
  }
}
