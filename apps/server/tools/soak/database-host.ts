import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';

// The PostgreSQL of an attack: `node database-host.ts DIRECTORY ADDRESS`. Starts the server again when it is killed.
// Prints its address and the directory of its files.

const [dataDir = '', address = ''] = process.argv.slice(2);
const postgres = await startEmbeddedPostgres({
  dataDir,
  settings: { listen_addresses: [...new Set(['127.0.0.1', address])].join(',') },
});
appendFileSync(join(postgres.directory, 'pg_hba.conf'), '\nhost all all samenet scram-sha-256\n');
const client = new pg.Client(postgres.url);
await client.connect();
await client.query('select pg_reload_conf()');
await client.end();
const url = new URL(postgres.url);
url.hostname = address;
process.stdout.write(`${JSON.stringify({ url: url.href, directory: postgres.directory })}\n`);
process.once('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
setInterval(() => {}, 60_000);
