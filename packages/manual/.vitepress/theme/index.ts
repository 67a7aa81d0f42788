import DefaultTheme from "vitepress/theme-without-fonts"
import { h } from "vue"
import NavLink from "./nav-link.vue"
import { preferGuides } from "./prefer-guides.ts"
import TryIt from "./try-it.vue"
import "./style.css"

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      "nav-bar-content-after": () => h(NavLink),
      "nav-screen-content-after": () => h(NavLink),
    }),
  enhanceApp: ({ app, siteData }) => {
    app.component("TryIt", TryIt)
    preferGuides(siteData.value.themeConfig)
  },
}
