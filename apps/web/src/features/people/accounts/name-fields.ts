/** A display name is split on its first space. */
export function splitDisplayName(displayName: string | null): { first_name: string; last_name: string } {
  const [first = '', ...rest] = (displayName ?? '').trim().split(/\s+/);
  return { first_name: first, last_name: rest.join(' ') };
}
