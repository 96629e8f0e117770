import type { MobileApp } from '@nephos/contracts';

/** What the files are made of, and nothing else: the same settings give the same files. */
export type AppSettings = Omit<MobileApp, 'id' | 'buildStatus' | 'buildConfig' | 'createdAt'>;

/** Reserved words of Java (JLS 17, §3.9): no part of a package can be one. */
const RESERVED = new Set(
  (
    'abstract assert boolean break byte case catch char class const continue default do double else enum extends ' +
    'false final finally float for goto if implements import instanceof int interface long native new null package ' +
    'private protected public return short static strictfp super switch synchronized this throw throws transient ' +
    'true try void volatile while'
  ).split(' '),
);

/** The package of an app's generated code: its application id, which unlike this may hold reserved words of Java. */
export function namespaceOf(applicationId: string): string {
  return applicationId
    .split('.')
    .map((part) => (RESERVED.has(part) ? `${part}_` : part))
    .join('.');
}
