// Test messages: one email now and once, and why the mail server did not take it, in words.
import type { MailConfig } from "../config/config.ts"
import type { Mail } from "./compose-mail.ts"
import { createMailer, SmtpFailure } from "./mailer.ts"

/** Returns why the mail server did not take the message, or undefined. */
export async function sendTestMail(
  settings: MailConfig,
  address: string,
  mail: Mail,
): Promise<SmtpFailure | undefined> {
  const mailer = await createMailer(settings)
  try {
    await mailer.send(address, mail)
    return undefined
  } catch (error) {
    if (error instanceof SmtpFailure) return error
    throw error
  } finally {
    mailer.close()
  }
}

/** A field of the form of the mail server. */
type MailField = "host" | "port" | "password" | "from"

/** By the codes of nodemailer: the field of the form, and what to do. */
const FAULTS: Readonly<Record<string, readonly [MailField, string]>> = {
  EAUTH: ["password", "the mail server refuses the user name or the password. Many providers need an app password"],
  EDNS: ["host", "this name is not known: check its spelling"],
  ETLS: ["port", "the mail server does not encrypt on this port, so the password would be readable. Try port 465"],
  EPROTOCOL: ["port", "what answers on this port does not speak SMTP: try 465 or 587"],
  ETIMEDOUT: ["port", "the mail server does not answer on this port: try 465 or 587"],
  ECONNECTION: ["port", "nothing answers on this port: check the name, and try port 465 or 587"],
  ESOCKET: ["port", "nothing answers there as expected: check the name, and try port 465 or 587"],
}

/** The mail server's own words help where it refused the sender or the message. */
export const mailFaultText = ({ code, message }: SmtpFailure): string =>
  FAULTS[code]?.[1] ?? `the mail server does not take the test message: ${message}`

/** The field of the form that the fault is about. */
export const mailFaultField = ({ code }: SmtpFailure): MailField => FAULTS[code]?.[0] ?? "from"
