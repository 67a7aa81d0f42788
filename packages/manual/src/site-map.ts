/** The pages of the manual in reading order: where the text is in the repository, and its address below `/docs/`. */
export interface ManualPage {
  /** Address below `/docs/`, without an ending. */
  readonly path: string
  /** File in the repository. */
  readonly source: string
  /** Name in the navigation. */
  readonly title: string
}

export interface ManualChapter {
  readonly title: string
  readonly pages: readonly ManualPage[]
}

const doc = (path: string, title: string): ManualPage => ({ path, source: `docs/${path}.md`, title })

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
      doc("vendors", "WHOOP and Oura"),
      doc("archives", "Archives"),
      doc("pushes", "Push from a phone"),
      doc("assistants", "Assistants"),
      doc("https", "An https address"),
      doc("phone", "On your phone"),
      doc("privacy", "Privacy"),
      doc("moving", "Move or uninstall"),
      doc("troubleshooting", "Troubleshooting"),
    ],
  },
  {
    title: "Use the data",
    pages: [
      doc("recipes", "Recipes"),
      doc("api", "API and try-it"),
      { path: "client", source: "packages/client/README.md", title: "TypeScript client" },
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
