import type { ChangeEvent } from '@heterosis/contracts/events';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { keys } from './query-keys.ts';

/** Brings the cached answers up to date with something that has changed on the server. */
export function applyEvent(client: QueryClient, event: ChangeEvent): void {
  if (event.progress && event.project_id !== null) {
    const prefix = runsOf(event.project_id, event.type);
    if (prefix) {
      patchProgress(client, prefix, event.id, event.progress);
      return;
    }
  }
  for (const queryKey of keysToInvalidate(event)) void client.invalidateQueries({ queryKey });
}

export function keysToInvalidate(event: ChangeEvent): QueryKey[] {
  const project = event.project_id;
  switch (event.type) {
    case 'project':
      return [keys.projects];
    case 'organization':
      return [keys.organizations];
    case 'invitation':
      return [keys.invitations, keys.organizations, keys.projects];
    case 'session':
      return [keys.me, keys.accessTokens, keys.organizations, keys.projects];
    // A file that comes to be was an upload.
    case 'file':
      return project === null ? [keys.projects] : [keys.files(project), keys.overview(project), keys.uploads(project)];
    default: {
      if (project === null) return [keys.projects];
      const own = runsOf(project, event.type);
      return own ? [own, keys.overview(project)] : [keys.project(project)];
    }
  }
}

function runsOf(projectId: string, type: ChangeEvent['type']): QueryKey | undefined {
  switch (type) {
    case 'file':
      return keys.files(projectId);
    case 'folder':
      return keys.folders(projectId);
    case 'model':
      return keys.models(projectId);
    case 'prediction':
      return keys.predictions(projectId);
    case 'gwas':
      return keys.gwas(projectId);
    case 'crossing_simulation':
      return keys.crossingSimulations(projectId);
    default:
      return undefined;
  }
}

type ProgressByTrait = NonNullable<ChangeEvent['progress']>;

/** Moves the progress of one thing wherever it is cached: as a detail, in a page of a list, in the pages of an endless list. */
function patchProgress(client: QueryClient, queryKey: QueryKey, id: string, progress: ProgressByTrait): void {
  client.setQueriesData({ queryKey }, (cached: unknown) => withProgress(cached, id, progress));
}

export function withProgress(value: unknown, id: string, progress: ProgressByTrait): unknown {
  if (Array.isArray(value)) {
    const changed = value.map((item) => withProgress(item, id, progress));
    return changed.some((item, index) => item !== value[index]) ? changed : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Record<string, unknown>;
  if (record.id === id && 'progress' in record) return { ...record, progress: mergeProgress(record, progress) };
  for (const inner of ['data', 'pages']) {
    if (!(inner in record)) continue;
    const changed = withProgress(record[inner], id, progress);
    if (changed !== record[inner]) return { ...record, [inner]: changed };
  }
  return value;
}

/** Models and GWAS have progress by trait, predictions and files one for all. */
function mergeProgress(record: Record<string, unknown>, progress: ProgressByTrait): unknown {
  const isByTrait = typeof record.status === 'object';
  if (!isByTrait) {
    const [only] = Object.values(progress);
    return only ? { started_at: null, ...(record.progress as object | null), ...only } : record.progress;
  }
  const before = (record.progress ?? {}) as Record<string, object | null>;
  const after: Record<string, object | null> = { ...before };
  for (const [trait, step] of Object.entries(progress)) after[trait] = { started_at: null, ...before[trait], ...step };
  return after;
}
