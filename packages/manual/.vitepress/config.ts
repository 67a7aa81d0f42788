import { join } from "node:path"
import { defineConfig } from "vitepress"
import { codeColours } from "../src/code-colours.ts"
import { CHAPTERS } from "../src/site-map.ts"

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
  markdown: { codeTransformers: [codeColours] },
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
