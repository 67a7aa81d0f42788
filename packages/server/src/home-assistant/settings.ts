/** The addresses of the broker and of Home Assistant that are in use. */
import type { LiveSettings } from "../config/live-settings.ts"
import type { HomeAssistantAddress } from "./statistics-socket.ts"

/** What the work for Home Assistant reads of the settings, each time anew: they may change while it runs. */
export const homeAssistantSettings = (live: Pick<LiveSettings, "current">) => ({
  broker(): { readonly url: string } | undefined {
    const { mqttUrl: url } = live.current()
    return url === undefined ? undefined : { url }
  },
  history(): HomeAssistantAddress | undefined {
    return live.current().homeAssistant
  },
  settingsVersion(): string {
    const { mqttUrl, homeAssistant } = live.current()
    return JSON.stringify([mqttUrl, homeAssistant])
  },
  baseUrl: () => live.current().baseUrl,
})
