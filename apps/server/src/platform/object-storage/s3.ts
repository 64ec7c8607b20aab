import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ByteSource } from '@heterosis/file-formats/byte-source';
import type { StorageConfig } from '../config/config.ts';
import { isLostConnection } from '../outgoing/lost-connection.ts';
import { boundAnswers } from './bounded-answers.ts';
import { contentDisposition } from './content-disposition.ts';
import { givenAgain } from './given-again.ts';
import { checkLength, tooLarge } from './local-disk.ts';
import {
  checkKey,
  ObjectNotFoundError,
  type ObjectStorage,
  ObjectStorageUnavailableError,
  type PutOptions,
  type PutResult,
  SIGNED_URL_SECONDS,
  type SignedGetOptions,
  type SignedPutOptions,
  type StoredObject,
} from './object-storage.ts';

/** With S3's limit of 10,000 parts, 16 MiB allow objects of 156 GiB. */
const PART_BYTES = 16 * 1024 * 1024;
/** S3 copies at most 5 GiB per request. */
const COPY_BYTES = 4 * 1024 ** 3;
const COPIES_AT_ONCE = 8;
/** Reads by ranges instead of one long response: a broken connection costs one range, which the SDK retries. */
const STREAM_BYTES = 8 * 1024 * 1024;
/** How long to wait for a bucket, in milliseconds. By default the SDK waits for ever. */
export interface S3Patience {
  connect: number;
  /** For the answer to a request; what times out is retried by the SDK. */
  request: number;
  /** An idle connection is closed after this long: the network may have been cut without a word. */
  idle: number;
}
const PATIENCE: S3Patience = { connect: 5_000, request: 120_000, idle: 4_000 };
const CONNECTIONS = 50;

interface CopiedRange {
  CopySource: string;
  CopySourceRange?: string;
}

/** A bucket, and the client that reaches it. */
interface Connection {
  client: S3Client;
  Bucket: string;
}

export function createS3Storage(
  config: Extract<StorageConfig, { kind: 's3' }>,
  patience: S3Patience = PATIENCE,
): ObjectStorage {
  const { bucket: Bucket } = config;
  const agent = { keepAlive: true, maxSockets: CONNECTIONS, timeout: patience.idle };
  const client = new S3Client({
    region: config.region,
    ...(config.endpoint === undefined ? {} : { endpoint: config.endpoint }),
    forcePathStyle: config.forcePathStyle,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    // Implementations other than AWS refuse the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      httpAgent: agent,
      httpsAgent: agent,
      connectionTimeout: patience.connect,
      requestTimeout: patience.request,
      throwOnRequestTimeout: true,
    },
  });
  client.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        throw isUnavailable(error) ? new ObjectStorageUnavailableError(error) : error;
      }
    },
    { step: 'initialize', priority: 'high', name: 'outages' },
  );
  boundAnswers(client, patience.request);
  const connection = { client, Bucket };
  return {
    put: (key, body, options) => put(connection, key, body, options),
    putFile: (key, path, options) => put(connection, key, createReadStream(path, { highWaterMark: 1 << 20 }), options),
    // A bucket has no end, or tells when it is reached.
    async requireSpace() {},
    open: (key, name = key) => openObject(connection, key, name),
    async download(key, path) {
      const source = await openObject(connection, key, key);
      const file = await open(path, 'w');
      try {
        // Not `write`, which may write less than it was given.
        for await (const bytes of source.stream()) await file.writeFile(bytes);
      } finally {
        await file.close();
      }
    },
    find: (key) => find(connection, key),
    async move(from, to) {
      checkKey(to);
      const found = await find(connection, from);
      if (found === undefined) throw new ObjectNotFoundError(from);
      await copy(connection, from, to, found.sizeBytes);
      await remove(connection, from);
    },
    async concatenate(pieces, to) {
      for (const key of [...pieces, to]) checkKey(key);
      if (pieces.length === 0) await put(connection, to, new Uint8Array(0));
      else
        await copyTogether(
          connection,
          pieces.map((key) => ({ CopySource: encodeURI(`${Bucket}/${key}`) })),
          to,
        );
    },
    async delete(...keys) {
      for (const key of keys) await remove(connection, key);
    },
    async deletePrefix(prefix) {
      for await (const { key } of list(connection, prefix)) await remove(connection, key);
    },
    list: (prefix) => list(connection, prefix),
    signPut: (key, options) => signPut(connection, key, options),
    signGet: givenAgain((key: string, options: SignedGetOptions) => signGet(connection, key, options)),
    removeUnfinished: async () => {},
    async check() {
      await client.send(new PutObjectCommand({ Bucket, Key: PROBE_KEY, Body: new Uint8Array(1) }));
    },
  };
}

async function find({ client, Bucket }: Connection, key: string): Promise<StoredObject | undefined> {
  checkKey(key);
  try {
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: key }));
    return { key, sizeBytes: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date(0) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** In parts as soon as there is more than one, so the size need not be known. */
async function put(
  connection: Connection,
  key: string,
  body: Uint8Array | AsyncIterable<Uint8Array>,
  options: PutOptions = {},
): Promise<PutResult> {
  checkKey(key);
  const { client, Bucket } = connection;
  const { contentType, maxBytes = Number.POSITIVE_INFINITY, expectedBytes } = options;
  const target = { Bucket, Key: key };
  const type = contentType === undefined ? {} : { ContentType: contentType };
  const hash = createHash('sha256');
  const parts: { PartNumber: number; ETag: string }[] = [];
  let sizeBytes = 0;
  let uploadId: string | undefined;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;

  const sendPart = async () => {
    uploadId ??= (await client.send(new CreateMultipartUploadCommand({ ...target, ...type }))).UploadId ?? '';
    const PartNumber = parts.length + 1;
    const bytes = Buffer.concat(pending, pendingBytes);
    const answer = await client.send(new UploadPartCommand({ ...target, UploadId: uploadId, PartNumber, Body: bytes }));
    parts.push({ PartNumber, ETag: answer.ETag ?? '' });
    pending = [];
    pendingBytes = 0;
  };

  try {
    for await (const chunk of body instanceof Uint8Array ? [body] : body) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      pending.push(chunk);
      pendingBytes += chunk.length;
      if (pendingBytes >= PART_BYTES) await sendPart();
    }
    checkLength(sizeBytes, expectedBytes);
    if (uploadId === undefined) {
      const bytes = Buffer.concat(pending, pendingBytes);
      await client.send(new PutObjectCommand({ ...target, ...type, Body: bytes, ContentLength: bytes.length }));
    } else {
      if (pendingBytes > 0) await sendPart();
      await client.send(
        new CompleteMultipartUploadCommand({ ...target, UploadId: uploadId, MultipartUpload: { Parts: parts } }),
      );
    }
  } catch (error) {
    if (uploadId !== undefined) await abandon(connection, target, uploadId, error);
    throw error;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** Aborts a failed multipart upload; its parts would otherwise be billed. */
async function abandon(
  { client }: Connection,
  target: { Bucket: string; Key: string },
  uploadId: string | undefined,
  cause: unknown,
): Promise<void> {
  await client.send(new AbortMultipartUploadCommand({ ...target, UploadId: uploadId })).catch((abort: unknown) => {
    if (cause instanceof ObjectStorageUnavailableError) throw cause;
    throw new AggregateError([cause, abort], 'The upload failed, and so did giving it up.', { cause });
  });
}

async function openObject(connection: Connection, key: string, name: string): Promise<ByteSource> {
  const { client, Bucket } = connection;
  const found = await find(connection, key);
  if (found === undefined) throw new ObjectNotFoundError(key);
  const { sizeBytes: size } = found;

  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const end = Math.min(offset + length, size);
    if (offset >= end) return new Uint8Array(0);
    const answer = await client.send(new GetObjectCommand({ Bucket, Key: key, Range: `bytes=${offset}-${end - 1}` }));
    const bytes = await answer.Body?.transformToByteArray().catch((error: unknown) => {
      throw isUnavailable(error) ? new ObjectStorageUnavailableError(error) : error;
    });
    if (bytes?.length !== end - offset)
      throw new Error(`The storage gave ${bytes?.length ?? 0} bytes of "${key}" where ${end - offset} were asked for.`);
    return bytes;
  };
  return {
    name,
    size,
    read,
    async *stream() {
      let next = read(0, STREAM_BYTES);
      for (let offset = 0; offset < size; offset += STREAM_BYTES) {
        const bytes = await next;
        next = read(offset + STREAM_BYTES, STREAM_BYTES);
        // Awaited in the next iteration; without this, an earlier failure would be an unhandled rejection.
        next.catch(() => {});
        yield bytes;
      }
    },
    close: async () => {},
  };
}

async function remove({ client, Bucket }: Connection, key: string): Promise<void> {
  checkKey(key);
  await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
}

async function* list({ client, Bucket }: Connection, prefix: string): AsyncGenerator<StoredObject> {
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket,
        Prefix: prefix,
        ...(token === undefined ? {} : { ContinuationToken: token }),
      }),
    );
    for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
      if (Key !== PROBE_KEY) yield { key: Key, sizeBytes: Size, modifiedAt: LastModified };
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

async function copy(connection: Connection, from: string, to: string, sizeBytes: number): Promise<void> {
  const { client, Bucket } = connection;
  const CopySource = encodeURI(`${Bucket}/${from}`);
  const target = { Bucket, Key: to };
  if (sizeBytes <= COPY_BYTES) {
    await client.send(new CopyObjectCommand({ ...target, CopySource }));
    return;
  }
  const ranges: CopiedRange[] = [];
  for (let offset = 0; offset < sizeBytes; offset += COPY_BYTES)
    ranges.push({ CopySource, CopySourceRange: `bytes=${offset}-${Math.min(offset + COPY_BYTES, sizeBytes) - 1}` });
  await copyTogether(connection, ranges, to);
}

/** Builds one object from ranges of others, copied inside the storage. */
async function copyTogether(connection: Connection, ranges: readonly CopiedRange[], to: string): Promise<void> {
  const { client, Bucket } = connection;
  const target = { Bucket, Key: to };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  try {
    const parts: { PartNumber: number; ETag: string }[] = [];
    for (let first = 0; first < ranges.length; first += COPIES_AT_ONCE) {
      const some = ranges.slice(first, first + COPIES_AT_ONCE).map(async (range, index) => {
        const PartNumber = first + index + 1;
        const answer = await client.send(new UploadPartCopyCommand({ ...target, UploadId, PartNumber, ...range }));
        return { PartNumber, ETag: answer.CopyPartResult?.ETag ?? '' };
      });
      parts.push(...(await Promise.all(some)));
    }
    await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: parts } }));
  } catch (error) {
    await abandon(connection, target, UploadId, error);
    throw error;
  }
}

async function signPut(
  { client, Bucket }: Connection,
  key: string,
  { contentType, sizeBytes }: SignedPutOptions,
): Promise<string> {
  checkKey(key);
  const command = new PutObjectCommand({
    Bucket,
    Key: key,
    ContentType: contentType,
    ...(sizeBytes === undefined ? {} : { ContentLength: sizeBytes }),
  });
  return await getSignedUrl(client, command, {
    expiresIn: SIGNED_URL_SECONDS,
    // Otherwise type and length are not signed and any would be accepted.
    signableHeaders: new Set(sizeBytes === undefined ? ['content-type'] : ['content-type', 'content-length']),
  });
}

async function signGet(
  { client, Bucket }: Connection,
  key: string,
  { fileName, contentType, inline = false }: SignedGetOptions,
): Promise<string> {
  checkKey(key);
  const command = new GetObjectCommand({
    Bucket,
    Key: key,
    ResponseContentDisposition: contentDisposition(fileName, inline),
    ...(contentType === undefined ? {} : { ResponseContentType: contentType }),
  });
  return await getSignedUrl(client, command, { expiresIn: SIGNED_URL_SECONDS });
}

/** Written by `check`, because read access does not imply write access, and listed by nobody. */
const PROBE_KEY = 'probe';

function isMissing(error: unknown): boolean {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === 'NotFound' || name === 'NoSuchKey' || $metadata?.httpStatusCode === 404;
}

/** No answer, or one that says that the storage is overloaded or broken. */
function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { httpStatusCode: status } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  if (status === undefined) return isLostConnection(error) || error.name === 'TimeoutError';
  return status >= 500 || status === 429;
}
