import type { ByteSource } from '@heterosis/file-formats/byte-source';

/** How long a signed URL lives. */
export const SIGNED_URL_SECONDS = 15 * 60;

/** S3 puts no smaller pieces together, but for the last. */
export const SMALLEST_PIECE_BYTES = 5 * 1024 * 1024;

export interface StoredObject {
  key: string;
  sizeBytes: number;
  modifiedAt: Date;
}

export interface PutOptions {
  contentType?: string;
  /** Refuse a longer body (`Problem` request/too-large), leaving nothing behind. */
  maxBytes?: number;
  /** Refuse a body of another length (`Problem` files/upload-incomplete), leaving nothing behind. */
  expectedBytes?: number;
}

export interface PutResult {
  sizeBytes: number;
  /** Hex SHA-256 of the bytes. */
  sha256: string;
}

export interface SignedPutOptions {
  /** The client must send this content type. */
  contentType: string;
  /** The client must send exactly so many bytes; any number up to the storage's limit unless told. */
  sizeBytes?: number;
}

export interface SignedGetOptions {
  /** Name offered to the person who saves the file. */
  fileName: string;
  contentType?: string;
  /** Show in the browser instead of saving. Only for files that we made. */
  inline?: boolean;
}

/**
 * Where files are kept: a directory or an S3 bucket behind one interface and one test suite. Keys are made by us of ids and
 * fixed words, never of user text: segments of `[A-Za-z0-9._-]` joined by slashes. Reading what is not there throws
 * {@link ObjectNotFoundError}.
 */
export interface ObjectStorage {
  /** Stores all bytes or nothing; replaces what was there. A full disk throws `Problem` server/storage-full. */
  put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<PutResult>;
  /** Stores a file of the local disk, for example a result that a compute process wrote. */
  putFile(key: string, path: string, options?: PutOptions): Promise<PutResult>;
  /** Opens for streaming and reading byte ranges, as the readers of `file-formats` want it. Close it. `name` is for messages. */
  open(key: string, name?: string): Promise<ByteSource>;
  /** Copies to a file of the local disk, for programs that need one. */
  download(key: string, path: string): Promise<void>;
  find(key: string): Promise<StoredObject | undefined>;
  /** Gives an object another key, replacing what was there: an upload that was accepted, out of reach of its upload link. */
  move(from: string, to: string): Promise<void>;
  /**
   * Makes one object of several, in the order given, replacing what was there; the pieces stay. All of them but the last have at
   * least {@link SMALLEST_PIECE_BYTES}. Stores the whole or nothing.
   */
  concatenate(pieces: readonly string[], to: string): Promise<void>;
  /** Deletes what is there; what is not there is no error. */
  delete(...keys: string[]): Promise<void>;
  deletePrefix(prefix: string): Promise<void>;
  /** In order of the keys. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** An address that takes one PUT of the bytes within {@link SIGNED_URL_SECONDS}. */
  signPut(key: string, options: SignedPutOptions): Promise<string>;
  /** An address that answers GET, with ranges, for {@link SIGNED_URL_SECONDS}. */
  signGet(key: string, options: SignedGetOptions): Promise<string>;
  /**
   * Removes what a process that was killed left half written and nobody has written to since `before`. On a bucket that is done
   * by its lifecycle rule.
   */
  removeUnfinished(before: Date): Promise<void>;
  /** Throws when nothing can be stored; for /readyz. */
  check(): Promise<void>;
}

export class ObjectNotFoundError extends Error {
  readonly code = 'storage/object-missing';
  readonly key: string;

  constructor(key: string, options?: ErrorOptions) {
    super(`The storage has no object "${key}".`, options);
    this.name = 'ObjectNotFoundError';
    this.key = key;
  }
}

/** What the product has stored is not what it wrote. */
export class ObjectDamagedError extends Error {
  readonly code = 'storage/object-damaged';

  constructor(what: string, options?: ErrorOptions) {
    super(`The stored ${what} cannot be read.`, options);
    this.name = 'ObjectDamagedError';
  }
}

const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Throws for a key that could leave the storage's directory; such a key is a bug. */
export function checkKey(key: string): void {
  if (key.length > 900 || !KEY.test(key)) throw new Error(`Not a storage key: ${JSON.stringify(key)}`);
}
