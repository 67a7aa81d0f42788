import type { Theme } from "vitepress"
import DefaultTheme from "vitepress/theme-without-fonts"
import { h } from "vue"
import NavLink from "./nav-link.vue"
import TryIt from "./try-it.vue"
import "./style.css"

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      "nav-bar-content-after": () => h(NavLink),
      "nav-screen-content-after": () => h(NavLink),
    }),
  enhanceApp({ app, siteData }) {
    app.component("TryIt", TryIt)
    // Set here, because a function of the configuration would be evaluated from text, which the Content-Security-Policy forbids.
    siteData.value.themeConfig.search.options = { miniSearch: { searchOptions: { boostDocument: boostOf } } }
  },
} satisfies Theme

/** Who searches for a word wants to read how, before every field and parameter that has the word. */
const boostOf = (address: string): number => (/\/reference(?:[-#]|$)/.test(address) ? 0.1 : 1)
