/**
 * The authorization endpoint: validates the request, lets a person sign in and decide, and redirects to the client. The page is one plain
 * form, which a script can post too.
 */

import type { FastifyInstance, FastifyReply } from "fastify"
import { formOf, queryOf } from "../http/vendor-api.ts"
import type { People, Person } from "../world/people.ts"
import type { Grants } from "./grants.ts"

/** A valid authorization request. @see RFC 6749, section 4.1.1 */
interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly state: string
  readonly loginHint: string | undefined
}

/** How a vendor's page differs from another's. */
interface PageOfVendor {
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
function authorizePage(
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
function errorPage(vendor: PageOfVendor, error: string, description: string): string {
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

/** Settings of the app at the vendor. */
interface AppSettings {
  readonly clientId: string
  /** Registered redirect addresses. Undefined: any http(s) address. */
  readonly redirectUris: readonly string[] | undefined
  /** Skips the authorize page. A text names the person; `true` means the person of `login_hint`, or else the first. */
  readonly autoApprove: string | true | undefined
}

/** The authorization endpoint of one vendor. */
export interface AuthorizationEndpoint extends PageOfVendor {
  readonly app: AppSettings
  readonly people: People
  readonly grants: Grants
  /** Returns an error and its description. Only a registered redirect address receives them. */
  refuse(query: URLSearchParams, state: string, scopes: readonly string[]): readonly [string, string] | undefined
  /** Returns the scopes of the grant, given the scopes that the member allowed. */
  grantedScopes(allowed: readonly string[]): readonly string[]
  /** Parameters of the redirect beside code, scope and state. */
  readonly redirectParameters: Readonly<Record<string, string>>
}

/** Adds the authorize page and its form. */
export function addAuthorizeRoutes(app: FastifyInstance, endpoint: AuthorizationEndpoint): void {
  app.get(endpoint.path, async (request, reply) => {
    const query = queryOf(request)
    const checked = checkRequest(endpoint, query, reply)
    if (!checked) return reply
    const approver = autoApprover(endpoint, checked)
    if (approver) return redirectWithCode(endpoint, checked, approver, reply)
    return html(reply, 200, authorizePage(endpoint, query, checked, endpoint.people.list()))
  })

  app.post(endpoint.path, async (request, reply) => {
    const form = formOf(request)
    const checked = checkRequest(endpoint, form, reply)
    if (!checked) return reply
    if (form.get("decision") !== "allow") {
      return redirect(reply, checked.redirectUri, {
        error: "access_denied",
        error_description: "The resource owner denied the request",
        state: checked.state,
      })
    }
    const person = endpoint.people.find(form.get("person") ?? "")
    if (!person || (person.password !== undefined && form.get("password") !== person.password)) {
      const problem = "The email address or password is wrong"
      return html(reply, 401, authorizePage(endpoint, form, checked, endpoint.people.list(), problem))
    }
    return redirectWithCode(endpoint, allowedOf(endpoint, checked, form), person, reply)
  })
}

/** Returns the request with the scopes that the member left checked. A form without any such field allows all. */
function allowedOf(
  { scopesAreOptional }: AuthorizationEndpoint,
  request: AuthorizationRequest,
  form: URLSearchParams,
): AuthorizationRequest {
  const allowed = form.getAll("allowed_scope")
  if (!scopesAreOptional || allowed.length === 0) return request
  return { ...request, scopes: request.scopes.filter((scope) => allowed.includes(scope)) }
}

/** Returns a valid request. Otherwise replies with an error: a redirect, or a page where a redirect is unsafe. */
function checkRequest(
  endpoint: AuthorizationEndpoint,
  query: URLSearchParams,
  reply: FastifyReply,
): AuthorizationRequest | undefined {
  const { app } = endpoint
  const redirectUri = query.get("redirect_uri") ?? ""
  if (query.get("client_id") !== app.clientId) {
    html(reply, 400, errorPage(endpoint, "invalid_client", "The requested OAuth 2.0 client does not exist"))
    return undefined
  }
  if (!isRegistered(app, redirectUri)) {
    const problem = "The redirect_uri is not one of the app's registered addresses"
    html(reply, 400, errorPage(endpoint, "invalid_request", problem))
    return undefined
  }
  const state = query.get("state") ?? ""
  const scopes = (query.get("scope") ?? "").split(/[ ,]+/).filter((scope) => scope !== "")
  const refusal = endpoint.refuse(query, state, scopes)
  if (refusal) {
    const [error, description] = refusal
    redirect(reply, redirectUri, { error, error_description: description, ...(state !== "" && { state }) })
    return undefined
  }
  const loginHint = query.get("login_hint") ?? undefined
  return { clientId: app.clientId, redirectUri, scopes, state, loginHint }
}

function isRegistered({ redirectUris }: AppSettings, redirectUri: string): boolean {
  if (redirectUris) return redirectUris.includes(redirectUri)
  return /^https?:\/\//.test(redirectUri) && URL.canParse(redirectUri)
}

function autoApprover({ app, people }: AuthorizationEndpoint, { loginHint }: AuthorizationRequest): Person | undefined {
  if (app.autoApprove === undefined) return undefined
  if (loginHint !== undefined) return people.find(loginHint)
  return app.autoApprove === true ? people.list()[0] : people.find(app.autoApprove)
}

function redirectWithCode(
  endpoint: AuthorizationEndpoint,
  request: AuthorizationRequest,
  person: Person,
  reply: FastifyReply,
) {
  const { clientId, redirectUri, state } = request
  const scopes = endpoint.grantedScopes(request.scopes)
  const code = endpoint.grants.issueCode({ userId: person.userId, clientId, scopes }, redirectUri)
  return redirect(reply, redirectUri, { code, scope: scopes.join(" "), state, ...endpoint.redirectParameters })
}

function redirect(reply: FastifyReply, redirectUri: string, parameters: Readonly<Record<string, string>>) {
  const address = new URL(redirectUri)
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return reply.redirect(address.href, 302)
}

function html(reply: FastifyReply, status: number, page: string) {
  return reply.code(status).type("text/html; charset=utf-8").header("cache-control", "no-store").send(page)
}
