/** Escaped markup. Only `html` makes it. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

type Part = string | number | Markup | readonly Part[] | undefined | false

const write = (part: Part): string => {
  if (part === undefined || part === false) return ""
  if (part instanceof Markup) return part.text
  return typeof part === "object" ? part.map(write).join("") : escapeText(String(part))
}

/** Markup in which every value is escaped. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(strings.reduce((text, string, index) => text + write(parts[index - 1]) + string))
