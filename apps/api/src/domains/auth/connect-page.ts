import { html } from '../../platform/html.ts';
import {
  address,
  CURRENT_PASSWORD,
  field,
  framed,
  LINK,
  type LoginPage,
  PRIMARY,
  passkeyButton,
  providerButtons,
} from './login-page.ts';
import { FORGOT_PATH } from './reset-links.ts';

export const CONNECT_PATH = '/api/login/connect';

interface ConnectPage extends Pick<LoginPage, 'providers' | 'canReset' | 'alert' | 'returnTo'> {
  /** What the provider to connect is called. */
  provider: string;
  /** That of the account. */
  email: string;
  /** How the account lets its person in, besides by `providers`. */
  password: boolean;
  passkeys: boolean;
  /** What is wrong with the password. */
  error?: string | undefined;
}

function form({ email, returnTo, error }: ConnectPage) {
  const errors: Record<string, string> = error === undefined ? {} : { password: error };
  return html`<form method="post" action="${CONNECT_PATH}" novalidate class="grid gap-4">
    <input type="hidden" name="returnTo" value="${returnTo}">
    <input type="email" name="email" value="${email}" autocomplete="username" hidden>
    ${field(CURRENT_PASSWORD, { values: {}, errors }, true)}
    <button type="submit" class="${PRIMARY} mt-1">Log in and connect</button>
  </form>`;
}

function wayOut({ password, canReset }: ConnectPage) {
  if (!password) return html`Can't log in that way? Ask an administrator.`;
  return canReset
    ? html`Don't know the password? <a href="${FORGOT_PATH}" class="${LINK}">Set a new one</a> by a link that we mail to you.`
    : html`Don't know the password? Ask an administrator for a link to set a new one, and open it in this browser.`;
}

/** Asks who comes from a provider to log in once to the account that has their address; works without scripts. */
export function connectPage(page: ConnectPage): string {
  const { provider, email, returnTo, password, passkeys, providers, alert } = page;
  return framed({
    title: `Connect ${provider}`,
    heading: `Connect ${provider} with your account`,
    lead: `${email} has an account here already. Log in to it once, and from then on ${provider} logs you in.`,
    alert,
    body: [
      password ? form(page) : undefined,
      passkeys ? passkeyButton(returnTo) : undefined,
      providerButtons(providers, { returnTo, invite: '' }),
      html`<p class="text-muted text-sm">${wayOut(page)}</p>`,
      html`<p class="text-sm"><a href="${address('/api/login', { returnTo: returnTo !== '/' && returnTo })}" class="${LINK}">Log in without connecting</a></p>`,
    ],
  });
}

/** Where the page is; `returnTo` was checked by `safeReturnTo`. */
export function connectAddress(returnTo: string): string {
  return address(CONNECT_PATH, { returnTo: returnTo !== '/' && returnTo });
}
