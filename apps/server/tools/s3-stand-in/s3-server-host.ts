import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import S3rver from '@20minutes/s3rver';

// The program that s3-server.ts starts. Prints its port once it listens.

const { values } = parseArgs({
  options: {
    directory: { type: 'string', default: '' },
    address: { type: 'string', default: '' },
    port: { type: 'string', default: '0' },
    strict: { type: 'boolean', default: false },
  },
});
removeUnfinished(values.directory);
const { port } = await new S3rver({
  port: Number(values.port),
  address: values.address,
  silent: true,
  directory: values.directory,
  allowMismatchedSignatures: !values.strict,
  configureBuckets: [{ name: 'heterosis', configs: [] }],
}).run();
process.stdout.write(`${port}\n`);

/**
 * S3 shows an object whole or not at all. This server writes bytes, hash and metadata one after the other in place, so
 * an object without readable metadata is one that was being written when it was killed.
 */
function removeUnfinished(directory: string): void {
  if (!existsSync(directory)) return;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('._S3rver_object')) continue;
    const object = join(entry.parentPath, entry.name);
    const metadata = object.replace(/object$/, 'metadata.json');
    try {
      JSON.parse(readFileSync(metadata, 'utf8'));
    } catch {
      for (const path of [object, `${object}.md5`, metadata]) rmSync(path, { force: true });
    }
  }
}
