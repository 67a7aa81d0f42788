import { type Context, markMailFailed, markMailSent, takeDueMail } from "@restwell/core"
import type { MailConfig } from "../config/config.ts"
import { repeat } from "../time/repeat.ts"
import type { Wait } from "../time/wait.ts"
import { composeMail } from "./compose-mail.ts"
import type { MailMeter } from "./mail-meter.ts"
import { createMailer, type Mailer, SmtpFailure } from "./mailer.ts"

/** Somebody may be waiting for a link. */
const LOOK_EVERY_MS = 2_000

export interface MailOptions {
  readonly context: Pick<Context, "database" | "clock" | "logger">
  /** Links lead to it. */
  readonly baseUrl: () => string
  readonly mail: MailConfig
  readonly meter: MailMeter
  readonly wait: Wait
}

/**
 * Sends the e-mails that wait in the database, one after the other, on any number of processes. Every e-mail is tried until the mail server
 * takes it or it is of no use any more. A process that is killed between the server's answer and its own note sends the e-mail again.
 * @returns stops after the current e-mail
 */
export async function startMail({ context, baseUrl, mail, meter, wait }: MailOptions): Promise<() => Promise<void>> {
  const mailer = await createMailer(mail)
  const stopping = new AbortController()
  const { signal } = stopping
  const task = () =>
    sendAll({ context, baseUrl, meter, mailer, signal }).catch((error: unknown) =>
      context.logger.error({ err: error }, "could not look for e-mails to send"),
    )
  const running = repeat(task, { everyMs: LOOK_EVERY_MS, wait, signal })
  return async () => {
    stopping.abort()
    await running
    mailer.close()
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
      context.logger.warn({ kind, attempt: due.attempt, code, status, nextTryAt }, "could not send an e-mail")
      continue
    }
    meter(kind, "sent")
    await markMailSent(context, due.id)
    context.logger.info({ kind, attempt: due.attempt }, "sent an e-mail")
  }
}
