/** What a strict Content-Security-Policy and programs need of the built pages: no style attributes, hashes, Markdown. */
import { createHash } from "node:crypto"
import { copyFile, glob, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { CHAPTERS, HOME, PAGES } from "./site-map.ts"

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
