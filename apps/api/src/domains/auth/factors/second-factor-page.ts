import { html } from '../../../platform/html.ts';
import { address, CONTROL, framed, LINK, PRIMARY, passkeyButton } from '../login-page.ts';

const PATH = '/api/login/second-factor';

/** Where the page is; `returnTo` was checked by `safeReturnTo`. */
export function secondFactorAddress(returnTo: string): string {
  return address(PATH, { returnTo: returnTo !== '/' && returnTo });
}

interface SecondFactorPage {
  /** Checked by `safeReturnTo`. */
  returnTo: string;
  /** What is wrong with the code. */
  error?: string;
  /** Whether the account has an authenticator app, and passkeys that work here. */
  totp: boolean;
  passkeys: boolean;
}

/** The page that asks for a second factor after the right password; codes work without scripts. */
export function secondFactorPage({ returnTo, error, totp, passkeys }: SecondFactorPage): string {
  const note =
    error ?? (totp ? 'Lost your device? Enter a recovery code instead.' : 'A recovery code works as well.');
  const form = html`<form method="post" action="${PATH}" novalidate class="grid gap-4">
    <input type="hidden" name="returnTo" value="${returnTo}">
    <div class="flex flex-col gap-1.5">
      <label for="code" class="font-medium text-sm">Code</label>
      <input id="code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required autofocus${
        error !== undefined && html` aria-invalid="true"`
      } aria-describedby="code-note" class="${CONTROL}">
      <p id="code-note" class="text-sm ${error === undefined ? 'text-faint' : 'text-danger'}">${note}</p>
    </div>
    <button type="submit" class="${PRIMARY} mt-1">Log in</button>
  </form>`;
  const back = html`<p class="text-sm"><a href="${address('/api/login', {
    returnTo: returnTo !== '/' && returnTo,
  })}" class="${LINK}">Log in as somebody else</a></p>`;
  return framed({
    title: 'Two-step login',
    heading: totp ? 'Enter your code' : 'Use your passkey',
    lead: totp
      ? 'Your authenticator app shows a code of six digits.'
      : 'Your device confirms that it is you.',
    body: [passkeys ? passkeyButton(returnTo) : undefined, form, back],
  });
}
