import { UPLOAD_PART_BYTES, type UploadDetail } from '@heterosis/contracts/data/file-uploads';
import type { FileDetail, FileType } from '@heterosis/contracts/data/files';
import { fileUploadsApi } from '@heterosis/contracts/endpoints/data/file-uploads';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { call } from '../../../../../lib/api/api-client.ts';
import { isNotFound, Problem } from '../../../../../lib/api/problem.ts';
import type { Reading } from '../../reading/reading-fields.tsx';
import { listUnfinished } from '../uploads.api.ts';
import { fingerprintOf, sha256, toHex } from './file-hash.ts';
import { keepTrying } from './keep-trying.ts';
import { putBytes } from './send-bytes.ts';
import { alone } from './upload-lock.ts';
import { type PlannedPart, planParts } from './upload-plan.ts';

export interface UploadRequest {
  projectId: string;
  folderId: string | null;
  fileType: FileType | null;
  name: string;
  file: File;
  /** An upload of this file that was begun before. */
  uploadId?: string | undefined;
  /** The invalid file that this one replaces. */
  replaces?: string | null | undefined;
  /** How a genotype is read. */
  reading?: Reading;
}

interface SendOptions {
  signal: AbortSignal;
  onStage: (stage: 'preparing' | 'sending' | 'finishing') => void;
  /** The upload has this id now; what it has sent is kept under it. */
  onBegun: (uploadId: string) => void;
  /** Bytes that have arrived or are on their way, of the whole file. */
  onSent: (bytes: number) => void;
  /** The connection is lost for the time being. */
  onPause: (problem: Problem | undefined) => void;
}

/** Other uploads and pages want connections too; browsers open six to a server. */
const PARTS_AT_ONCE = 3;
const LINKS_AT_ONCE = 12;
/** Addresses live 15 minutes; one that is younger than this is used. */
const LINK_IS_FRESH_MS = 10 * 60_000;
/** After this many refusals that are not about the connection, a part is given up. */
const MOST_REFUSALS = 3;

/** Step 3: makes something of bytes that have arrived. */
type Finish<Made> = (uploadId: string, hashes: { sha256?: string; parts_sha256?: string }) => Promise<Made>;

/** Sends a file, and makes a file of the project of it. */
export const sendUpload = (request: UploadRequest, options: SendOptions): Promise<FileDetail> =>
  sendFor(request, options, (id, hashes) => finish(request, id, hashes, options));

/**
 * Sends a file in three steps: link, bytes, and what is made of them. Only the last step makes it, so that an
 * interrupted upload leaves nothing visible. A file larger than one part is sent in parts and resumes where it was
 * interrupted. A lost connection is waited for; rejects for other reasons, and with the reason of `signal` when that
 * aborts.
 */
export async function sendFor<Made>(request: UploadRequest, options: SendOptions, make: Finish<Made>): Promise<Made> {
  if (request.file.size <= UPLOAD_PART_BYTES) return await sendWhole(request, options, make);
  options.onStage('preparing');
  const fingerprint = await readable(() => fingerprintOf(request.file));
  const begin = async (): Promise<string> => (await beginUpload(request, fingerprint, options)).file_id;
  const known = await keepTrying(() => findBegun(request, fingerprint, options.signal), options);
  const id = known ?? (await begin());
  return await alone(id, async () => {
    options.onBegun(id);
    return await sendParts(request, id, options, make);
  });
}

/** The upload that this one goes on with; undefined when there is none or none any more. */
async function findBegun(
  { projectId, uploadId, replaces = null }: UploadRequest,
  fingerprint: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const unfinished = await listUnfinished(projectId, signal);
  const same = unfinished.filter((one) => one.fingerprint === fingerprint && one.replaces === replaces);
  const furthest = same.sort((a, b) => b.received_bytes - a.received_bytes)[0];
  return (unfinished.find((one) => one.id === uploadId) ?? furthest)?.id;
}

function beginUpload(
  { projectId, folderId, fileType, name, file, replaces }: UploadRequest,
  fingerprint: string | undefined,
  options: SendOptions,
) {
  return keepTrying(
    () =>
      call(
        fileUploadsApi.createUploadLink,
        {
          project_id: projectId,
          body: {
            folder_id: folderId,
            file_type: fileType,
            content_type: contentTypeOf(file),
            size_bytes: file.size,
            name,
            ...(replaces ? { replaces } : {}),
            ...(fingerprint === undefined ? {} : { fingerprint }),
          },
        },
        { signal: options.signal },
      ),
    options,
  );
}

const contentTypeOf = (file: File): string => file.type || 'application/octet-stream';

/** One PUT of everything. When it was held up for longer than its address lives, it is begun again. */
async function sendWhole<Made>(request: UploadRequest, options: SendOptions, make: Finish<Made>): Promise<Made> {
  for (let refusals = 1; ; refusals++) {
    options.onStage('sending');
    const { put_url, file_id } = await beginUpload(request, undefined, options);
    options.onBegun(file_id);
    const bytes = await readable(() => request.file.arrayBuffer());
    try {
      await keepTrying(
        () =>
          putBytes(put_url, bytes, {
            contentType: contentTypeOf(request.file),
            signal: options.signal,
            onProgress: options.onSent,
          }),
        options,
      );
    } catch (error) {
      if (!isExpired(error) || refusals === MOST_REFUSALS) throw error;
      continue;
    }
    options.onStage('finishing');
    const hash = await sha256(bytes);
    return await make(file_id, hash === undefined ? {} : { sha256: toHex(hash) });
  }
}

async function sendParts<Made>(
  request: UploadRequest,
  id: string,
  options: SendOptions,
  make: Finish<Made>,
): Promise<Made> {
  for (let tries = 1; ; tries++) {
    const upload = await keepTrying(
      () =>
        call(fileUploadsApi.getUpload, { project_id: request.projectId, upload_id: id }, { signal: options.signal }),
      options,
    );
    options.onStage('sending');
    const hash = await new PartSender(request, upload, options).send();
    options.onStage('finishing');
    try {
      return await make(id, hash === undefined ? {} : { parts_sha256: hash });
    } catch (error) {
      // Parts that the storage has lost are sent again.
      if (!(error instanceof Problem) || error.code !== 'files/upload-incomplete' || tries === MOST_REFUSALS)
        throw error;
    }
  }
}

class PartSender {
  readonly #request: UploadRequest;
  readonly #upload: UploadDetail;
  readonly #options: SendOptions;
  readonly #parts: PlannedPart[];
  readonly #arrived: ReadonlySet<number>;
  readonly #hashes: (Uint8Array | undefined)[] = [];
  readonly #links = new Map<number, { url: string; at: number }>();
  /** Bytes of parts that are on their way. */
  readonly #underWay = new Map<number, number>();
  #linking: Promise<void> = Promise.resolve();
  #sent: number;
  #next = 0;

  constructor(request: UploadRequest, upload: UploadDetail, options: SendOptions) {
    this.#request = request;
    this.#upload = upload;
    this.#options = options;
    this.#parts = planParts(upload.size_bytes, upload.part_bytes);
    this.#arrived = new Set(upload.parts.map(({ number }) => number));
    this.#sent = upload.received_bytes;
  }

  /** Returns the hash of all parts; undefined when this browser cannot make one. */
  async send(): Promise<string | undefined> {
    this.#options.onSent(this.#sent);
    // The first failure ends the others too.
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, stop.signal]);
    const lanes = Array.from({ length: PARTS_AT_ONCE }, () => this.#sendLane(signal));
    try {
      await Promise.all(lanes);
    } catch (error) {
      stop.abort(error);
      await Promise.allSettled(lanes);
      throw error;
    }
    return await this.#hashOfParts();
  }

  async #sendLane(signal: AbortSignal): Promise<void> {
    for (let part = this.#parts[this.#next++]; part !== undefined; part = this.#parts[this.#next++]) {
      const { number, from, to } = part;
      signal.throwIfAborted();
      const bytes = await readable(() => this.#request.file.slice(from, to).arrayBuffer());
      this.#hashes[number - 1] = await sha256(bytes);
      if (!this.#arrived.has(number)) await this.#sendPart(number, bytes, signal);
    }
  }

  async #sendPart(number: number, bytes: ArrayBuffer, signal: AbortSignal): Promise<void> {
    const contentType = contentTypeOf(this.#request.file);
    const onProgress = (sent: number): void => {
      this.#underWay.set(number, Math.min(sent, bytes.byteLength));
      this.#tell();
    };
    const work = async (): Promise<void> => {
      try {
        await putBytes(await this.#linkOf(number, signal), bytes, { contentType, signal, onProgress });
      } finally {
        this.#underWay.delete(number);
      }
    };
    const patience = { signal, onPause: this.#options.onPause };
    for (let refusals = 1; ; refusals++) {
      try {
        await keepTrying(work, patience);
        break;
      } catch (error) {
        if (!isExpired(error) || refusals === MOST_REFUSALS) throw error;
        this.#links.delete(number);
      }
    }
    this.#sent += bytes.byteLength;
    this.#tell();
  }

  #tell(): void {
    let sent = this.#sent;
    for (const bytes of this.#underWay.values()) sent += bytes;
    this.#options.onSent(sent);
  }

  async #linkOf(number: number, signal: AbortSignal): Promise<string> {
    const known = this.#freshLink(number);
    if (known !== undefined) return known;
    // The lanes take turns, so that one call serves them all.
    const before = this.#linking;
    this.#linking = (async () => {
      // Whoever asked there is told of a failure; the next one tries for itself.
      await Promise.allSettled([before]);
      if (this.#freshLink(number) === undefined) await this.#askLinks(number, signal);
    })();
    await this.#linking;
    const link = this.#freshLink(number);
    if (link === undefined) throw new Error(`No address was given for part ${number}`);
    return link;
  }

  #freshLink(number: number): string | undefined {
    const link = this.#links.get(number);
    return link !== undefined && Date.now() - link.at < LINK_IS_FRESH_MS ? link.url : undefined;
  }

  async #askLinks(number: number, signal: AbortSignal): Promise<void> {
    const following = this.#parts.filter((part) => part.number > number && !this.#arrived.has(part.number));
    const numbers = [number, ...following.slice(0, LINKS_AT_ONCE - 1).map((part) => part.number)];
    const { data } = await call(
      fileUploadsApi.createPartLinks,
      { project_id: this.#request.projectId, upload_id: this.#upload.id, body: { numbers } },
      { signal },
    );
    for (const link of data) this.#links.set(link.number, { url: link.put_url, at: Date.now() });
  }

  async #hashOfParts(): Promise<string | undefined> {
    const all = new Uint8Array(32 * this.#parts.length);
    for (let index = 0; index < this.#parts.length; index++) {
      const hash = this.#hashes[index];
      if (hash === undefined) return undefined;
      all.set(hash, 32 * index);
    }
    const hash = await sha256(all);
    return hash === undefined ? undefined : toHex(hash);
  }
}

/** The file. When its answer was lost on the way, the file is there and the upload no more. */
function finish(
  { projectId, folderId, fileType, name, reading }: UploadRequest,
  id: string,
  hashes: { sha256?: string; parts_sha256?: string },
  options: SendOptions,
): Promise<FileDetail> {
  const { signal } = options;
  return keepTrying(async () => {
    try {
      return await call(
        filesApi.createFile,
        {
          project_id: projectId,
          body: { name, folder_id: folderId, file_id: id, file_type: fileType, ...reading, ...hashes },
        },
        { signal },
      );
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return await call(filesApi.getFile, { project_id: projectId, file_id: id }, { signal }).catch(() => {
        throw error;
      });
    }
  }, options);
}

function isExpired(error: unknown): boolean {
  return error instanceof Problem && error.code === 'files/upload-expired';
}

/** Browsers refuse to read a file that has changed, moved or gone since it was chosen. */
async function readable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof DOMException)) throw cause;
    throw new Problem(
      {
        code: 'client/file-unreadable',
        title: 'The file cannot be read',
        detail:
          'The file cannot be read any more: it was changed, moved or deleted on this computer since it was chosen, or it is a folder. Choose it again.',
      },
      cause,
    );
  }
}
