import { createHash } from "node:crypto"
import { copyFile, glob, mkdir, readFile, writeFile } from "node:fs/promises"
import { basename, join, posix } from "node:path"

/** The pages of the manual in reading order: where the text is in the repository, and its address below `/docs/`. */
interface ManualPage {
  /** Address below `/docs/`, without an ending. */
  readonly path: string
  /** File in the repository. */
  readonly source: string
  /** Name in the navigation. */
  readonly title: string
}

interface ManualChapter {
  readonly title: string
  readonly pages: readonly ManualPage[]
}

const doc = (path: string, title: string): ManualPage => ({ path, source: `docs/${path}.md`, title })

/** What a vendor brings, and how. */
const vendor = (path: string, title: string): ManualPage => ({ path, source: `docs/vendors/${path}.md`, title })

/** A page that the build writes from the OpenAPI document: `src/reference.ts`. */
const reference = (path: string, title: string): ManualPage => ({
  path,
  source: `packages/manual/reference/${path}.md`,
  title,
})

export const REFERENCE: ManualChapter = {
  title: "API reference",
  pages: [
    reference("reference", "Health data"),
    reference("reference-account", "Account"),
    reference("reference-connections", "Connections"),
    reference("reference-service", "Service"),
    reference("reference-fields", "Fields"),
  ],
}

export const HOME: ManualPage = doc("index", "Restwell manual")

export const CHAPTERS: readonly ManualChapter[] = [
  {
    title: "Begin",
    pages: [
      doc("first-steps", "First steps"),
      doc("vendors", "Setting up vendors"),
      doc("assistants", "Assistants"),
      doc("https", "An https address"),
      doc("phone", "On your phone"),
      doc("notifications", "Notifications"),
      doc("privacy", "Privacy"),
      doc("moving", "Move or uninstall"),
      doc("troubleshooting", "Troubleshooting"),
    ],
  },
  {
    title: "Your devices",
    pages: [
      vendor("whoop", "WHOOP"),
      vendor("oura", "Oura"),
      vendor("polar", "Polar"),
      vendor("intervals", "intervals.icu"),
      vendor("withings", "Withings"),
      vendor("ultrahuman", "Ultrahuman"),
      vendor("garmin", "Garmin"),
      vendor("fitbit", "Fitbit and Google Health"),
      vendor("apple-health", "Apple Health"),
      vendor("health-connect", "Health Connect"),
      vendor("gadgetbridge", "Gadgetbridge"),
      vendor("sleep-as-android", "Sleep as Android"),
      doc("archives", "Archives"),
      doc("pushes", "Push from a phone"),
    ],
  },
  {
    title: "Use the data",
    pages: [
      doc("recipes", "Recipes"),
      doc("home-assistant", "Home Assistant"),
      doc("grafana", "Grafana"),
      doc("api", "API and try-it"),
      { path: "client", source: "packages/client/README.md", title: "TypeScript client" },
      doc("webhooks", "Webhooks"),
      doc("insights", "Insights and verdicts"),
      doc("sources", "Several sources"),
      doc("journal", "Journal"),
      doc("chat", "Charts in a chat"),
      doc("glossary", "Glossary"),
    ],
  },
  REFERENCE,
  {
    title: "Run it",
    pages: [
      doc("operations", "Operations"),
      doc("settings", "Settings"),
      doc("sign-in", "Signing in"),
      doc("secret-rotation", "Secret rotation"),
      { path: "deploy", source: "deploy/README.md", title: "Containers and proxies" },
      doc("databases", "Databases and poolers"),
      doc("scaling", "Scaling"),
      { path: "security", source: "SECURITY.md", title: "Security" },
    ],
  },
  {
    title: "How it works",
    pages: [
      { path: "architecture", source: "ARCHITECTURE.md", title: "Architecture" },
      doc("sync", "How data stays up to date"),
      doc("speed", "Speed"),
      doc("dependencies", "Dependencies"),
      { path: "contributing", source: "CONTRIBUTING.md", title: "Contributing" },
      { path: "changelog", source: "CHANGELOG.md", title: "Changelog" },
    ],
  },
]

export const PAGES: readonly ManualPage[] = [HOME, ...CHAPTERS.flatMap(({ pages }) => pages)]

/** What a strict Content-Security-Policy and programs need of the built pages: no style attributes, hashes, Markdown. */
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g
const STYLE_ATTRIBUTE = /(<[a-z][^<>]*?)\sstyle="[^"]*"/gi
const HEAD_END = "</head>"
const COLOURS = '<link rel="stylesheet" href="/docs/code-colours.css">'

export async function finishSite(dist: string): Promise<void> {
  const site = join(dist, "site")
  const hashes = new Set<string>()
  for await (const file of glob("**/*.html", { cwd: site })) {
    const html = finishPage(await readFile(join(site, file), "utf8"))
    for (const [, script = ""] of html.matchAll(INLINE_SCRIPT)) hashes.add(hashOf(script))
    await writeFile(join(site, file), html)
  }
  await writeFile(join(dist, "script-hashes.json"), JSON.stringify([...hashes].sort()))
  await writeMarkdown(dist)
}

const finishPage = (html: string): string =>
  html.replaceAll(STYLE_ATTRIBUTE, "$1").replace(HEAD_END, COLOURS + HEAD_END)

const hashOf = (script: string): string => `'sha256-${createHash("sha256").update(script).digest("base64")}'`

async function writeMarkdown(dist: string): Promise<void> {
  const whole: string[] = []
  for (const { path } of PAGES) {
    await copyFile(join(dist, "pages", `${path}.md`), join(dist, "site", `${path}.md`))
    whole.push(await readFile(join(dist, "pages", `${path}.md`), "utf8"))
  }
  const list = CHAPTERS.map(
    ({ title, pages }) =>
      `## ${title}\n\n${pages.map((page) => `- [${page.title}](/docs/${page.path}.md)`).join("\n")}`,
  )
  const summary =
    "> Self-hosted and read-only: your own wearable data by REST, by an MCP connector, and in a dashboard."
  await writeFile(join(dist, "site", "llms.txt"), `# ${HOME.title}\n\n${summary}\n\n${list.join("\n\n")}\n`)
  await writeFile(join(dist, "site", "llms-full.txt"), whole.join("\n\n"))
}

// Copies every page of the manual into one folder, with links that work there.

/** Inline links, links by reference, and pictures in HTML. The text before the target is kept. */
const LINK = /(\]\(|^\[[^\]]+\]:\s*|\b(?:src|href)=")([^)\s"]+)/gm
const INLINE_LINK = /(?<!!)\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)/g
const LINK_DEFINITION = /^\[[^\]]+\]:\s*(\S+)$/gm
const IMAGE = /\.(?:png|svg)$/

const pageOf = new Map(PAGES.map(({ source, path }) => [source, path]))

/** Returns the text with links between documents of the repository turned into links between pages. */
function rewriteLinks(text: string, source: string): string {
  return text.replace(LINK, (whole: string, before: string, link: string) => {
    if (/^(?:[a-z]+:|#|\/)/.test(link)) return whole
    const [file = "", anchor] = link.split("#")
    const target = posix.join(posix.dirname(source), file)
    if (IMAGE.test(target)) return `${before}./images/${basename(target)}`
    const page = pageOf.get(target)
    return page === undefined ? whole : `${before}./${page}.md${anchor === undefined ? "" : `#${anchor}`}`
  })
}

/** A link to a file that the manual lacks, such as a decision, becomes its text. */
function withoutOutsideLinks(text: string, source: string): string {
  const unlessInside = (whole: string, link: string, otherwise: string): string => {
    if (/^(?:[a-z]+:|#|\/)/.test(link)) return whole
    const target = posix.join(posix.dirname(source), link.split("#")[0] ?? "")
    return pageOf.has(target) || IMAGE.test(target) ? whole : otherwise
  }
  return text
    .replaceAll(INLINE_LINK, (whole: string, label: string, link: string) => unlessInside(whole, link, label))
    .replaceAll(LINK_DEFINITION, (whole: string, link: string) => unlessInside(whole, link, ""))
}

export const readPage = async (repository: string, source: string): Promise<string> =>
  rewriteLinks(withoutOutsideLinks(await readFile(join(repository, source), "utf8"), source), source)

export async function stagePages(repository: string, folder: string): Promise<void> {
  await mkdir(join(folder, "images"), { recursive: true })
  for (const { path, source } of PAGES) {
    const text = await readPage(repository, source)
    await writeFile(join(folder, `${path}.md`), text)
    for (const [, image = ""] of text.matchAll(/\.\/images\/([\w.-]+)/g))
      await copyFile(join(repository, "docs/images", image), join(folder, "images", image))
  }
}
