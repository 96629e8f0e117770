import { html } from '../platform/html.ts';

interface PlainPage {
  title: string;
  text: string;
  /** Seconds after which the browser asks again. */
  retry?: number | undefined;
}

/** A page for somebody who is no user of the console: it loads nothing, and says nothing of who runs this. */
export function plainPage({ title, text, retry }: PlainPage): string {
  const refresh = retry !== undefined && html`<meta http-equiv="refresh" content="${retry}">`;
  return `<!doctype html>${html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${refresh}<title>${title}</title><style>
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:0;min-height:100vh;display:grid;place-items:center}
main{padding:2rem;max-width:28rem}h1{font-size:1.25rem;margin:0 0 .5rem}p{margin:0;opacity:.75}
</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>
`}`;
}
