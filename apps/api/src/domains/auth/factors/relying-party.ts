import { forbidden, type Refusal } from '../../../core/errors.ts';
import type { AuthParts } from '../auth.ts';

/** To whom passkeys are bound: the host by which browsers reach the console. */
export function relyingParty({ publicUrl }: Pick<AuthParts['settings'], 'publicUrl'>): {
  rpID: string;
  origin: string;
} {
  return { rpID: publicUrl.hostname, origin: publicUrl.origin };
}

/** What makes and judges the words of passkeys; loaded at the first need, for it takes some 25 MB of memory. */
export const loadWebAuthn = () => import('@simplewebauthn/server');

/** 403: a passkey is nobody's here, or what it signed is not what it was asked to. */
export function refusedPasskey(): Refusal {
  return forbidden('PASSKEY_REFUSED', 'This passkey could not be confirmed. Try again, or use another way.');
}
