/* Who reaches the address of the installation. */
import type { AccountResponse } from "@restwell/client"

type Address = AccountResponse["address"]

/** True for an address that assistants and vendors on the internet can use. */
export const isPublic = ({ reach, is_https: isHttps }: Address): boolean => reach === "internet" && isHttps

/** Who can open links to the address. Undefined for everybody. */
export const whoCanOpen = ({ reach }: Pick<Address, "reach">): string | undefined =>
  ({
    this_computer: "Only this computer can open this address",
    home: "Only devices in your home network can open this address",
    internet: undefined,
  })[reach]
