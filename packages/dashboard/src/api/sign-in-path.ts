/** Pages that need no session. */
const PUBLIC = ["/sign-in", "/sign-up"]

/** Where to sign in, and where to go on afterwards. */
export function signInPath(from: string, problem?: string): string {
  const search = new URLSearchParams()
  if (from !== "/" && !PUBLIC.includes(from)) search.set("next", from)
  if (problem !== undefined) search.set("problem", problem)
  return search.size > 0 ? `/sign-in?${search}` : "/sign-in"
}

/** Where to go on after signing in: a path of this site and no other, whatever the address says. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get("next")
  if (next === null || !next.startsWith("/")) return "/"
  const target = URL.parse(next, window.location.origin)
  return target?.origin === window.location.origin ? target.pathname + target.search : "/"
}
