import { cookieOf } from '../world.ts';

/** What a browser gets for a form or a page. */
export interface Page {
  status: number;
  headers: Headers;
  html: string;
  /** As a `Cookie` header sends back what was set. */
  cookie: string;
}

async function pageOf(response: Response): Promise<Page> {
  const { status, headers } = response;
  return { status, headers, html: await response.text(), cookie: cookieOf(headers) };
}

/** Sends an HTML form as a browser without scripts does, and does not follow redirects. */
export async function submitForm(
  address: URL | string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Page> {
  const body = new URLSearchParams(fields);
  return pageOf(await fetch(address, { method: 'POST', redirect: 'manual', headers, body }));
}

/** Opens a page, and does not follow redirects. */
export async function openPage(address: URL | string, headers: Record<string, string> = {}): Promise<Page> {
  return pageOf(await fetch(address, { redirect: 'manual', headers }));
}

/** The tag of a form's input. */
export function inputTag(html: string, name: string): string {
  const tag = html.match(new RegExp(`<input[^>]* name="${name}"[^>]*>`))?.[0];
  if (!tag) throw new Error(`there is no input ${name}`);
  return tag;
}

/** The text that an input's `aria-describedby` points to. */
export function describedBy(html: string, name: string): string | undefined {
  const id = inputTag(html, name).match(/aria-describedby="([^"]+)"/)?.[1];
  return id && html.match(new RegExp(`<p id="${id}"[^>]*>([^<]*)</p>`))?.[1];
}
