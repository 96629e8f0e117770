import type { Factors } from '@nephos/contracts';

const NAMES = new Intl.ListFormat('en');

/** Who demands a second factor of the person, with what they do: for example `Acme requires`; '' where nobody does. */
export function demandersOf({ installation, workspaces }: Factors['demandedBy']): string {
  const all = [...(installation ? ['This server'] : []), ...workspaces];
  if (all.length === 0) return '';
  return `${NAMES.format(all)} ${all.length === 1 ? 'requires' : 'require'}`;
}

/** What follows when the last of somebody's second factors is removed; '' where nothing more does. */
export function lossOf({
  totp,
  passkeys,
  demandedBy,
}: Omit<Factors, 'passwordSet' | 'recoveryCodesLeft'>): string {
  const who = demandersOf(demandedBy);
  const isLast = Number(totp) + passkeys.length === 1;
  return who !== '' && isLast ? ` ${who} two-step login: you are kept out until you set it up again.` : '';
}
