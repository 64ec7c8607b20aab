import type { FileType } from '@heterosis/contracts/data/files';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { useSyncExternalStore } from 'react';
import { call } from '../../../../lib/api/api-client.ts';
import { asProblem, isNotFound, type Problem } from '../../../../lib/api/problem.ts';
import { queryClient } from '../../../../lib/api/query-client.ts';
import { keys } from '../../../../lib/api/query-keys.ts';
import { session } from '../../../../lib/session/browser-session.ts';
import { keepTrying, tryNow } from './sending/keep-trying.ts';
import { sendUpload, type UploadRequest } from './sending/send-upload.ts';
import { SpeedMeter } from './sending/upload-plan.ts';
import { deleteUpload } from './uploads.api.ts';

export type UploadState =
  /** Waits for the uploads before it. */
  | 'waiting'
  | 'preparing'
  | 'sending'
  /** The connection is lost; the upload resumes by itself. */
  | 'paused'
  /** All bytes have arrived; the server turns them into a file. */
  | 'finishing'
  /** The file exists; the server checks it. */
  | 'sent'
  | 'failed';

export interface Upload {
  /** Within this list only. */
  id: string;
  projectId: string;
  folderId: string | null;
  fileType: FileType | null;
  /** The invalid file that this one replaces. */
  replaces: string | null;
  name: string;
  size: number;
  sent: number;
  bytesPerSecond: number | undefined;
  state: UploadState;
  /** Why it failed or is paused. */
  problem: Problem | undefined;
  /** The server's id of the upload, once it has begun; later the id of the file. */
  uploadId: string | undefined;
}

interface Sending {
  request: UploadRequest;
  meter: SpeedMeter;
  stop: AbortController;
}

const AT_ONCE = 2;
const ACTIVE: ReadonlySet<UploadState> = new Set(['preparing', 'sending', 'paused', 'finishing']);

let uploads: readonly Upload[] = [];
const listeners = new Set<() => void>();
const sendings = new Map<string, Sending>();

/** Uploads continue while the user moves between pages; the list lasts as long as the tab is open. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(subscribe, getUploads);
}

/** The list as it is now, outside a component. */
export const getUploads = (): readonly Upload[] => uploads;

export const isActive = ({ state }: Upload): boolean => state === 'waiting' || ACTIVE.has(state);

export function startUploads(requests: readonly UploadRequest[]): void {
  const fresh = requests.map((request): Upload => {
    const id = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
    sendings.set(id, { request, meter: new SpeedMeter(), stop: new AbortController() });
    return {
      id,
      projectId: request.projectId,
      folderId: request.folderId,
      fileType: request.fileType,
      replaces: request.replaces ?? null,
      name: request.name,
      size: request.file.size,
      sent: 0,
      bytesPerSecond: undefined,
      state: 'waiting',
      problem: undefined,
      uploadId: request.uploadId,
    };
  });
  publish([...uploads, ...fresh]);
  startNext();
}

/** Retries a failed upload, under another name if `name` is given; resumes a paused one at once. */
export function retryUpload(id: string, name?: string): void {
  const upload = uploads.find((one) => one.id === id);
  const sending = sendings.get(id);
  if (upload === undefined || sending === undefined) return;
  if (upload.state === 'paused') return tryNow();
  if (upload.state !== 'failed') return;
  const request = { ...sending.request, name: name ?? upload.name, uploadId: upload.uploadId };
  sendings.set(id, { request, meter: new SpeedMeter(), stop: new AbortController() });
  change(id, { state: 'waiting', name: request.name, problem: undefined });
  startNext();
}

/**
 * Ends an upload and removes what has arrived. A file that was just made of it is deleted too, unless it has already
 * replaced another file.
 */
export function cancelUpload(id: string): void {
  const upload = uploads.find((one) => one.id === id);
  sendings.get(id)?.stop.abort();
  dismissUpload(id);
  if (upload?.uploadId !== undefined) void discardUpload(upload.projectId, upload.uploadId, upload.replaces);
}

/** Removes what has arrived of an upload. Should this tab be closed before it can, the server's sweep does. */
export async function discardUpload(projectId: string, uploadId: string, replaces: string | null): Promise<void> {
  const patience = { signal: new AbortController().signal, onPause: () => {} };
  try {
    await keepTrying(() => deleteUpload(projectId, uploadId), patience);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (replaces === null)
      await keepTrying(() => call(filesApi.deleteFile, { project_id: projectId, file_id: uploadId }), patience).catch(
        (gone: unknown) => {
          if (!isNotFound(gone)) throw gone;
        },
      );
  } finally {
    await refreshFiles(projectId);
  }
}

/** Removes an ended upload from the list. */
export function dismissUpload(id: string): void {
  sendings.delete(id);
  publish(uploads.filter((upload) => upload.id !== id));
}

export function dismissEnded(): void {
  for (const upload of uploads) if (!isActive(upload)) dismissUpload(upload.id);
}

function startNext(): void {
  for (const upload of uploads) {
    if (uploads.filter(({ state }) => ACTIVE.has(state)).length >= AT_ONCE) return;
    const sending = sendings.get(upload.id);
    if (upload.state === 'waiting' && sending !== undefined) void send(upload.id, sending);
  }
}

async function send(id: string, { request, meter, stop }: Sending): Promise<void> {
  const { projectId } = request;
  change(id, { state: 'preparing' });
  try {
    const file = await sendUpload(request, {
      signal: stop.signal,
      onStage: (state) => change(id, { state, problem: undefined }),
      onBegun: (uploadId) => change(id, { uploadId }),
      onSent: (sent) => {
        meter.take(sent, Date.now());
        changeSoon(id, { state: 'sending', problem: undefined, sent, bytesPerSecond: meter.bytesPerSecond });
      },
      onPause: (problem) => {
        if (problem === undefined) return;
        meter.reset();
        change(id, { state: 'paused', problem, bytesPerSecond: undefined });
      },
    });
    change(id, { state: 'sent', uploadId: file.id, sent: request.file.size, problem: undefined });
  } catch (error) {
    if (!stop.signal.aborted) change(id, { state: 'failed', problem: asProblem(error) });
  }
  startNext();
  if (!stop.signal.aborted) await refreshFiles(projectId);
}

/** Reads again what uploads change. */
export async function refreshFiles(projectId: string): Promise<void> {
  const parts = [keys.files(projectId), keys.overview(projectId), keys.uploads(projectId)];
  await Promise.all(parts.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Four times a second is as often as anybody reads a figure. */
const SOON_MS = 250;
const changes = new Map<string, Partial<Upload>>();
let timer: number | undefined;

function changeSoon(id: string, part: Partial<Upload>): void {
  changes.set(id, { ...changes.get(id), ...part });
  timer ??= window.setTimeout(() => {
    timer = undefined;
    publish(uploads.map((upload) => ({ ...upload, ...changes.get(upload.id) })));
    changes.clear();
  }, SOON_MS);
}

function change(id: string, part: Partial<Upload>): void {
  // Pending progress is older than this change.
  const soon = changes.get(id);
  changes.delete(id);
  publish(uploads.map((upload) => (upload.id === id ? { ...upload, ...soon, ...part } : upload)));
}

function publish(next: readonly Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

window.addEventListener('online', tryNow);

/** Leaving interrupts uploads, and they do not resume by themselves: let the browser ask first. */
window.addEventListener('beforeunload', (event) => {
  if (uploads.some(isActive)) event.preventDefault();
});

/** The next user of this browser must not see these uploads; what has arrived stays on the server. */
let userId = userOf();
session.subscribe(() => {
  const now = userOf();
  if (now === userId) return;
  userId = now;
  for (const { stop } of sendings.values()) stop.abort();
  sendings.clear();
  publish([]);
});

function userOf(): string | undefined {
  const state = session.getState();
  return state.status === 'signed-in' ? state.user.uid : undefined;
}
