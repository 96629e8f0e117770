import { isLoopbackHost } from '../../core/env.ts';
import type { MailSettings } from '../../core/settings.ts';
import type { Message } from './message.ts';

/** Milliseconds that a server has for each of its answers. */
const PATIENCE = 20_000;
/** Characters that are kept of a server's answer. */
const ANSWER_MAX = 300;
/** Answers that are about us, and not about the mail (RFC 4954 §6, RFC 3207 §4, RFC 5321 §4.2.2). */
const OUR_FAULTS = new Set([503, 530, 534, 535, 538]);

export interface Letter extends Message {
  to: string;
  /** Names the mail for good: one that arrives twice, since an answer was lost, is known by it. */
  id: string;
  /** ISO instant. */
  createdAt: string;
}

/** What became of a try. `refused` is for good; `later` may be otherwise later. `problem` is a sentence. */
export type Delivery = { state: 'sent' } | { state: 'refused' | 'later'; problem: string };

/**
 * How the server is spoken to. A password or a link goes unencrypted to this machine alone, or where `?tls=off` says so;
 * on this machine a certificate of nobody's is as good as none.
 */
function optionsOf({ smtpUrl: { protocol, hostname, port, username, password, search } }: MailSettings) {
  const secure = protocol === 'smtps:';
  const asked = new URLSearchParams(search).get('tls');
  const isOptional = asked !== 'required' && isLoopbackHost(hostname);
  const user = decodeURIComponent(username);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ignoreTLS: asked === 'off',
    requireTLS: asked !== 'off' && !isOptional,
    ...(!secure && isOptional && { tls: { rejectUnauthorized: false } }),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(password) } }),
    ...{ connectionTimeout: PATIENCE, greetingTimeout: PATIENCE, socketTimeout: PATIENCE },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  };
}

/**
 * Gives a mail to the server. A connection that is lost after the server has all of it, and before it says so, may bring
 * it twice: SMTP has no way to ask (RFC 1047).
 */
export async function deliver(
  settings: MailSettings,
  { to, id, createdAt, ...message }: Letter,
  signal?: AbortSignal,
): Promise<Delivery> {
  const { from } = settings;
  // Megabytes of memory that a server without mail does not need.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(optionsOf(settings));
  try {
    await transport.sendMail({
      ...message,
      from,
      // As an object it is one address, whatever is in it.
      to: { name: '', address: to },
      messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
      date: new Date(createdAt),
      // So that no holiday answers it (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(signal && { signal }),
    });
    return { state: 'sent' };
  } catch (error) {
    signal?.throwIfAborted();
    return judge(settings.smtpUrl.host, error);
  } finally {
    transport.close();
  }
}

/** What is thrown has these members where a server has answered. */
interface SmtpError extends Error {
  code?: unknown;
  response?: unknown;
  responseCode?: unknown;
  command?: unknown;
}

function judge(server: string, error: unknown): Delivery {
  if (!(error instanceof Error)) throw error;
  const { code, responseCode: status, response }: SmtpError = error;
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const isFinal = typeof status === 'number' && status >= 500 && !OUR_FAULTS.has(status);
  const answer = typeof response === 'string' ? shortened(response) : '';
  // Without an answer, it is an address that no server could be given.
  const state = isAboutMail && (isFinal || answer === '') ? 'refused' : 'later';
  return { state, problem: inWords(server, error, answer) };
}

function inWords(server: string, error: SmtpError, answer: string): string {
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH') {
    return `${server} did not take the name and password of SMTP_URL${answer && `: ${answer}`}`;
  }
  if (error.code === 'ETLS')
    return `${server} offers no encryption that can be trusted: ${shortened(error.message)}`;
  if (answer !== '') return `${server} answered: ${answer}`;
  if (error.code === 'ETIMEDOUT') return `${server} did not answer in time.`;
  return `${server} cannot be reached: ${shortened(error.message)}`;
}

function shortened(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, ANSWER_MAX);
}
