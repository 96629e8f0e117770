import type { PasskeyOptions, PasskeyResponse } from '@nephos/contracts';

/** Whether the browser has passkeys, which it keeps from pages that are reached by plain http. */
export const knowsPasskeys =
  typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Has the browser make a passkey. Rejects where the person or the browser does not want to. */
export async function makePasskey(options: PasskeyOptions): Promise<PasskeyResponse> {
  // The server's library makes them in just this form, which the contract does not spell out.
  const json = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
  return responseOf(await navigator.credentials.create({ publicKey }));
}

/** Has a passkey sign what the server asks. Rejects where the person or the browser does not want to. */
export async function signWithPasskey(options: PasskeyOptions): Promise<PasskeyResponse> {
  // The server's library makes them in just this form, which the contract does not spell out.
  const json = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
  return responseOf(await navigator.credentials.get({ publicKey }));
}

function responseOf(credential: Credential | null): PasskeyResponse {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser gave no passkey.');
  // Its type names members where the contract lets any be.
  return credential.toJSON() as unknown as PasskeyResponse;
}

/** Whether the person did not want to prove who they are; the client puts its own error around that. */
function isAborted({ name, cause }: Error): boolean {
  return name === 'AbortError' || (cause instanceof Error && cause.name === 'AbortError');
}

/** What to say of a passkey that was not made or used; nothing where the person closed a dialog on the way. */
export function passkeyFailure(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name === 'NotAllowedError' || isAborted(error)) return undefined;
  if (error.name === 'InvalidStateError') return 'This device has a passkey for your account already.';
  return error.message;
}
