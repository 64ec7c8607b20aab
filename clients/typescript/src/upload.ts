import type { Client } from 'openapi-fetch';
import type { paths } from './api.gen.ts';
import { HeterosisError, POLL_MS, send, sleep } from './send.ts';
import type { FileType, ProjectFile } from './types.ts';

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
export async function uploadFile(api: Client<paths>, file: FileToSend, signal?: AbortSignal): Promise<ProjectFile> {
  const { projectId, bytes, name, type } = file;
  const id = await beginUpload(api, file);
  const path = { project_id: projectId, upload_id: id };
  const { part_bytes: partBytes, parts } = given(
    await api.GET('/api/projects/{project_id}/uploads/{upload_id}', { params: { path } }),
  );
  const arrived = new Set(parts.map(({ number }) => number));
  const hashes: number[] = [];
  for (let number = 1; (number - 1) * partBytes < bytes.size; number++) {
    const part = await bytes.slice((number - 1) * partBytes, number * partBytes).arrayBuffer();
    hashes.push(...(await sha256(part)));
    if (arrived.has(number)) continue;
    const { data } = given(
      await api.POST('/api/projects/{project_id}/uploads/{upload_id}/parts', {
        params: { path },
        body: { numbers: [number] },
      }),
    );
    const headers = { 'content-type': 'application/octet-stream' };
    for (const { put_url } of data) await send(new Request(put_url, { method: 'PUT', body: part, headers }), signal);
  }
  const created = given(
    await api.POST('/api/projects/{project_id}/files', {
      params: { path: { project_id: projectId } },
      body: {
        name,
        file_id: id,
        file_type: type,
        parts_sha256: toHex(await sha256(new Uint8Array(hashes))),
      },
    }),
  );
  return checked(api, projectId, created.id, signal);
}

/** The upload of this file that broke off, or a new one. */
async function beginUpload(api: Client<paths>, { projectId, bytes, name, type }: FileToSend): Promise<string> {
  const modified = bytes instanceof File ? bytes.lastModified : '';
  const fingerprint = `${name} ${bytes.size} ${modified}`;
  const params = { path: { project_id: projectId } };
  const { data } = given(
    await api.GET('/api/projects/{project_id}/uploads', { params: { ...params, query: { limit: MOST_UPLOADS } } }),
  );
  const begun = data.find((one) => one.fingerprint === fingerprint);
  if (begun !== undefined) return begun.id;
  const body = { name, file_type: type, size_bytes: bytes.size, fingerprint };
  return given(await api.POST('/api/projects/{project_id}/files/upload_link', { params, body })).file_id;
}

async function checked(api: Client<paths>, projectId: string, id: string, signal?: AbortSignal): Promise<ProjectFile> {
  const params = { path: { project_id: projectId, file_id: id } };
  for (;;) {
    const file = given(await api.GET('/api/projects/{project_id}/files/{file_id}', { params }));
    if (file.status === 'INVALID') {
      const { data } = given(
        await api.GET('/api/projects/{project_id}/files/{file_id}/problems', {
          params: { ...params, query: { limit: PROBLEMS_TOLD } },
        }),
      );
      const said = data.map(({ line, code, message }) => `${line === null ? '' : `line ${line}: `}${code} ${message}`);
      throw new HeterosisError('client/invalid-file', said.join('; '));
    }
    if (file.status !== 'UPLOADED' && file.status !== 'CHECKING') return file;
    await sleep(POLL_MS, signal);
  }
}

/** Refusals are thrown before, so that there is an answer. */
function given<Data>({ data }: { data?: Data }): Data {
  if (data === undefined) throw new HeterosisError('client/answer', 'The server sent nothing.');
  return data;
}

const sha256 = async (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
