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

/** Leads on after signing in. The pages of an assistant's sign-in are the server's own, and loaded from it. */
export function leadOn(path: string, navigate: (path: string) => void): void {
  if (isServerPage(path)) window.location.assign(path)
  else navigate(path)
}

/** What to add to an address so that signing in there leads on to the same place; nothing where that is a page of the dashboard. */
export function nextSearch(search: string): string {
  const next = nextPath(search)
  return next === "/" ? "" : `?${new URLSearchParams({ next })}`
}

const isServerPage = (path: string): boolean => path.startsWith("/oauth/")
