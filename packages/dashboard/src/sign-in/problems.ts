/** What the server may say in the address when it sends somebody back to sign in. */
const PROBLEMS: Readonly<Record<string, string>> = {
  session_ended: "You were signed out, because the session ended. Sign in again to go on.",
  access_denied: "You said no there, so nothing was shared and nobody was signed in.",
  email_taken: "There is an account with this e-mail address already. Sign in the way you did before.",
  sign_up_closed: "This Restwell lets nobody new in. Ask its operator for an account.",
  expired: "That took too long, or was begun in another browser. Try once more.",
  failed: "The other side did not confirm who you are. Try again in a moment.",
}

/** The problem in words, if the address names a known one. */
export const problemText = (search: string): string | undefined =>
  PROBLEMS[new URLSearchParams(search).get("problem") ?? ""]
