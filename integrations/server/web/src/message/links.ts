// Addresses that models write.

/** Returns true for an address that becomes a link: one of `http` or `https`, and no path of this page. */
export function isLink(address: string | undefined): address is string {
  return address !== undefined && /^https?:\/\//i.test(address);
}
