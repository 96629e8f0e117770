import { createPool } from '@nephos/db';
import { type Console, signUp } from './console.ts';
import { compare, type Finding } from './measure.ts';

const FEW = 100;
const MANY = 10_000;
const PAGE = 100;
const TARGET_RATIO = 1.5;

/** Straight into the table: the list does not touch the bytes. */
async function addFiles(databaseUrl: string, email: string, count: number): Promise<void> {
  const pool = createPool({ url: databaseUrl, max: 1 });
  await pool.query(
    `insert into stored_files
       (owner_id, file_name, file_path, file_size, mime_type, is_public, object_key, sha256)
     select id, 'file-' || n, '/uploads/', n, 'text/plain', false, id || '/' || n, ''
     from users, generate_series(1, $2::int) n where email = $1`,
    [email, count],
  );
  await pool.query('analyze stored_files');
  await pool.end();
}

/** A page of the file list with 10,000 files, against the same page with 100. */
export async function measureFileList(console: Console): Promise<Finding[]> {
  const pageOf = async (email: string, count: number) => {
    const cookie = await signUp(console.url, email);
    await addFiles(console.databaseUrl, email, count);
    const url = `${console.url}/api/storage?limit=${PAGE}&fileData=false`;
    return { url, headers: { cookie }, connections: 1 };
  };
  const few = await pageOf('few@example.com', FEW);
  const many = await pageOf('many@example.com', MANY);
  const { ours, baseline } = await compare(many, few);
  const ratio = baseline.requestsPerSecond / ours.requestsPerSecond;
  const ms = ({ requestsPerSecond }: { requestsPerSecond: number }) => (1000 / requestsPerSecond).toFixed(1);
  return [
    {
      name: `page of ${PAGE} files, of ${MANY} against of ${FEW}`,
      detail: `${ms(ours)} ms, ${ms(baseline)} ms: ${ratio.toFixed(2)} times; target ≤ ${TARGET_RATIO}`,
      met: ratio <= TARGET_RATIO,
    },
  ];
}
