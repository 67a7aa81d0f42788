/** What strangers send: no key, no session, any text of any length that a connection takes. */
import { createHmac, randomBytes } from "node:crypto"
import { get, type Kind, kind, post, postForm } from "./hostile-request.ts"

/** Near the longest URL and header that are taken. */
const LONG = 7_900
const LONG_HEADER = 12_000
/** Near the longest body. */
const BODY = 16_000

const letters = (length: number): string => "abcdefghij".repeat(Math.ceil(length / 10)).slice(0, length)
const repeated = (count: number, item: (index: number) => string, separator: string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(separator)

const account = { email: "nobody@example.com", password: "correct horse battery staple" }
const signIn = "/api/auth/sign-in/email"

export const STRANGERS: readonly Kind[] = [
  kind("unknown path of 100 characters", get(`/api/v1/${letters(100)}`)),
  kind("unknown path of 60 characters", get(`/api/v1/${letters(52)}`)),
  kind("unknown path of 7,900 characters", get(`/api/v1/${letters(LONG)}`)),
  kind("path of 3,900 parts", get(`/api${"/a".repeat(3_900)}`)),
  kind("path of escape sequences", get(`/${"%61".repeat(2_600)}`)),
  kind("another method of a path", post(`/api/v1/health?${letters(LONG)}`, "{}")),
  kind("unknown parameter of 7,900 characters", get(`/api/v1/health?${letters(LONG)}=1`)),
  kind("2,000 parameters", get(`/api/v1/health?${repeated(2_000, (index) => `${index % 10}=`, "&")}`)),
  kind("a page that does not exist", get(`/${letters(LONG)}`, { accept: "text/html" })),
  kind(
    "Authorization of 12,000 characters",
    get("/api/v1/health", { authorization: `Bearer ${letters(LONG_HEADER)}` }),
  ),
  kind(
    "API keys that do not exist",
    get("/api/v1/health", { authorization: `Bearer rw_${randomBytes(32).toString("base64url")}` }),
  ),
  kind(
    "cookies of 12,000 characters",
    get("/api/account", { cookie: repeated(1_500, (index) => `c${index}=x`, "; ") }),
  ),
  kind("Accept of 12,000 characters", get("/api/v1/health", { accept: repeated(1_500, () => "text/a;q=", ",") })),
  kind("If-None-Match of 12,000 characters", get("/docs/", { "if-none-match": repeated(3_000, () => '"a"', ",") })),
  kind("Accept-Encoding of 12,000 characters", get("/", { "accept-encoding": repeated(3_000, () => "a;q=", ",") })),
  kind("JSON 8,000 deep", post(signIn, `${"[".repeat(BODY / 2)}${"]".repeat(BODY / 2)}`)),
  kind("JSON of 1,500 names", post(signIn, `{${repeated(1_500, (index) => `"n${index}":1`, ",")}}`)),
  kind("JSON that ends too early", post(signIn, `{"email":"${letters(BODY)}`)),
  kind("email address of 16,000 characters", post(signIn, JSON.stringify({ ...account, email: letters(BODY - 200) }))),
  kind("sign-in attempts", post(signIn, JSON.stringify(account))),
  kind(
    "sign-ups that are refused",
    post("/api/auth/sign-up/email", JSON.stringify({ ...account, name: letters(5_000) })),
  ),
  kind("links to a new password", post("/api/auth/forgot-password", JSON.stringify({ email: account.email }))),
  kind("options of passkeys", post("/api/auth/sign-in/passkey/options", "{}")),
  kind("webhooks with wrong signatures", webhook("whoop"), webhook("oura")),
  kind("OAuth registrations", post("/oauth/register", registration(1))),
  kind("OAuth registrations of 350 addresses", post("/oauth/register", registration(350))),
  kind(
    "OAuth authorizations with long parameters",
    get(`/oauth/authorize?client_id=${letters(1_000)}&scope=${"a+".repeat(2_000)}&claims=${letters(2_000)}`),
  ),
  kind(
    "OAuth codes that do not exist",
    postForm("/oauth/token", { grant_type: "authorization_code", client_id: letters(500), code: letters(15_000) }),
  ),
  kind("OAuth tokens to revoke", postForm("/oauth/revoke", { client_id: letters(500), token: letters(15_000) })),
  kind(
    "connector without access",
    post("/api/mcp/oauth", JSON.stringify({ jsonrpc: "2.0", id: 1, method: letters(50_000) }), {
      authorization: `Bearer ${letters(2_000)}`,
    }),
  ),
  kind(
    "search index and pages of the manual",
    get("/docs/"),
    get("/docs/api"),
    get("/docs/reference-account"),
    get("/llms.txt"),
  ),
  kind("the description of the API", get("/openapi.json", { "accept-encoding": "gzip" })),
  kind("the page", get("/"), get("/trends"), get("/assets/none.js")),
  kind("pushes without a token", post("/api/ingest/records", letters(BODY))),
  kind(
    "uploads without a session",
    post("/api/imports", letters(BODY), { "content-type": "multipart/form-data; boundary=x" }),
  ),
]

function webhook(vendor: string) {
  const body = JSON.stringify({ user_id: 1, id: letters(BODY - 100), type: "sleep.updated" })
  const signature = createHmac("sha256", "not the secret").update(body).digest("base64")
  const timestamp = String(Date.now())
  return post(`/api/webhooks/${vendor}`, body, {
    "x-whoop-signature": signature,
    "x-whoop-signature-timestamp": timestamp,
    "x-oura-signature": signature,
    "x-oura-timestamp": timestamp,
  })
}

function registration(addresses: number): string {
  const redirect_uris = Array.from({ length: addresses }, (_, index) => `https://assistant.example/${index}`)
  return JSON.stringify({ client_name: "An assistant", redirect_uris, token_endpoint_auth_method: "none" })
}
