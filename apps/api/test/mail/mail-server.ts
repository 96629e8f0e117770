import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface TakenMail {
  from: string;
  to: string;
  /** As it was sent: headers and parts. */
  raw: string;
  /** The part that is text, decoded. */
  text: string;
  subject: string;
  messageId: string;
  /** Whether it came encrypted. */
  encrypted: boolean;
}

export interface MailServer {
  /** For `SMTP_URL`. */
  url: URL;
  taken: TakenMail[];
  /** What the next mails get in the place of a welcome: an answer at a point, or the end of the connection in DATA. */
  troubles: Trouble[];
  /** The newest mail to somebody; waits for it. */
  mailTo(address: string, subject?: RegExp): Promise<TakenMail>;
  close(): Promise<void>;
}

export type Trouble =
  | { at: 'rcpt' | 'data' | 'greeting'; status: number; words: string }
  | { at: 'cut' }
  /** Takes everything, and its answer is lost. */
  | { at: 'lost' }
  | { at: 'hold'; held: () => void; until: Promise<void> };

function refusalOf(trouble: Trouble | undefined): Error | undefined {
  if (!trouble || !('status' in trouble)) return undefined;
  return Object.assign(new Error(trouble.words), { responseCode: trouble.status });
}

/** A server for mail on loopback that keeps what it takes. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const troubles: Trouble[] = [];
  const nextAt = (at: Trouble['at']) => (troubles[0]?.at === at ? troubles.shift() : undefined);
  const hangUp = () => {
    for (const { _socket: socket } of server.connections) socket.destroy();
  };
  const server = new SMTPServer({
    authOptional: true,
    // Without it every test would wait for a name of the loopback address.
    disableReverseLookup: true,
    onConnect: (_session, callback) => callback(refusalOf(nextAt('greeting'))),
    onRcptTo: (_address, _session, callback) => callback(refusalOf(nextAt('rcpt'))),
    async onData(stream, session, callback) {
      if (nextAt('cut')) return hangUp();
      const raw = await text(stream);
      const refusal = refusalOf(nextAt('data'));
      if (refusal) return callback(refusal);
      const hold = nextAt('hold');
      if (hold?.at === 'hold') {
        hold.held();
        await hold.until;
      }
      const { mailFrom, rcptTo } = session.envelope;
      taken.push({
        ...{ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address).join() },
        ...{ raw, encrypted: session.secure, text: textOf(raw) },
        ...{ subject: headerOf(raw, 'Subject'), messageId: headerOf(raw, 'Message-ID') },
      });
      if (nextAt('lost')) return hangUp();
      callback();
    },
    ...options,
  });
  // A client that goes away is no failure of the test.
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: new URL(`smtp://127.0.0.1:${port}`),
    taken,
    troubles,
    async mailTo(address, subject = /./) {
      const deadline = Date.now() + 20_000;
      for (;;) {
        const found = taken.findLast((mail) => mail.to === address && subject.test(mail.subject));
        if (found) return found;
        if (Date.now() > deadline) {
          throw new Error(
            `No mail to ${address}: ${taken.map((mail) => `${mail.to} ${mail.subject}`).join(', ')}`,
          );
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A header's value; the words that these tests send need no decoding. */
function headerOf(raw: string, name: string): string {
  const [head = ''] = raw.split('\r\n\r\n');
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ');
  return new RegExp(`^${name}: (.*)$`, 'm').exec(unfolded)?.[1]?.trim() ?? '';
}

function textOf(raw: string): string {
  const part =
    raw.split(/\r\n--[^\r\n]+\r\n/).find((piece) => /^Content-Type: text\/plain/im.test(piece)) ?? '';
  const [head = '', ...body] = part.split('\r\n\r\n');
  const encoded = body.join('\r\n\r\n');
  if (/base64/i.test(head)) return Buffer.from(encoded, 'base64').toString();
  if (!/quoted-printable/i.test(head)) return encoded.replaceAll('\r\n', '\n');
  const unfolded = encoded.replaceAll(/=\r\n/g, '').replaceAll('\r\n', '\n');
  const bytes = unfolded.replaceAll(/=([0-9A-F]{2})/g, (_all, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}
