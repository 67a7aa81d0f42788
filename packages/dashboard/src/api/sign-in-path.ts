/** Pages that need no session. */
const PUBLIC_PAGES = ["/sign-in", "/sign-up", "/forgot-password", "/reset", "/invite", "/setup"]

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
  // The path of `/.//host` is `//host`, another site.
  const isOwn = target?.origin === window.location.origin && !target.pathname.startsWith("//")
  return isOwn ? target.pathname + target.search : "/"
}

/** Whether the path is a page of an assistant's request. The server renders those, so they need a full page load. */
export const isAssistantPath = (path: string): boolean => path.startsWith("/oauth/")

/** Opens a path after signing in. */
export function openNext(path: string, navigate: (path: string) => void): void {
  if (isAssistantPath(path)) window.location.assign(path)
  else navigate(path)
}

/** Returns the query that passes `next` on to another sign-in page; empty for the start page. */
export function nextSearch(search: string): string {
  const next = nextPath(search)
  return next === "/" ? "" : `?${new URLSearchParams({ next })}`
}
