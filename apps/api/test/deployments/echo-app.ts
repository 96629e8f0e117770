import { nodeApp } from './app-fixtures.ts';

/** Echoes what reaches it; the path chooses how it answers. */
const ECHO = `const url = new URL(request.url, 'http://x');
if (url.pathname === '/headers') return response.end(JSON.stringify(request.headers));
if (url.pathname === '/cookies') {
  const domain = url.searchParams.get('domain');
  return response.writeHead(200, { 'set-cookie': ['own=1; Path=/', 'wide=1; Domain=' + domain] }).end();
}
if (url.pathname === '/upload') {
  let size = 0;
  request.on('data', (chunk) => { size += chunk.length }).on('end', () => response.end(String(size)));
  return;
}
if (url.pathname === '/large') return response.end(Buffer.alloc(20e6, 97));
if (url.pathname === '/forever') {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\\n\\n');
  response.on('close', () => { globalThis.left = (globalThis.left ?? 0) + 1 });
  return;
}
if (url.pathname === '/left') return response.end(String(globalThis.left ?? 0));
if (url.pathname === '/hang-up') return request.socket.destroy();
if (url.pathname === '/silent') return;
response.writeHead(418, 'Teapot', { 'x-twice': ['a', 'b'], connection: 'x-hop', 'x-hop': '1' }).end(url.search);`;

const WITH_WEBSOCKET = `
  .on('upgrade', (request, socket) => {
    const key = require('node:crypto').createHash('sha1')
      .update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
    socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: ' + key + '\\r\\n\\r\\n');
    const text = request.headers['x-forwarded-host'];
    socket.write(Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]));
    socket.on('error', () => {});
  })
  .listen(`;

const FILES = nodeApp(ECHO);

/** An app that shows what reached it, and takes WebSockets, to which it says the host that was asked for. */
export const ECHO_APP = {
  ...FILES,
  'server.js': String(FILES['server.js']).replace('\n  .listen(', WITH_WEBSOCKET),
};
