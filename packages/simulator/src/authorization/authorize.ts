/** The authorization endpoint: validates the request, lets a person sign in and decide, and redirects to the client. */
import type { FastifyInstance, FastifyReply } from "fastify"
import type { Grants } from "../grants/grants.ts"
import { formOf, queryOf } from "../http/request.ts"
import type { People, Person } from "../people/people.ts"
import { type AuthorizationRequest, authorizePage, errorPage, type PageOfVendor } from "./authorize-page.ts"

/** Settings of the app at the vendor. */
export interface AppSettings {
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
      const problem = "The e-mail address or password is wrong"
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
  const scopes = (query.get("scope") ?? "").split(" ").filter((scope) => scope !== "")
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
