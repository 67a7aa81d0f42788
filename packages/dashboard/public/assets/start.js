// Applies the stored theme. Without one, the system's theme applies.
const theme = localStorage.getItem("theme")
if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme

// A script that cannot load or run before anything is drawn would leave an empty page.
addEventListener(
  "error",
  () => {
    const [root, failed] = ["root", "failed"].map((id) => document.getElementById(id))
    if (root?.childElementCount !== 0 || !failed) return
    failed.hidden = false
    document.getElementById("reload")?.addEventListener("click", () => location.reload())
  },
  true,
)

// Every page of a signed-in person needs the account first, and Today its day: they are asked for while the scripts load.
// `src/api/send.ts` takes the answers.
if (!/^\/(?:sign-in|sign-up|forgot-password|reset|invite|setup|deleted|shared|docs\/.*)$/.test(location.pathname)) {
  const isToday = location.pathname === "/" && !location.search.includes("date=")
  const paths = isToday ? ["/api/account", "/api/account/day?rows=30"] : ["/api/account"]
  const ask = (path) => fetch(path, { headers: { accept: "application/json" }, cache: "no-cache" })
  globalThis.firstAnswers = new Map(paths.map((path) => [path, ask(path)]))
  for (const answer of globalThis.firstAnswers.values()) answer.catch(() => {})
}
