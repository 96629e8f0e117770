import type { FieldError } from '@nephos/contracts/kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeError, type ErrorDescription } from '../../http/describe-error.ts';
import { sendError } from '../../http/error-answers.ts';
import { noteRefusal } from '../../http/refusal-log.ts';
import { INVITATION_INVALID, type Offer, offerTo, SIGNUPS_CLOSED } from './admission.ts';
import type { AuthParts } from './auth.ts';
import type { Entry } from './entrance.ts';
import { applyGroups } from './group-roles.ts';
import { type LoginMode, type LoginPage, loginPage } from './login-page.ts';
import { forgetPending } from './pending-identities.ts';
import { safeReturnTo } from './return-to.ts';
import type { SessionClient } from './sessions.ts';
import { forgetStopped } from './stopped-logins.ts';

/** Fields that are shown again as they were typed. */
const KEPT_FIELDS = ['email', 'firstName', 'lastName'];

/** Which field a refusal is about. */
const FIELD_OF_REASON: Readonly<Record<string, string>> = {
  EMAIL_TAKEN: 'email',
  INVITATION_EMAIL: 'email',
  INVALID_CREDENTIALS: 'password',
};

export function clientOf(request: FastifyRequest): SessionClient {
  const { ip, headers } = request;
  return { ip, userAgent: headers['user-agent'] ?? '', cookies: headers.cookie };
}

/** Whether a person's browser sent a form, so that the answer is a page. */
export function isForm(request: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '');
}

/** What a browser says of a navigation that its person, or our own page, began. */
const OWN_NAVIGATION = new Set([undefined, 'same-origin', 'none']);

export function isOwnNavigation({ headers }: FastifyRequest): boolean {
  return OWN_NAVIGATION.has(headers['sec-fetch-site']?.toString());
}

/** Members of a body or query that are text. */
export function textsIn(value: unknown): Record<string, string> {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The request's `returnTo`, from its form or its address. */
export function returnToOf(request: FastifyRequest): string {
  return safeReturnTo(textsIn(request.body).returnTo ?? textsIn(request.query).returnTo);
}

/** The request's token of an invitation, from its form or its address; '' without one. */
export function inviteOf(request: FastifyRequest): string {
  return textsIn(request.body).invite ?? textsIn(request.query).invite ?? '';
}

function modeOf(request: FastifyRequest): LoginMode {
  const signup = request.routeOptions.url === '/api/signup' || textsIn(request.query).mode === 'signup';
  return signup ? 'signup' : 'login';
}

/** What went well on the way here, as the address says it. */
function noticeOf(request: FastifyRequest): string | undefined {
  return textsIn(request.query).reset === undefined ? undefined : 'Your new password is set. Log in with it.';
}

function whyInvalid({ invitations }: Offer): string {
  return invitations ? INVITATION_INVALID : SIGNUPS_CLOSED;
}

/** Sends the page with what was typed, and with what was wrong about it. Who cannot sign up is told so, and can log in. */
export async function sendLoginPage(
  deps: AuthParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { errors, alert }: Pick<LoginPage, 'errors' | 'alert'> = { errors: {} },
): Promise<FastifyReply> {
  const given = inviteOf(request);
  const offer = await offerTo(deps, given);
  const typed = Object.entries(textsIn(request.body)).filter(([name]) => KEPT_FIELDS.includes(name));
  const wrong = alert ?? (given !== '' && !offer.signup ? whyInvalid(offer) : undefined);
  const mode = modeOf(request);
  const page = loginPage({
    errors,
    alert: wrong,
    mode: offer.signup ? mode : 'login',
    turnedAway: mode === 'signup' && !offer.signup && wrong === undefined,
    offer,
    returnTo: returnToOf(request),
    values: { email: offer.email, ...Object.fromEntries(typed) },
    trial: deps.settings.billing,
    dns: deps.offers().dns,
    providers: deps.settings.oidc,
    canReset: deps.mail.isOn,
    notice: noticeOf(request),
  });
  return reply.type('text/html; charset=utf-8').send(page);
}

export function firstByField(fields: FieldError[]): Record<string, string> {
  return Object.fromEntries(fields.toReversed().map(({ path, message }) => [path, message]));
}

function wrongOf(
  request: FastifyRequest,
  { reason, message, fields }: ErrorDescription,
): Pick<LoginPage, 'errors' | 'alert'> {
  if (fields?.length) return { errors: firstByField(fields) };
  // Who comes back from a provider has filled in no field.
  const field = isForm(request) ? FIELD_OF_REASON[reason] : undefined;
  return field ? { errors: { [field]: message } } : { errors: {}, alert: message };
}

/** Logs what failed and gives the answer its status; what a page has to say of it. */
export function noteFailure(request: FastifyRequest, reply: FastifyReply, error: unknown): ErrorDescription {
  const description = describeError(error);
  const { status, retryAfter } = description;
  if (status === 500) request.log.error({ err: error }, 'request failed');
  noteRefusal(request, error);
  reply.code(status);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  return description;
}

/** Answers a refused or failed attempt: people get the page again, programs the error body. */
export async function sendFailure(
  deps: AuthParts,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  const wantsPage = isForm(request) || request.routeOptions.url?.startsWith('/api/login');
  if (!wantsPage || (request.method === 'POST' && !isForm(request))) return sendError(request, reply, error);
  const description = noteFailure(request, reply, error);
  return sendLoginPage(deps, request, reply, wrongOf(request, description));
}

/** Hands over the new session, ends the one that the browser had, and makes it known to the account. */
export async function letIn(
  deps: AuthParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, setCookie }: Entry,
): Promise<void> {
  const { sessions, devices } = deps;
  const { cookie } = request.headers;
  const forgotten = forgetPending(deps, cookie);
  if (forgotten) {
    reply.header('set-cookie', forgotten);
    // The provider that was connected may have named groups.
    await applyGroups(deps, user.id);
  }
  const known = forgetStopped(deps, cookie, user.id);
  if (known) reply.header('set-cookie', known);
  await sessions.end(cookie, clientOf(request));
  reply.header('set-cookie', setCookie);
  if (!devices.isKnown(cookie, user)) reply.header('set-cookie', devices.introduce(cookie, user));
}
