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
const { port } = await new S3rver({
  port: Number(values.port),
  address: values.address,
  silent: true,
  directory: values.directory,
  allowMismatchedSignatures: !values.strict,
  configureBuckets: [{ name: 'heterosis', configs: [] }],
}).run();
process.stdout.write(`${port}\n`);
