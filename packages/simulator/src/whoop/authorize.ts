/**
 * The authorization endpoint: validates the request, lets a person sign in and decide, and redirects to the client.
 * @see https://developer.whoop.com/docs/developing/oauth
 */
import type { FastifyInstance, FastifyReply } from "fastify"
import { formOf, queryOf } from "../http/request.ts"
import type { Person } from "../people/people.ts"
import { type AuthorizationRequest, authorizePage, errorPage, SCOPE_TEXTS } from "./authorize-page.ts"
import type { Vendor } from "./vendor.ts"

const AUTHORIZE_PATH = "/oauth/oauth2/auth"
const SHORTEST_STATE = 8

/** Adds the authorize page and its form. */
export function addAuthorizeRoutes(app: FastifyInstance, vendor: Vendor): void {
  app.get(AUTHORIZE_PATH, async (request, reply) => {
    const query = queryOf(request)
    const checked = checkRequest(vendor, query, reply)
    if (!checked) return reply
    const approver = autoApprover(vendor, checked)
    if (approver) return redirectWithCode(vendor, checked, approver, reply)
    return html(reply, 200, authorizePage(query, checked, vendor.people.list()))
  })

  app.post(AUTHORIZE_PATH, async (request, reply) => {
    const form = formOf(request)
    const checked = checkRequest(vendor, form, reply)
    if (!checked) return reply
    if (form.get("decision") !== "allow") {
      return redirect(reply, checked.redirectUri, {
        error: "access_denied",
        error_description: "The resource owner denied the request",
        state: checked.state,
      })
    }
    const person = vendor.people.find(form.get("person") ?? "")
    if (!person || (person.password !== undefined && form.get("password") !== person.password)) {
      return html(
        reply,
        401,
        authorizePage(form, checked, vendor.people.list(), "The e-mail address or password is wrong"),
      )
    }
    return redirectWithCode(vendor, checked, person, reply)
  })
}

/** Returns a valid request. Otherwise replies with an error: a redirect, or a page where a redirect is unsafe. */
function checkRequest(vendor: Vendor, query: URLSearchParams, reply: FastifyReply): AuthorizationRequest | undefined {
  const redirectUri = query.get("redirect_uri") ?? ""
  if (query.get("client_id") !== vendor.settings.clientId) {
    html(reply, 400, errorPage("invalid_client", "The requested OAuth 2.0 client does not exist"))
    return undefined
  }
  if (!isRegistered(vendor, redirectUri)) {
    html(reply, 400, errorPage("invalid_request", "The redirect_uri is not one of the app's registered addresses"))
    return undefined
  }
  const state = query.get("state") ?? ""
  const scopes = (query.get("scope") ?? "").split(" ").filter((scope) => scope !== "")
  const refusal = refuse(vendor, query, state, scopes)
  if (refusal) {
    const [error, description] = refusal
    redirect(reply, redirectUri, { error, error_description: description, ...(state !== "" && { state }) })
    return undefined
  }
  const loginHint = query.get("login_hint") ?? undefined
  return { clientId: vendor.settings.clientId, redirectUri, scopes, state, loginHint }
}

function isRegistered({ settings }: Vendor, redirectUri: string): boolean {
  if (settings.redirectUris) return settings.redirectUris.includes(redirectUri)
  return /^https?:\/\//.test(redirectUri) && URL.canParse(redirectUri)
}

/** Returns an error and its description. Only a registered redirect address may receive them. */
function refuse({ settings }: Vendor, query: URLSearchParams, state: string, scopes: readonly string[]) {
  if (query.get("response_type") !== "code")
    return ["unsupported_response_type", "The authorization server supports the type code only"] as const
  if (state.length < SHORTEST_STATE || (settings.strictState && state.length !== SHORTEST_STATE))
    return ["invalid_state", "The state is missing or does not have enough characters"] as const
  if (scopes.length === 0 || !scopes.every((scope) => Object.hasOwn(SCOPE_TEXTS, scope)))
    return ["invalid_scope", "The requested scope is invalid, unknown, or malformed"] as const
  return undefined
}

function autoApprover({ settings, people }: Vendor, { loginHint }: AuthorizationRequest): Person | undefined {
  if (settings.autoApprove === undefined) return undefined
  if (loginHint !== undefined) return people.find(loginHint)
  return settings.autoApprove === true ? people.list()[0] : people.find(settings.autoApprove)
}

function redirectWithCode(vendor: Vendor, request: AuthorizationRequest, person: Person, reply: FastifyReply) {
  const { clientId, redirectUri, scopes, state } = request
  const code = vendor.grants.issueCode({ userId: person.userId, clientId, scopes }, redirectUri)
  return redirect(reply, redirectUri, { code, scope: scopes.join(" "), state })
}

function redirect(reply: FastifyReply, redirectUri: string, parameters: Readonly<Record<string, string>>) {
  const address = new URL(redirectUri)
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return reply.redirect(address.href, 302)
}

function html(reply: FastifyReply, status: number, page: string) {
  return reply.code(status).type("text/html; charset=utf-8").header("cache-control", "no-store").send(page)
}
