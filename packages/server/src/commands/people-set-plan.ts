import { setPlan } from "@restwell/core"
import { accountOf } from "./account-of.ts"
import { planOf } from "./people-invite.ts"
import { withStore } from "./with-store.ts"

/** `restwell people set-plan`: changes how many requests an account has in a month. */
export const main = ({ email, plan }: { readonly email: string; readonly plan: string }): Promise<void> =>
  withStore(async (store) => {
    const chosen = planOf(plan)
    await setPlan(store, await accountOf(store, email), chosen)
    process.stdout.write(`${email} has the plan ${chosen}: ${store.config.plans[chosen]} requests a month\n`)
  })
