// Runs one database behind a port of its own, with TLS, in the folder given; says so like the console does.
import { makeDoorCertificate } from '../test/databases/door-certificate.ts';
import { startManagedPostgres } from '../test/databases/managed-postgres.ts';

const [home = ''] = process.argv.slice(2);
const certificate = await makeDoorCertificate();
const server = await startManagedPostgres(
  {},
  { home, certificateFor: () => certificate.context, sleepAfter: null },
);
process.on('SIGTERM', async () => {
  await Promise.all([server.close(), certificate.remove()]);
  process.exit();
});
const { address } = await server.make();
process.stdout.write(`Nephos is ready at ${address}\n`);
