import { type Simulator, type SimulatorOptions, startSimulator } from "@restwell/simulator"

/** The app that the simulated vendor knows. */
export const VENDOR_APP = { clientId: "simulator-client", clientSecret: "simulator-secret" }

/** A simulated vendor without people or call limits, whose consent page approves by itself. */
export const startVendor = (options: SimulatorOptions = {}): Promise<Simulator> =>
  startSimulator({ defaultPeople: false, rateLimits: "off", autoApprove: true, ...options })
