import type { ChangeEvent } from '@heterosis/contracts/events';
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { keys } from '../api/query-keys.ts';
import { isRunKind } from '../browser/run-kinds.ts';

/** Brings the cached answers up to date with something that has changed on the server. */
export function applyEvent(client: QueryClient, event: ChangeEvent): void {
  const { id, progress, runs_before } = event;
  const things =
    event.type === 'germplasm_upload'
      ? keys.allGermplasm
      : event.project_id === null
        ? undefined
        : keyOf(event.project_id, event.type);
  if (things && (progress !== undefined || runs_before !== undefined)) {
    const change = (record: Cached): Cached =>
      progress === undefined ? withPlace(record, runs_before ?? null) : withProgress(record, progress);
    for (const query of client.getQueryCache().findAll({ queryKey: things })) {
      const data: unknown = withChange(query.state.data, id, change);
      // Not `setQueryData`: it would call the rest of the answer fresh, though a change may have made it stale.
      if (data !== query.state.data) query.setState({ data });
    }
    return;
  }
  const invalidate = event.type === 'decision' ? invalidateSpaced : invalidateNow;
  for (const queryKey of keysToInvalidate(event)) invalidate(client, queryKey);
}

function invalidateNow(client: QueryClient, queryKey: QueryKey): void {
  void client.invalidateQueries({ queryKey });
}

/** Ten people in a meeting mark several lines a second: a reading for each took more calls than a network may make. */
const SPACE_MS = 1_000;
/** Keys that were invalidated within the last second, and whether they are to be again at its end. */
const resting = new Map<string, { isTold: boolean }>();

/** The first time at once, further ones together, a second after the last. */
function invalidateSpaced(client: QueryClient, queryKey: QueryKey): void {
  const hash = hashKey(queryKey);
  const rest = resting.get(hash);
  if (rest) {
    rest.isTold = true;
    return;
  }
  invalidateNow(client, queryKey);
  const begun = { isTold: false };
  resting.set(hash, begun);
  setTimeout(() => {
    resting.delete(hash);
    if (begun.isTold) invalidateSpaced(client, queryKey);
  }, SPACE_MS);
}

/** The page of projects names things of all kinds, as they are now. */
export const keysToInvalidate = (event: ChangeEvent): QueryKey[] => [...keysOfEvent(event), keys.home];

function keysOfEvent(event: ChangeEvent): QueryKey[] {
  const project = event.project_id;
  switch (event.type) {
    // Somebody who joins or leaves takes or frees a seat.
    case 'project':
      return [keys.projects, keys.organizations];
    // A role in the organization counts in its projects.
    case 'organization':
      return [keys.organizations, keys.projects];
    case 'invitation':
      return [keys.invitations, keys.notifications, keys.organizations, keys.projects];
    case 'session':
      return [keys.me, keys.sessions, keys.accessTokens, keys.organizations, keys.projects];
    case 'notification':
      return [keys.notifications];
    case 'favourite':
      return [];
    case 'table_view':
      return project === null ? [] : [keys.tableViews(project)];
    case 'share_link':
      return project === null ? [] : [keys.shareLinks({ kind: 'project', id: project })];
    case 'comment':
      return project === null ? [] : [keys.comments(project)];
    case 'germplasm':
    case 'germplasm_upload':
      return [keys.allGermplasm];
    // A new file was an upload until now.
    case 'file':
      return project === null ? [keys.projects] : [keys.files(project), keys.overview(project), keys.uploads(project)];
    default: {
      if (project === null) return [keys.projects];
      const own = keyOf(project, event.type);
      return own ? [own, keys.overview(project)] : [keys.project(project)];
    }
  }
}

/** The key of all things of one type in a project. */
function keyOf(projectId: string, type: ChangeEvent['type']): QueryKey | undefined {
  if (isRunKind(type)) return keys.runs(type, projectId);
  if (type === 'file') return keys.files(projectId);
  if (type === 'list') return keys.lists(projectId);
  if (type === 'trial' || type === 'photo') return keys.trials(projectId);
  if (type === 'decision') return keys.decisions(projectId);
  if (type === 'folder') return keys.folders(projectId);
  return undefined;
}

type ProgressByTrait = NonNullable<ChangeEvent['progress']>;

type Cached = Record<string, unknown>;

/** Changes one thing wherever it is cached: as a detail, in a page of a list, in the pages of an endless list. */
export function withChange(value: unknown, id: string, change: (record: Cached) => Cached): unknown {
  if (Array.isArray(value)) {
    const changed = value.map((item) => withChange(item, id, change));
    return changed.some((item, index) => item !== value[index]) ? changed : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Cached;
  if (record.id === id && 'progress' in record) return change(record);
  for (const inner of ['data', 'pages']) {
    if (!(inner in record)) continue;
    const changed = withChange(record[inner], id, change);
    if (changed !== record[inner]) return { ...record, [inner]: changed };
  }
  return value;
}

const NOT_BEGUN = { started_at: null, runs_before: null };

/** Some kinds of run have progress by trait, others and files have one progress. */
const isByTrait = (record: Cached): boolean => typeof record.status === 'object';

/** A file from which another is being made: its run is that of the derivation. */
function withDerivation(record: Cached, change: (derivation: Cached) => Cached): Cached | undefined {
  const derivations = record.derivations as Cached[] | undefined;
  if (derivations?.some(({ status }) => status === 'PROCESSING') !== true) return undefined;
  return { ...record, derivations: derivations.map((one) => (one.status === 'PROCESSING' ? change(one) : one)) };
}

export function withProgress(record: Cached, progress: ProgressByTrait): Cached {
  const derived = withDerivation(record, (derivation) => withProgress(derivation, progress));
  if (derived) return derived;
  if (!isByTrait(record)) {
    const [only] = Object.values(progress);
    return only ? { ...record, progress: { ...NOT_BEGUN, ...(record.progress as object | null), ...only } } : record;
  }
  const before = (record.progress ?? {}) as Record<string, object | null>;
  const after: Record<string, object | null> = { ...before };
  for (const [trait, step] of Object.entries(progress)) after[trait] = { ...NOT_BEGUN, ...before[trait], ...step };
  return { ...record, progress: after };
}

/** Sets the place in the queue of what waits, also of what waits again. */
export function withPlace(record: Cached, runs_before: number | null): Cached {
  const derived = withDerivation(record, (derivation) => withPlace(derivation, runs_before));
  if (derived) return derived;
  const place = (step: unknown): unknown =>
    step === null ? null : { ...NOT_BEGUN, stage: 'queued', done: 0, total: 0, runs_before };
  if (!isByTrait(record)) return { ...record, progress: place(record.progress) };
  const steps = Object.entries((record.progress ?? {}) as Cached);
  return { ...record, progress: Object.fromEntries(steps.map(([trait, step]) => [trait, place(step)])) };
}
