import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { HOST = '127.0.0.1', PORT, NEPHOS_DATA, COOKIE_SECRET, WIKI_URL } = process.env;

const settings = {
  host: HOST,
  port: Number(PORT),
  url: WIKI_URL,
  data: join(NEPHOS_DATA, 'wiki'),
  security_type: 'friends',
  secure_cookie: WIKI_URL?.startsWith('https:'),
  cookieSecret: COOKIE_SECRET,
};
writeFileSync(join(NEPHOS_DATA, 'config.json'), JSON.stringify(settings, null, 2), { mode: 0o600 });
