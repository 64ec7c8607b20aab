import type { ByteSource } from '@heterosis/file-formats/byte-source';

/** How long a signed URL lives from when it was signed. */
export const SIGNED_URL_SECONDS = 15 * 60;

/** Smallest piece that S3 concatenates, except for the last. */
export const SMALLEST_PIECE_BYTES = 5 * 1024 * 1024;

export interface StoredObject {
  key: string;
  sizeBytes: number;
  modifiedAt: Date;
}

export interface PutOptions {
  contentType?: string;
  /** Refuse a longer body (`Problem` request/too-large) and store nothing. */
  maxBytes?: number;
  /** Refuse a body of another length (`Problem` files/upload-incomplete) and store nothing. */
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
  /** The client must send exactly this many bytes; default: any number up to the storage's limit. */
  sizeBytes?: number;
}

export interface SignedGetOptions {
  /** Name offered to the person who saves the file. */
  fileName: string;
  contentType?: string;
  /** Show in the browser instead of saving. Only for files that the product made. */
  inline?: boolean;
}

/**
 * File storage: a directory or an S3 bucket behind one interface and one test suite. Keys consist of ids and
 * fixed words, never of user text: segments of `[A-Za-z0-9._-]` joined by slashes. Reading a missing object throws
 * {@link ObjectNotFoundError}.
 */
export interface ObjectStorage {
  /** Stores all bytes or nothing; replaces an existing object. A full disk throws `Problem` server/storage-full. */
  put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<PutResult>;
  /** Throws `Problem` server/storage-full when so many bytes are not to be stored, so that none need to be sent. */
  requireSpace(bytes: number): Promise<void>;
  /** Stores a local file, for example a result of a compute process. */
  putFile(key: string, path: string, options?: PutOptions): Promise<PutResult>;
  /**
   * Opens an object for streaming and byte ranges, as the readers of `file-formats` expect. Close it. `name` is for
   * messages.
   */
  open(key: string, name?: string): Promise<ByteSource>;
  /** Copies to a local file, for programs that need one. */
  download(key: string, path: string): Promise<void>;
  find(key: string): Promise<StoredObject | undefined>;
  /**
   * Moves an object to another key, replacing what is there: an accepted upload must be out of reach of its upload
   * link.
   */
  move(from: string, to: string): Promise<void>;
  /**
   * Makes an object of others in the given order, replacing an existing one; the pieces remain. A local disk links them
   * and a bucket copies them by itself: no byte passes through this process. All but the last have at
   * least {@link SMALLEST_PIECE_BYTES}. Stores the whole or nothing.
   */
  concatenate(pieces: readonly string[], to: string): Promise<void>;
  /** Deletes an object; a missing one is not an error. */
  delete(...keys: string[]): Promise<void>;
  deletePrefix(prefix: string): Promise<void>;
  /** Objects in order of their keys. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** An address that takes one PUT of the bytes within {@link SIGNED_URL_SECONDS}. */
  signPut(key: string, options: SignedPutOptions): Promise<string>;
  /** An address that answers GET, with ranges, for ten minutes at least and {@link SIGNED_URL_SECONDS} at most. */
  signGet(key: string, options: SignedGetOptions): Promise<string>;
  /**
   * Removes incomplete files: those of ended processes of this machine, and all that have not changed since `before`.
   * A bucket does this with a lifecycle rule.
   */
  removeUnfinished(before: Date): Promise<void>;
  /** Throws when the storage does not accept writes; for /readyz. */
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

/** How the message of an {@link ObjectStorageUnavailableError} begins, also where a compute process passes it on. */
export const STORAGE_UNAVAILABLE = 'The storage cannot be reached';

/** The storage could not be reached or did not answer, also when asked again. */
export class ObjectStorageUnavailableError extends Error {
  constructor(cause: Error) {
    super(`${STORAGE_UNAVAILABLE}: ${cause.message}`, { cause });
    this.name = 'ObjectStorageUnavailableError';
  }
}

/** Stored bytes differ from what the product wrote. */
export class ObjectDamagedError extends Error {
  readonly code = 'storage/object-damaged';

  constructor(what: string, options?: ErrorOptions) {
    super(`The stored ${what} cannot be read.`, options);
    this.name = 'ObjectDamagedError';
  }
}

const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Throws for a key that could escape the storage directory; such a key is a bug. */
export function checkKey(key: string): void {
  if (key.length > 900 || !KEY.test(key)) throw new Error(`Not a storage key: ${JSON.stringify(key)}`);
}
