// Messages to people arrive: no receiver fails, and no chosen channel leads nowhere.
import { plural } from "@restwell/client/figures"
import { readTellingHealth } from "@restwell/core"
import { type Facts, failed, minuteOf, type Outcome, ok } from "./facts.ts"

const RECEIVERS = {
  webhook: ["webhook", "webhooks"],
  ntfy: ["topic of ntfy", "topics of ntfy"],
  push: ["browser", "browsers"],
} as const

/** What a person chose without a way to them. */
const EMPTY = {
  email: [
    "email for messages, and no mail server is set",
    "set a mail server up on the page Service, or SMTP_URL and MAIL_FROM",
  ],
  push: [
    "browsers for messages, and none has them turned on",
    "let these people turn them on on the page Notifications",
  ],
  webhook: ["webhooks for messages, and there are none", "let these people make one on the page Notifications"],
} as const

/** Webhooks, topics of ntfy, browsers and emails get what is sent to them. */
export async function checkMessages(facts: Facts): Promise<Outcome[]> {
  const { working, faults, givenUp, chosen, waitingMails } = await readTellingHealth({
    database: await facts.tables(),
    clock: facts.clock,
  })
  const hasMail = facts.config.mail !== undefined
  const outcomes = [
    ...faults.map(({ kind, host, count, isDisabled, since, answer }) => {
      const [one, many] = RECEIVERS[kind]
      const what = `${plural(count, one, many)} at ${host}`
      return isDisabled
        ? failed(
            `nothing is sent to ${what} any more, since ${minuteOf(since)}: ${answer}`,
            "repair the receiver, and send a test on the page Notifications: if it arrives, it is on again. Or delete it there",
          )
        : failed(
            `messages to ${what} do not arrive, since ${minuteOf(since)}: ${answer}`,
            "repair the receiver: what waits is sent then",
          )
    }),
    ...givenUp.map(({ kind, host, messages, receivers, at, answer }) => {
      const [one, many] = RECEIVERS[kind]
      const what = `${plural(messages, "message")} to ${plural(receivers, one, many)} at ${host}`
      return failed(
        `${what} did not arrive and will not be tried again, the last one at ${minuteOf(at)}: ${answer}`,
        "repair the receiver, and send those of a webhook again on the page Notifications",
      )
    }),
    ...chosen.flatMap(({ channel, people }) => {
      if (channel === "email" && hasMail) return []
      const [what, remedy] = EMPTY[channel]
      return [failed(`${plural(people, "person", "people")} chose ${what}`, remedy)]
    }),
    ...(waitingMails > 0 && hasMail
      ? [
          failed(
            `the mail server has not taken ${plural(waitingMails, "email")}`,
            "read why on the page Service, Email",
          ),
        ]
      : []),
  ]
  return outcomes.length > 0 ? outcomes : [ok(`${plural(working, "receiver")} of messages, and none fails`)]
}
