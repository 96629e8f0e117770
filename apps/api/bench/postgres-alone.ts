// Starts the embedded PostgreSQL of the folder given, and nothing else; says so like the console does.
import { startEmbeddedPostgres } from '@nephos/db/embedded';

const [dataDir = ''] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ dataDir });
process.on('SIGTERM', () => void server.stop());
process.stdout.write('Nephos is ready at nowhere\n');
