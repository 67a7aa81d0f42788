/** The page on which a member signs in and decides. It is one plain form, which a script can post too. */
import type { Person } from "../people/people.ts"

/** A valid authorization request. @see RFC 6749, section 4.1.1 */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly state: string
  readonly loginHint: string | undefined
}

/** How a vendor's page differs from another's. */
export interface PageOfVendor {
  readonly vendorName: string
  /** Address of the page and of its form. */
  readonly path: string
  /** The scopes that exist, in words for people. */
  readonly scopeTexts: Readonly<Record<string, string>>
  /** Lets a member leave scopes out. */
  readonly scopesAreOptional: boolean
}

/** Fields of the request that the form repeats. */
const REPEATED_FIELDS = ["response_type", "client_id", "redirect_uri", "scope", "state", "login_hint"] as const

/** Returns the page of a valid request. */
export function authorizePage(
  vendor: PageOfVendor,
  query: URLSearchParams,
  request: AuthorizationRequest,
  people: readonly Person[],
  problem?: string,
): string {
  const repeated = REPEATED_FIELDS.flatMap((name) => {
    const value = query.get(name)
    return value === null ? [] : [`<input type="hidden" name="${name}" value="${escapeHtml(value)}">`]
  })
  const hinted = people.find(({ email }) => email === request.loginHint) ?? people[0]
  const needsPassword = people.some(({ password }) => password !== undefined)
  return page(
    vendor,
    "Authorize",
    `<h1>${escapeHtml(request.clientId)} would like to</h1>
    ${problem === undefined ? "" : `<p role="alert">${escapeHtml(problem)}</p>`}
    <form method="post" action="${vendor.path}">
      <ul>${request.scopes.map((scope) => scopeItem(vendor, scope)).join("")}</ul>
      ${repeated.join("\n      ")}
      <fieldset><legend>Sign in as</legend>
        ${people.map((person) => choice(person, person === hinted)).join("\n        ")}
      </fieldset>
      ${needsPassword ? '<label>Password <input type="password" name="password" autocomplete="off"></label>' : ""}
      <p class="actions">
        <button name="decision" value="allow" class="primary">Allow</button>
        <button name="decision" value="deny">Deny</button>
      </p>
    </form>
    <p class="note">You will return to ${escapeHtml(new URL(request.redirectUri).host)}. This is a simulator with invented people.</p>`,
  )
}

/** Returns the page of a request that must not be redirected. */
export function errorPage(vendor: PageOfVendor, error: string, description: string): string {
  return page(vendor, "Error", `<h1>${escapeHtml(error)}</h1><p>${escapeHtml(description)}</p>`)
}

function scopeItem({ scopeTexts, scopesAreOptional }: PageOfVendor, scope: string): string {
  const text = escapeHtml(scopeTexts[scope] ?? scope)
  if (!scopesAreOptional) return `<li>${text}</li>`
  return `<li><label><input type="checkbox" name="allowed_scope" value="${escapeHtml(scope)}" checked> ${text}</label></li>`
}

function choice(person: Person, isChosen: boolean): string {
  const name = escapeHtml(`${person.firstName} ${person.lastName}`)
  const email = escapeHtml(person.email)
  const checked = isChosen ? " checked" : ""
  return `<label><input type="radio" name="person" value="${email}"${checked}> ${name} <small>${email}</small></label>`
}

function page({ vendorName }: PageOfVendor, title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${vendorName} simulator</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 26rem; margin: 12vh auto; padding: 0 1.25rem }
h1 { font-size: 1.25rem }
fieldset { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .75rem; padding: .75rem 1rem }
label { display: block; padding: .25rem 0 }
small, .note { opacity: .7 }
.note { font-size: .875rem }
.actions { display: flex; gap: .75rem }
button { flex: 1; padding: .7rem; border-radius: .6rem; border: 1px solid currentColor; background: none; color: inherit; font: inherit }
button.primary { background: CanvasText; color: Canvas }
[role=alert] { color: #c62828 }
</style>
</head>
<body>
<main>${content}</main>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
