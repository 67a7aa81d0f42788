import { once } from "node:events"
import { SMTPServer } from "smtp-server"
import { type ParsedMail, parseMail } from "./parse-mail.ts"

/** A real SMTP server that keeps what it takes. */
export interface MailServer {
  readonly url: string
  readonly mails: readonly ParsedMail[]
  /** Refuses every email with 451 until it is set to false. */
  isFailing: boolean
  /** Waits for an email to an address. @param nth from 1 */
  mailTo(address: string, nth?: number): Promise<ParsedMail>
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ParsedMail[] = []
  const waiting: (() => void)[] = []
  const state = { isFailing: false }
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disabledCommands: ["AUTH"],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        if (state.isFailing) return done(Object.assign(new Error("try again later"), { responseCode: 451 }))
        mails.push(
          parseMail(
            Buffer.concat(chunks).toString(),
            session.envelope.rcptTo.map(({ address }) => address),
          ),
        )
        done()
        for (const look of waiting.splice(0)) look()
      })
    },
  })
  const listening = server.listen(0, "127.0.0.1")
  await once(listening, "listening")
  const address = listening.address()
  if (address === null || typeof address === "string") throw new Error("the mail server has no port")
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    get isFailing() {
      return state.isFailing
    },
    set isFailing(value) {
      state.isFailing = value
    },
    async mailTo(recipient, nth = 1) {
      for (;;) {
        const found = mails.filter(({ recipients }) => recipients.includes(recipient))[nth - 1]
        if (found) return found
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
