/* What the service worker may keep, and when it must forget. Everything that is not named here is never kept. */

/** The cache of the person's answers. */
export const ANSWERS = "answers"

/** The header of a kept answer that says when it came from the service, as an ISO 8601 instant. */
export const STORED_AT = "x-restwell-stored-at"

/**
 * The least status of a proxy or tunnel in front of a service that is off: 502 to 504, and Cloudflare's 520 to 530.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.6.3
 * @see https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/
 */
const OUT_OF_REACH = 502

/** Whether a response says only that the service is not there. */
export const isOutOfReach = ({ status }: Pick<Response, "status">): boolean => status >= OUT_OF_REACH

export const ACCOUNT = "/api/account"

/** Parts of the account that the page draws: figures, and what it needs to draw them. No key, export, log or setting of security. */
const KEPT_PARTS = ["day", "health", "journal", "pages", "series", "signs", "sources", "sports", "trends"]

/** Whether the answer to a GET is kept for times without a connection. */
export const isKept = (path: string): boolean =>
  path === ACCOUNT || KEPT_PARTS.includes(/^\/api\/account\/([a-z-]+)(?:\/|$)/.exec(path)?.[1] ?? "")

/**
 * Whether a request may end a session, begin one, or change whose it is: every change and every visit below /api/auth, as the way back from
 * Google, signing out on the page for assistants, the first account, and its deletion.
 */
export function changesPerson({ method, mode }: Pick<Request, "method" | "mode">, path: string): boolean {
  if (method === "GET") return mode === "navigate" && path.startsWith("/api/auth/")
  if (path === ACCOUNT) return method === "DELETE"
  return /^\/api\/(?:auth|setup)\/|^\/oauth\/.*\/sign-out$/.test(path)
}

/** Whether a request signs the person out at this browser, or deletes the account. */
export const endsSession = ({ method }: Pick<Request, "method">, path: string): boolean =>
  path === ACCOUNT ? method === "DELETE" : method === "POST" && /^\/(?:api\/auth|oauth\/.*)\/sign-out$/.test(path)

const NOT_PAGES = /^\/(?:api|assets|docs|oauth|mcp|metrics|healthz|readyz|\.well-known)(?:\/|$)|\.(?:json|txt)$/

/** Whether a path may be a page of the dashboard. */
export const isOwnPage = (path: string): boolean => !NOT_PAGES.test(path)
