import { posix } from 'node:path';

/** A site's folder cannot be served; the message completes a sentence: '…: the link a leads out of the site'. */
export class UnservableSite extends Error {
  override readonly name = 'UnservableSite';
}

/** What a site's folder holds, by path from there. */
export interface SiteContent {
  files: Set<string>;
  folders: Set<string>;
  /** With the text of each link. */
  links: Map<string, string>;
}

/**
 * The file of the site that a link leads to, told from the texts of links alone: what lies outside, and what could
 * change later, has no say. A way through a linked folder leads nowhere. Throws `UnservableSite`.
 */
export function targetOf(link: string, { files, folders, links }: SiteContent): string {
  const passed = new Set<string>();
  for (let at = link; ; ) {
    const text = links.get(at);
    if (files.has(at)) return at;
    if (folders.has(at)) throw new UnservableSite(`the link ${link} does not lead to a file`);
    if (text === undefined || passed.has(at)) throw new UnservableSite(`the link ${link} leads nowhere`);
    passed.add(at);
    at = posix.join(posix.dirname(at), text);
    if (text.startsWith('/') || at === '..' || at.startsWith('../')) {
      throw new UnservableSite(`the link ${link} leads out of the site`);
    }
  }
}
