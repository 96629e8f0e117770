import { createServer } from 'node:http';

const routes = {
  '/': () => ({ message: 'It works. Edit server.js to add your routes.', routes: Object.keys(routes) }),
  '/healthz': () => ({ status: 'ok', uptimeSeconds: Math.round(process.uptime()) }),
  '/api/time': () => ({ now: new Date().toISOString() }),
};

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
  const body = route ? route(request) : { message: 'Not found.' };
  response.writeHead(route ? 200 : 404, { 'content-type': 'application/json; charset=utf-8' });
  response.end(`${JSON.stringify(body)}\n`);
});

server.listen(process.env.PORT ?? 3000, process.env.HOST ?? '127.0.0.1');
process.on('SIGTERM', () => server.close());
