import { PASSWORD_MIN, TRIAL_DAYS } from '@nephos/contracts';
import type { OidcSettings } from '../../core/settings.ts';
import { type Html, html } from '../../platform/html.ts';
import { INVITE_ONLY, type Offer, SIGNUPS_CLOSED } from './admission.ts';
import { oidcPath } from './oidc-paths.ts';
import { FORGOT_PATH } from './reset-links.ts';

export type LoginMode = 'login' | 'signup';

/** What the page shows; everything in it may come from the request. */
export interface LoginPage {
  mode: LoginMode;
  /** Whether somebody came to sign up, and cannot: the heading says so. */
  turnedAway: boolean;
  offer: Offer;
  /** Checked by `safeReturnTo`. */
  returnTo: string;
  /** What was typed, by field; never a password. */
  values: Readonly<Record<string, string>>;
  /** What is wrong, by field. */
  errors: Readonly<Record<string, string>>;
  /** What is wrong with the attempt as a whole. */
  alert?: string | undefined;
  /** What went well before. */
  notice?: string | undefined;
  /** Whether a forgotten password can be replaced by a link in a mail. */
  canReset: boolean;
  /** Whether a new account begins with a trial. */
  trial: boolean;
  /** Whether the name server answers. */
  dns: boolean;
  /** Identity providers, in the order of their buttons. */
  providers: readonly Pick<OidcSettings, 'id' | 'name'>[];
}

export interface Field {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password';
  autocomplete: string;
  required: boolean;
  hint?: string;
  /** For the narrow half of a row. */
  half?: boolean;
}

const FIRST_NAME = {
  name: 'firstName',
  label: 'First name',
  type: 'text',
  required: false,
  half: true,
} as const;
const LAST_NAME = {
  name: 'lastName',
  label: 'Last name',
  type: 'text',
  required: false,
  half: true,
} as const;
export const EMAIL = { name: 'email', label: 'Email', type: 'email', required: true } as const;
const PASSWORD = { name: 'password', label: 'Password', type: 'password', required: true } as const;

export const CURRENT_PASSWORD: Field = { ...PASSWORD, autocomplete: 'current-password' };

export const NEW_PASSWORD: Field = {
  ...PASSWORD,
  autocomplete: 'new-password',
  hint: `At least ${PASSWORD_MIN} characters.`,
};

const FIELDS: Readonly<Record<LoginMode, readonly Field[]>> = {
  login: [{ ...EMAIL, autocomplete: 'username' }, CURRENT_PASSWORD],
  signup: [
    { ...FIRST_NAME, autocomplete: 'given-name' },
    { ...LAST_NAME, autocomplete: 'family-name' },
    { ...EMAIL, autocomplete: 'username' },
    NEW_PASSWORD,
  ],
};

const TEXTS = {
  login: { title: 'Log in', heading: 'Log in to Nephos', lead: 'Welcome back.' },
  signup: {
    title: 'Sign up',
    heading: 'Create your account',
    lead: 'From Git repository to running app in minutes.',
  },
  invited: {
    title: 'Sign up',
    heading: 'Create your account',
    lead: 'You have been invited to this server.',
  },
  inviteOnly: {
    title: 'Invite-only',
    heading: 'This server is invite-only',
    lead: 'Ask an admin for an invitation. Already have an account? Log in.',
  },
  closed: {
    title: 'Sign-ups are closed',
    heading: 'Sign-ups are closed',
    lead: 'This server takes no new accounts. Already have one? Log in.',
  },
} as const;

const ADDRESSES = { login: '/api/login', signup: '/api/signup' } as const;

export const CONTROL =
  'h-11 w-full rounded-md border border-control-line bg-control px-3 text-fg text-lg transition-colors ' +
  'hover:border-fg/60 focus-visible:border-ring focus-visible:outline-offset-0 aria-invalid:border-danger md:h-10 md:text-base';
const BUTTON =
  'inline-flex min-h-11 w-full items-center justify-center gap-2 rounded-md border px-4 py-2 text-center font-medium ' +
  'text-base transition-colors md:min-h-10';
export const PRIMARY = `${BUTTON} cursor-pointer border-transparent bg-accent text-accent-fg hover:bg-accent-hover`;
const SECONDARY = `${BUTTON} border-line-strong bg-surface text-fg hover:bg-hover`;
export const LINK = 'font-medium text-accent-text underline underline-offset-4 hover:text-fg';

/** A path with those parameters that are something. */
export function address(path: string, parameters: Record<string, string | false>): string {
  const query = new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => !!entry[1]),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Where the page is, for links; `invite` is the token of an invitation. */
export function pageAddress(mode: LoginMode, returnTo: string, invite = ''): string {
  const parameters = { mode: mode === 'signup' && mode, returnTo: returnTo !== '/' && returnTo, invite };
  return address('/api/login', parameters);
}

export function field(field: Field, page: Pick<LoginPage, 'values' | 'errors'>, focused: boolean): Html {
  const error = page.errors[field.name];
  const note = error ?? field.hint;
  return html`<div class="flex flex-col gap-1.5 ${field.half ? '' : 'sm:col-span-2'}">
    <label for="${field.name}" class="flex justify-between font-medium text-sm">${field.label}${
      !field.required && html` <span class="font-normal text-faint">optional</span>`
    }</label>
    <input id="${field.name}" name="${field.name}" type="${field.type}" autocomplete="${field.autocomplete}"${
      field.type !== 'password' && html` value="${page.values[field.name]}"`
    }${field.required && html` required`}${focused && html` autofocus`}${error !== undefined && html` aria-invalid="true"`}${
      note !== undefined && html` aria-describedby="${field.name}-note"`
    } class="${CONTROL}">
    ${note !== undefined && html`<p id="${field.name}-note" class="text-sm ${error ? 'text-danger' : 'text-faint'}">${note}</p>`}
  </div>`;
}

/** What the way to an account is called. */
function wayInOf({ trial }: LoginPage): string {
  return trial ? 'Start free trial' : 'Create account';
}

function form(page: LoginPage): Html {
  const fields = FIELDS[page.mode];
  const focused = fields.find(({ name }) => page.errors[name] !== undefined) ?? fields[0];
  return html`<form method="post" action="${ADDRESSES[page.mode]}" novalidate class="grid gap-4 sm:grid-cols-2">
    <input type="hidden" name="returnTo" value="${page.returnTo}">
    ${page.offer.invite !== '' && html`<input type="hidden" name="invite" value="${page.offer.invite}">`}
    ${fields.map((each) => field(each, page, each === focused))}
    <button type="submit" class="${PRIMARY} mt-1 sm:col-span-2">${page.mode === 'login' ? 'Log in' : wayInOf(page)}</button>
    ${page.mode === 'login' && page.canReset && html`<p class="text-center text-sm sm:col-span-2"><a href="${FORGOT_PATH}" class="${LINK}">Forgot password?</a></p>`}
  </form>`;
}

function tabs({ mode, returnTo, offer }: LoginPage): Html | undefined {
  if (!offer.signup) return undefined;
  const tab = (to: LoginMode, label: string) =>
    html`<a href="${pageAddress(to, returnTo, offer.invite)}"${to === mode && html` aria-current="page"`} class="flex h-9 items-center justify-center rounded-md border border-transparent font-medium text-muted text-sm transition-colors hover:text-fg aria-[current]:border-line aria-[current]:bg-raised aria-[current]:text-fg">${label}</a>`;
  return html`<nav aria-label="Log in or sign up" class="grid grid-cols-2 gap-1 rounded-lg border border-line bg-sunken p-1">
    ${tab('login', 'Log in')}${tab('signup', 'Sign up')}
  </nav>`;
}

/** A button for each provider; `invite` is the token of an invitation. */
export function providerButtons(
  providers: LoginPage['providers'],
  { returnTo, invite }: { returnTo: string; invite: string },
): Html | undefined {
  if (providers.length === 0) return undefined;
  const parameters = { returnTo: returnTo !== '/' && returnTo, invite };
  return html`<div class="grid gap-3">${providers.map(
    ({ id, name }) =>
      html`<a href="${address(oidcPath(id), parameters)}" class="${SECONDARY}">Continue with ${name}</a>`,
  )}</div>`;
}

const OR = html`<div class="flex items-center gap-3 text-faint text-sm"><span class="h-px flex-1 bg-line"></span>or<span class="h-px flex-1 bg-line"></span></div>`;

/** For a browser that knows passkeys: `passkey.js` shows it, and leads to `returnTo`. */
export function passkeyButton(returnTo: string): Html {
  return html`<div id="passkey" hidden data-return-to="${returnTo}" class="grid gap-2">
    <button type="button" class="${SECONDARY} cursor-pointer">Use a passkey</button>
    <p role="alert" class="text-danger text-sm"></p>
  </div><script src="/passkey.js" defer></script>`;
}

function factsOf({ trial, dns, offer }: LoginPage): string[] {
  return [
    ...(trial && offer.signup ? [`${TRIAL_DAYS}-day free trial, no credit card.`] : []),
    `Deployments, container registry, databases${dns ? ', storage and DNS' : ' and storage'} in one console.`,
    `Works with git, docker, psql${dns ? ', dig' : ''} and curl.`,
  ];
}

function facts(page: LoginPage): Html {
  const { mode, turnedAway, returnTo, offer } = page;
  const check = html`<svg viewBox="0 0 16 16" aria-hidden="true" class="mt-0.5 size-4 shrink-0 text-accent-text"><path d="M3 8.5 6.5 12 13 4.5" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
  return html`<aside aria-labelledby="trial" class="flex flex-col justify-center gap-4 border-line border-t bg-surface px-5 py-8 sm:px-10 lg:border-t-0 lg:border-l lg:px-14">
    <h2 id="trial" class="text-xl">${mode === 'signup' || turnedAway ? 'What you get' : 'New here?'}</h2>
    ${!offer.signup && !turnedAway && html`<p class="max-w-md text-muted">${offer.invitations ? INVITE_ONLY : SIGNUPS_CLOSED}</p>`}
    ${
      (offer.signup || turnedAway) &&
      html`<ul class="flex max-w-md flex-col gap-3 text-muted">${factsOf(page).map((fact) => html`<li class="flex gap-3">${check}<span>${fact}</span></li>`)}</ul>`
    }
    ${
      offer.signup &&
      mode === 'login' &&
      html`<p><a href="${pageAddress('signup', returnTo, offer.invite)}" class="${LINK}">${wayInOf(page)}</a></p>`
    }
  </aside>`;
}

function textsOf({ mode, turnedAway, offer }: LoginPage) {
  if (turnedAway) return TEXTS[offer.invitations ? 'inviteOnly' : 'closed'];
  return mode === 'signup' && offer.invite !== '' ? TEXTS.invited : TEXTS[mode];
}

/** What is in the middle of a page, below the name of the product. */
interface Frame extends Pick<LoginPage, 'alert' | 'notice'> {
  title: string;
  heading: string;
  lead: string;
  /** Above the alert. */
  above?: Html | undefined;
  body: Html | readonly (Html | undefined)[];
  aside?: Html;
}

/** A page for who is not logged in. */
export function framed({ title, heading, lead, alert, notice, above, body, aside }: Frame): string {
  return html`<!doctype html>
<html lang="en" class="dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Nephos</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/login.css">
<script src="/theme.js"></script>
</head>
<body>
<div class="grid min-h-dvh${aside && ' lg:grid-cols-2'}">
  <main class="mx-auto flex w-full max-w-md flex-col justify-center gap-6 px-5 py-10">
    <a href="/" class="flex items-center gap-2 self-start rounded-md font-semibold text-lg"><img src="/favicon.svg" alt="" width="28" height="28">Nephos</a>
    <div><h1 class="text-2xl">${heading}</h1><p class="mt-1 text-muted">${lead}</p></div>
    ${above}
    ${notice !== undefined && html`<p role="status" class="rounded-md border border-line bg-surface px-3 py-2">${notice}</p>`}
    ${alert !== undefined && html`<p role="alert" id="alert" class="rounded-md border border-danger/40 bg-danger-soft px-3 py-2 text-danger">${alert}</p>`}
    ${body}
  </main>
  ${aside}
</div>
</body>
</html>
`.toString();
}

/** The page that logs people in and signs them up; works without scripts. */
export function loginPage(page: LoginPage): string {
  const { alert, notice, returnTo, offer } = page;
  const providers = providerButtons(page.providers, { returnTo, invite: offer.invite });
  const passkey = page.mode === 'login' ? passkeyButton(returnTo) : undefined;
  const [above, body] = [tabs(page), [form(page), providers && OR, providers, passkey]];
  return framed({ ...textsOf(page), alert, notice, above, body, aside: facts(page) });
}
