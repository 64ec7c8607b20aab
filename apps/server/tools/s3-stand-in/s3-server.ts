import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { StorageConfig } from '../../src/platform/config/config.ts';

export interface S3Server {
  port: number;
  /** How the product reaches its bucket. */
  config: Extract<StorageConfig, { kind: 's3' }>;
  close(): Promise<void>;
}

interface S3ServerOptions {
  directory: string;
  address?: string;
  port?: number;
  /**
   * Whether it checks signatures. It signs bucket-wide calls, and addresses with an apostrophe, differently from S3
   * and its SDK, so only tests of signed uploads ask for it.
   */
  strict?: boolean;
}

/**
 * What Node is given to run an S3 server with a bucket named heterosis. The tokens with which it goes on after a
 * thousand objects are DES, which OpenSSL 3 offers on request only.
 */
export function s3ServerArguments({ directory, address = '127.0.0.1', port = 0, strict = false }: S3ServerOptions) {
  return [
    '--openssl-legacy-provider',
    join(import.meta.dirname, 's3-server-host.ts'),
    ...['--directory', directory, '--address', address, '--port', String(port)],
    ...(strict ? ['--strict'] : []),
  ];
}

export function s3Config(address: string, port: number): S3Server['config'] {
  return {
    kind: 's3',
    endpoint: `http://${address}:${port}`,
    region: 'us-east-1',
    bucket: 'heterosis',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    forcePathStyle: true,
  };
}

/** Starts an S3 server in a process of its own. */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const child = spawn(process.execPath, s3ServerArguments(options), { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    const port = Number(line);
    return {
      port,
      config: s3Config(options.address ?? '127.0.0.1', port),
      async close() {
        child.kill();
        await ended;
      },
    };
  }
  throw new Error('The S3 server ended before it listened.');
}
