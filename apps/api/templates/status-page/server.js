import { createServer } from 'node:http';

/** Addresses between commas; set the variable in the project's settings and deploy again. */
const addresses = (process.env.STATUS_URLS ?? '')
  .split(',')
  .map((url) => url.trim())
  .filter(Boolean);
const EVERY_MS = 30_000;
const TIMEOUT_MS = 10_000;
const KEPT = 60;

const history = new Map(addresses.map((url) => [url, []]));

async function check(url) {
  const started = performance.now();
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' });
    await response.body?.cancel();
    return { up: response.status < 500, detail: `HTTP ${response.status}`, ms: performance.now() - started };
  } catch (error) {
    return { up: false, detail: error.cause?.code ?? error.name, ms: performance.now() - started };
  }
}

async function checkAll() {
  await Promise.all(
    addresses.map(async (url) => {
      const results = history.get(url);
      results.push({ at: new Date().toISOString(), ...(await check(url)) });
      if (results.length > KEPT) results.shift();
    }),
  );
}

function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function row(url) {
  const results = history.get(url);
  const last = results.at(-1);
  const up = results.filter((result) => result.up).length;
  const state = last ? (last.up ? 'Up' : 'Down') : 'Not checked yet';
  const detail = last
    ? `${last.detail}, ${Math.round(last.ms)} ms, ${Math.round((100 * up) / results.length)} % up`
    : '';
  return `<li class="${last?.up ? 'up' : 'down'}"><b>${escapeHtml(url)}</b><span>${state}</span><small>${escapeHtml(detail)}</small></li>`;
}

function page() {
  const empty =
    '<p>Set the variable <code>STATUS_URLS</code> to addresses between commas, and deploy again.</p>';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="30">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Status</title><style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif } body { max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
ul { padding: 0; list-style: none } li { display: grid; grid-template-columns: 1fr auto; gap: .25rem 1rem; padding: 1rem 0; border-top: 1px solid #8884 }
small { grid-column: 1 / -1; opacity: .7 } .up span::before { content: '● '; color: #16a34a } .down span::before { content: '● '; color: #dc2626 }
</style></head><body><h1>Status</h1>${addresses.length ? `<ul>${addresses.map(row).join('')}</ul>` : empty}</body></html>`;
}

const server = createServer((request, response) => {
  if (request.url === '/api/status') {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(Object.fromEntries(history)));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(page());
});

server.listen(process.env.PORT ?? 3000, process.env.HOST ?? '127.0.0.1');
await checkAll();
const timer = setInterval(checkAll, EVERY_MS);
process.on('SIGTERM', () => {
  clearInterval(timer);
  server.close();
});
