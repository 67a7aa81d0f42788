/** Copies every page of the manual into one folder, with links that work there. */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises"
import { basename, join, posix } from "node:path"
import { PAGES } from "./site-map.ts"

/** Inline links, links by reference, and pictures in HTML. The text before the target is kept. */
const LINK = /(\]\(|^\[[^\]]+\]:\s*|\b(?:src|href)=")([^)\s"]+)/gm
const INLINE_LINK = /(?<!!)\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)/g
const LINK_DEFINITION = /^\[[^\]]+\]:\s*(\S+)$/gm
const IMAGE = /\.(?:png|svg)$/

const pageOf = new Map(PAGES.map(({ source, path }) => [source, path]))

/** Returns the text with links between documents of the repository turned into links between pages. */
export function rewriteLinks(text: string, source: string): string {
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
