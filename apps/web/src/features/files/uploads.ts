import { type FileType, fileDetail, uploadLinkResult } from '@heterosis/contracts/files';
import { useSyncExternalStore } from 'react';
import { api } from '../../lib/api-client.ts';
import { networkProblem, Problem } from '../../lib/problem.ts';
import { queryClient } from '../../lib/query-client.ts';
import { keys } from '../../lib/query-keys.ts';

export interface Upload {
  id: string;
  projectId: string;
  name: string;
  sent: number;
  size: number;
  startedAt: number;
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';
  problem: Problem | undefined;
  fileId: string | undefined;
}

interface Request {
  projectId: string;
  folderId: string | null;
  fileType: FileType | null;
  file: File;
}

const AT_ONCE = 2;

let uploads: readonly Upload[] = [];
const listeners = new Set<() => void>();
const waiting: { upload: Upload; request: Request }[] = [];
const running = new Map<string, AbortController>();

/** Uploads go on while one moves between pages; this list is theirs for as long as the tab is open. */
export function useUploads(projectId: string): readonly Upload[] {
  const all = useSyncExternalStore(subscribe, () => uploads);
  return all.filter((upload) => upload.projectId === projectId);
}

export function startUploads(requests: readonly Request[]): void {
  for (const request of requests) {
    const upload: Upload = {
      id: `${Date.now()}-${request.file.name}-${Math.random().toString(36).slice(2)}`,
      projectId: request.projectId,
      name: request.file.name,
      sent: 0,
      size: request.file.size,
      startedAt: Date.now(),
      state: 'waiting',
      problem: undefined,
      fileId: undefined,
    };
    waiting.push({ upload, request });
    publish([...uploads, upload]);
  }
  startNext();
}

export function cancelUpload(id: string): void {
  const place = waiting.findIndex((one) => one.upload.id === id);
  if (place >= 0) waiting.splice(place, 1);
  running.get(id)?.abort();
  change(id, { state: 'cancelled' });
}

export function dismissUpload(id: string): void {
  publish(uploads.filter((upload) => upload.id !== id));
}

function startNext(): void {
  while (running.size < AT_ONCE) {
    const next = waiting.shift();
    if (!next) return;
    void send(next.upload.id, next.request);
  }
}

/** SPEC §7: link, bytes, file. The row comes to be with the last step only, so that a cut upload leaves nothing behind. */
async function send(id: string, request: Request): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  change(id, { state: 'sending', startedAt: Date.now() });
  try {
    const base = `/projects/${request.projectId}/files`;
    const contentType = request.file.type || 'application/octet-stream';
    const link = await api.post(
      uploadLinkResult,
      `${base}/upload_link`,
      {
        folder_id: request.folderId,
        file_type: request.fileType,
        content_type: contentType,
        size_bytes: request.file.size,
      },
      { signal: stop.signal },
    );
    await putBytes(link.put_url, request.file, contentType, stop.signal, (sent) => change(id, { sent }));
    const file = await api.post(
      fileDetail,
      base,
      { name: request.file.name, folder_id: request.folderId, file_id: link.file_id, file_type: request.fileType },
      { signal: stop.signal },
    );
    change(id, { state: 'done', fileId: file.id, sent: request.file.size });
    await queryClient.invalidateQueries({ queryKey: keys.files(request.projectId) });
    await queryClient.invalidateQueries({ queryKey: keys.overview(request.projectId) });
  } catch (error) {
    if (!stop.signal.aborted)
      change(id, { state: 'failed', problem: error instanceof Problem ? error : networkProblem(error) });
  } finally {
    running.delete(id);
    startNext();
  }
}

/** `fetch` does not tell how much was sent; XMLHttpRequest does. */
function putBytes(
  url: string,
  file: File,
  contentType: string,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('content-type', contentType);
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded));
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(problemOf(request));
    });
    request.addEventListener('error', () => reject(networkProblem(new Error('The upload was cut off'))));
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

function problemOf(request: XMLHttpRequest): Problem {
  try {
    return new Problem(JSON.parse(request.responseText) as ConstructorParameters<typeof Problem>[0]);
  } catch {
    // An object store answers in XML; its status has to do.
    return new Problem({
      code: 'files/upload-incomplete',
      status: request.status,
      title: 'The upload was refused',
      detail: `The storage answered ${request.status}. Nothing was saved; try the upload again.`,
    });
  }
}

function change(id: string, part: Partial<Upload>): void {
  publish(uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
}

function publish(next: readonly Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
