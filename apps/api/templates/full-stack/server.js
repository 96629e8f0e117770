import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import pg from 'pg';

const database = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 5 });
database.on('error', (error) => console.error('A database connection was lost:', error.message));

await database.query(`
  create table if not exists notes (
    id bigint generated always as identity primary key,
    text text not null check (length(text) between 1 and 500),
    created_at timestamptz not null default now()
  )`);
await database.query(
  `insert into notes (text) select 'Your first note, read from the database.' where not exists (select from notes)`,
);

const files = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/app.js': ['app.js', 'text/javascript; charset=utf-8'],
  '/style.css': ['style.css', 'text/css; charset=utf-8'],
};

async function listNotes() {
  const { rows } = await database.query('select id, text, created_at from notes order by id desc limit 100');
  return rows;
}

async function addNote(request) {
  let body = '';
  for await (const chunk of request) {
    body += chunk;
    if (body.length > 4096) return undefined;
  }
  const { text } = JSON.parse(body);
  if (typeof text !== 'string' || text.trim() === '' || text.length > 500) return undefined;
  const { rows } = await database.query(
    'insert into notes (text) values ($1) returning id, text, created_at',
    [text.trim()],
  );
  return rows[0];
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname === '/api/notes' && request.method === 'GET')
    return sendJson(response, 200, await listNotes());
  if (pathname === '/api/notes' && request.method === 'POST') {
    const note = await addNote(request);
    return note
      ? sendJson(response, 201, note)
      : sendJson(response, 400, { message: 'Write 1 to 500 characters.' });
  }
  const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined;
  if (!file) return sendJson(response, 404, { message: 'Not found.' });
  response.writeHead(200, { 'content-type': file[1] });
  response.end(await readFile(new URL(`public/${file[0]}`, import.meta.url)));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    sendJson(response, 500, { message: 'Something went wrong.' });
  });
});

server.listen(process.env.PORT ?? 3000, process.env.HOST ?? '127.0.0.1');
process.on('SIGTERM', () => {
  server.close(() => database.end());
});
