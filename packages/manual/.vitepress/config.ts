import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { transformerStyleToClass } from "@shikijs/transformers"
import { defineConfig } from "vitepress"
import { CHAPTERS } from "../src/site.ts"

/** Colours of code become classes, because the Content-Security-Policy forbids style attributes. */
const codeColours = transformerStyleToClass({ classPrefix: "code-" })

export default defineConfig({
  title: "Restwell",
  description: "How to set up, use and run Restwell.",
  lang: "en",
  base: "/docs/",
  srcDir: "./dist/pages",
  outDir: "./dist/site",
  cacheDir: "./dist/cache",
  cleanUrls: true,
  metaChunk: true,
  // Without transitions the switch would insert a style element, which the Content-Security-Policy forbids.
  appearance: { disableTransition: false },
  markdown: {
    codeTransformers: [codeColours],
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  buildEnd: ({ outDir }) => writeFile(join(outDir, "code-colours.css"), codeColours.getCSS()),
  vite: {
    publicDir: join(import.meta.dirname, "..", "public"),
    // A data: URL would need a wider Content-Security-Policy than 'self'.
    build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    logLevel: "warn",
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "First steps", link: "/first-steps" },
      { text: "Recipes", link: "/recipes" },
      { text: "API", link: "/api" },
    ],
    sidebar: CHAPTERS.map(({ title, pages }) => ({
      text: title,
      items: pages.map((page) => ({ text: page.title, link: `/${page.path}` })),
    })),
  },
})
