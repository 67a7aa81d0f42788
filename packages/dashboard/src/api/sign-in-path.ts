/** Pages that need no session. */
const PUBLIC_PAGES = ["/sign-in", "/sign-up", "/forgot-password", "/reset", "/invite"]

/** Returns the path of the sign-in page, which leads back to `from`. */
export function signInPath(from: string, problem: string): string {
  const search = new URLSearchParams()
  if (from !== "/" && !PUBLIC_PAGES.includes(from)) search.set("next", from)
  search.set("problem", problem)
  return `/sign-in?${search}`
}

/** Returns the path to open after signing in. It is always a path of this site, to prevent open redirects. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get("next")
  if (next === null || !next.startsWith("/")) return "/"
  const target = URL.parse(next, window.location.origin)
  return target?.origin === window.location.origin ? target.pathname + target.search : "/"
}

/** Opens a path after signing in. The server renders the pages under `/oauth/`, so those need a full page load. */
export function openNext(path: string, navigate: (path: string) => void): void {
  if (path.startsWith("/oauth/")) window.location.assign(path)
  else navigate(path)
}

/** Returns the query that passes `next` on to another sign-in page; empty for the start page. */
export function nextSearch(search: string): string {
  const next = nextPath(search)
  return next === "/" ? "" : `?${new URLSearchParams({ next })}`
}
