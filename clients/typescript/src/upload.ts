import type { FileType } from '@heterosis/contracts/data/files';
import type { CallEndpoint } from '@heterosis/contracts/endpoint-request';
import { fileUploadsApi } from '@heterosis/contracts/endpoints/data/file-uploads';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { HeterosisError, POLL_MS, send, sleep } from './send.ts';
import type { ProjectFile } from './types.ts';

export interface FileToSend {
  projectId: string;
  bytes: Blob;
  name: string;
  type: FileType;
}

const PROBLEMS_TOLD = 5;
/** Uploads that broke off among which one is looked for: a page. */
const MOST_UPLOADS = 500;

/** Sends a file in parts and waits for its check. */
export async function uploadFile(call: CallEndpoint, file: FileToSend, signal?: AbortSignal): Promise<ProjectFile> {
  const { projectId, bytes, name, type } = file;
  const id = await beginUpload(call, file);
  const upload = { project_id: projectId, upload_id: id };
  const { part_bytes: partBytes, parts } = await call(fileUploadsApi.getUpload, upload);
  const arrived = new Set(parts.map(({ number }) => number));
  const hashes: number[] = [];
  for (let number = 1; (number - 1) * partBytes < bytes.size; number++) {
    const part = await bytes.slice((number - 1) * partBytes, number * partBytes).arrayBuffer();
    hashes.push(...(await sha256(part)));
    if (arrived.has(number)) continue;
    const { data } = await call(fileUploadsApi.createPartLinks, { ...upload, body: { numbers: [number] } });
    const headers = { 'content-type': 'application/octet-stream' };
    for (const { put_url } of data) await send(new Request(put_url, { method: 'PUT', body: part, headers }), signal);
  }
  const parts_sha256 = toHex(await sha256(new Uint8Array(hashes)));
  const created = await call(filesApi.createFile, {
    project_id: projectId,
    body: { name, file_id: id, file_type: type, parts_sha256 },
  });
  return checked(call, { project_id: projectId, file_id: created.id }, signal);
}

/** The upload of this file that broke off, or a new one. */
async function beginUpload(call: CallEndpoint, { projectId, bytes, name, type }: FileToSend): Promise<string> {
  const modified = bytes instanceof File ? bytes.lastModified : '';
  const fingerprint = `${name} ${bytes.size} ${modified}`;
  const project = { project_id: projectId };
  const { data } = await call(fileUploadsApi.listUploads, { ...project, query: { limit: MOST_UPLOADS } });
  const begun = data.find((one) => one.fingerprint === fingerprint);
  if (begun !== undefined) return begun.id;
  const body = { name, file_type: type, size_bytes: bytes.size, fingerprint };
  return (await call(fileUploadsApi.createUploadLink, { ...project, body })).file_id;
}

async function checked(
  call: CallEndpoint,
  at: { project_id: string; file_id: string },
  signal?: AbortSignal,
): Promise<ProjectFile> {
  for (;;) {
    const file = await call(filesApi.getFile, at);
    if (file.status === 'INVALID') {
      const { data } = await call(filesApi.getProblems, { ...at, query: { limit: PROBLEMS_TOLD } });
      const said = data.map(({ line, code, message }) => `${line === null ? '' : `line ${line}: `}${code} ${message}`);
      throw new HeterosisError('client/invalid-file', said.join('; '));
    }
    if (file.status !== 'UPLOADED' && file.status !== 'CHECKING') return file;
    await sleep(POLL_MS, signal);
  }
}

const sha256 = async (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
