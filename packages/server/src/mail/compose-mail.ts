import { sourceName } from "@restwell/client/figures"
import { INVITATION_DAYS, type MailContent, type MailReader, plainText, RESET_HOURS } from "@restwell/core"
import { invitationLink, resetLink } from "../accounts/links.ts"
import { html, type Markup } from "../text/markup.ts"

export interface Mail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What an email says, in text and in simple HTML. @param baseUrl the service's public address */
export function composeMail(content: MailContent, baseUrl: string): Mail {
  switch (content.kind) {
    case "password_reset":
      return mailOf({
        subject: "Your new Restwell password",
        paragraphs: [
          `Somebody asked for a new password for your account at ${baseUrl}.`,
          `Open this link within ${hours(RESET_HOURS.email)} to choose one. It works once.`,
        ],
        action: { label: "Choose a new password", url: resetLink(baseUrl, content.token) },
        footer: "If it was not you, ignore this email. Your password stays as it is.",
      })
    case "reconnect": {
      const vendor = sourceName(content.provider)
      return mailOf({
        subject: `${vendor} needs to be reconnected`,
        paragraphs: [
          `Hello ${plainText(content.name, 100)},`,
          `${vendor} no longer lets Restwell read your data, so no new records arrive. What is stored stays.`,
          "Sign in and connect it again. Restwell then fetches what is missing.",
        ],
        action: { label: "Open Connections", url: `${baseUrl}/connections` },
        footer: `You can turn these notices off on the account page: ${baseUrl}/account`,
      })
    }
    case "invitation":
      return mailOf({
        subject: "You are invited to Restwell",
        paragraphs: [
          `The operator of ${baseUrl} invites you to create an account. Restwell keeps your own sleep, recovery and strain data there.`,
          `Open this link within ${INVITATION_DAYS} days. It works once.`,
        ],
        action: { label: "Create your account", url: invitationLink(baseUrl, content.token) },
        footer: "If you do not know who runs this address, ignore this email.",
      })
    case "passkey_added":
      return passkeyMail(baseUrl, content, {
        subject: "A passkey was added to your Restwell account",
        what: "a passkey was added to your account. A person who has it can sign in without your password",
      })
    case "passkey_removed":
      return passkeyMail(baseUrl, content, {
        subject: "A passkey was deleted from your Restwell account",
        what: "a passkey was deleted from your account",
      })
    case "notice": {
      const { title, lines, path } = content.message
      return mailOf({
        subject: title,
        paragraphs: lines,
        action: { label: "Open Restwell", url: `${baseUrl}${path}` },
        footer: `What is sent to you is set on the page Notifications: ${baseUrl}/notifications`,
      })
    }
  }
}

/** The message that proves that the mail settings work. */
export const composeTestMail = (baseUrl: string): Mail =>
  mailOf({
    subject: "Restwell can send email",
    paragraphs: [`This is the test message of ${baseUrl}. The mail settings on its page Service work.`],
    action: { label: "Open the page Service", url: `${baseUrl}/service` },
    footer: "You get this message because somebody with your account pressed the button for it.",
  })

type PasskeyContent = Pick<Extract<MailContent, { reader: MailReader }>, "at" | "reader">

const passkeyMail = (
  baseUrl: string,
  { at, reader }: PasskeyContent,
  { subject, what }: { subject: string; what: string },
): Mail =>
  mailOf({
    subject,
    paragraphs: [
      `On ${instantText(at, reader)} ${what}.`,
      "If it was not you, somebody else is signed in to your account: delete the passkeys that you do not know, and change your password.",
    ],
    action: { label: "Open your account", url: `${baseUrl}/account` },
    footer: "If it was you, there is nothing to do.",
  })

/** "28 November 2026 at 08:02 CET" where the person is. The month is a word, because nobody knows the locale of a mail program. */
const instantText = (at: Date, { time_zone, units, clock }: MailReader): string =>
  at.toLocaleString(units === "imperial" ? "en-US" : "en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    hourCycle: clock === "12h" ? "h12" : "h23",
    timeZone: time_zone ?? "UTC",
    timeZoneName: "short",
  })

const hours = (count: number): string => (count === 1 ? "an hour" : `${count} hours`)

interface Parts {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly action: { readonly label: string; readonly url: string }
  readonly footer: string
}

function mailOf({ subject, paragraphs, action, footer }: Parts): Mail {
  return {
    subject,
    text: `${[...paragraphs, action.url, footer].join("\n\n")}\n`,
    html: documentOf({ subject, paragraphs, action, footer }).text,
  }
}

/** Mail programs know little HTML and few styles. Nothing is loaded from elsewhere. */
const documentOf = ({ subject, paragraphs, action, footer }: Parts): Markup => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#111">
<div style="max-width:32em">
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}<p><a href="${action.url}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#111;color:#fff;text-decoration:none">${action.label}</a></p>
<p style="font-size:14px;color:#555">If the button does not work, open this address:<br><a href="${action.url}" style="color:#555;word-break:break-all">${action.url}</a></p>
<p style="font-size:14px;color:#555">${footer}</p>
</div>
</body>
</html>
`
