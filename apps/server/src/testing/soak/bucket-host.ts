import S3rver from '@20minutes/s3rver';

// The S3 server of an attack: `node bucket-host.ts DIRECTORY ADDRESS PORT`.

const [directory = '', address = '', port] = process.argv.slice(2);
await new S3rver({
  port: Number(port),
  address,
  silent: true,
  directory,
  // It signs bucket-wide calls differently from S3.
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: 'heterosis', configs: [] }],
}).run();
process.stdout.write('ready\n');
