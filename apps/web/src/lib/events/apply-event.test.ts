import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { keys } from '../api/query-keys.ts';
import { applyEvent, keysToInvalidate, withChange, withPlace, withProgress } from './apply-event.ts';

const step = { stage: 'cross-validate', done: 23, total: 50 };

describe('keysToInvalidate', () => {
  it('names the things of that kind and the overview of the project', () => {
    expect(keysToInvalidate({ type: 'model', id: 'm', project_id: 'p', organization_id: 'o' })).toEqual([
      ['projects', 'p', 'models'],
      ['projects', 'p', 'overview'],
      ['home'],
    ]);
  });

  it('reaches the unfinished uploads when one of them becomes a file', () => {
    const event = { type: 'file', id: 'f', project_id: 'p', organization_id: 'o' } as const;
    expect(keysToInvalidate(event)).toContainEqual(['projects', 'p', 'uploads']);
  });

  it('reaches the lists when a membership changes', () => {
    const event = { type: 'organization', id: 'o', project_id: null, organization_id: 'o' } as const;
    expect(keysToInvalidate(event)).toEqual([['organizations'], ['projects'], ['home']]);
    expect(keysToInvalidate({ ...event, type: 'project', project_id: 'p' })).toEqual([
      ['projects'],
      ['organizations'],
      ['home'],
    ]);
  });
});

describe('marks of a meeting', () => {
  it('are read at once, and then together once a second', () => {
    vi.useFakeTimers();
    try {
      const client = new QueryClient();
      const read: string[] = [];
      client.invalidateQueries = ({ queryKey } = {}) => {
        read.push(JSON.stringify(queryKey));
        return Promise.resolve();
      };
      const mark = () => applyEvent(client, { type: 'decision', id: 'd', project_id: 'meeting', organization_id: 'o' });
      const reads = () => read.filter((key) => key === JSON.stringify(keys.decisions('meeting'))).length;
      mark();
      expect(reads()).toBe(1);
      for (let k = 0; k < 50; k++) mark();
      expect(reads()).toBe(1);
      vi.advanceTimersByTime(1_000);
      expect(reads()).toBe(2);
      vi.advanceTimersByTime(5_000);
      expect(reads()).toBe(2);
      mark();
      expect(reads()).toBe(3);
      applyEvent(client, { type: 'model', id: 'm', project_id: 'meeting', organization_id: 'o' });
      applyEvent(client, { type: 'model', id: 'm', project_id: 'meeting', organization_id: 'o' });
      expect(read.filter((key) => key === JSON.stringify(keys.runs('model', 'meeting')))).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the lists of people', () => {
  it.each(['invitation', 'organization', 'project'] as const)('are read again after an event of type %s', (type) => {
    const client = new QueryClient();
    const lists = [{ kind: 'organization', id: 'o' } as const, { kind: 'project', id: 'p' } as const].flatMap(
      (place) => [keys.members(place), keys.sentInvitations(place)],
    );
    for (const key of lists) client.setQueryData(key, []);
    applyEvent(client, { type, id: 'x', project_id: 'p', organization_id: 'o' });
    for (const key of lists) expect(client.getQueryState(key)?.isInvalidated, key.join(' ')).toBe(true);
  });
});

describe('progress', () => {
  it('moves the bar and leaves everything else as stale as it was', () => {
    const client = new QueryClient();
    const files = ['list', 'f', 'g'].map((name) => [...keys.files('p'), name]);
    const [list = [], detail = [], other = []] = files;
    const before = { id: 'f', status: 'UPLOADED', progress: null };
    client.setQueryData(list, [before], { updatedAt: 1 });
    client.setQueryData(detail, before, { updatedAt: 1 });
    client.setQueryData(other, { ...before, id: 'g' }, { updatedAt: 1 });
    const event = { type: 'file', id: 'f', project_id: 'p', organization_id: 'o' } as const;
    applyEvent(client, event);
    applyEvent(client, { ...event, progress: { '': step } });
    for (const key of files)
      expect(client.getQueryState(key), key.join(' ')).toMatchObject({ isInvalidated: true, dataUpdatedAt: 1 });
    expect(client.getQueryData(list)).toMatchObject([{ progress: step }]);
    expect(client.getQueryData(detail)).toMatchObject({ progress: step });
    expect(client.getQueryData(other)).toMatchObject({ progress: null });
  });
});

describe('a change of something cached', () => {
  const model = {
    id: 'm',
    status: { yield: 'EVALUATING', height: 'TRAINING' },
    progress: { yield: null, height: null },
  };
  const begun = { started_at: null, runs_before: null };
  const advance = (record: Record<string, unknown>) => withProgress(record, { height: step });

  it('finds the row in the pages of an endless list and leaves the others the same objects', () => {
    const other = { id: 'n', status: {}, progress: {} };
    const pages = { pages: [{ data: [other] }, { data: [other, model] }], pageParams: [undefined, 'c'] };
    const changed = withChange(pages, 'm', advance) as typeof pages;
    expect(changed.pages[0]).toBe(pages.pages[0]);
    expect(changed.pages[1]?.data[1]).toMatchObject({ progress: { height: step } });
    expect(changed.pages[1]?.data[0]).toBe(other);
  });

  it('returns the same object when it holds nothing of the kind', () => {
    const cached = { data: [{ id: 'x' }] };
    expect(withChange(cached, 'm', advance)).toBe(cached);
    expect(withChange(undefined, 'm', advance)).toBeUndefined();
  });

  it('moves the progress of one trait in a detail', () => {
    expect(withChange(model, 'm', (record) => withProgress(record, { yield: step }))).toEqual({
      ...model,
      progress: { yield: { ...begun, ...step }, height: null },
    });
  });

  it('keeps one progress for all traits where there is one, and when its stage began', () => {
    const progress = { stage: 'read', done: 0, total: 1, started_at: 'x', runs_before: null };
    const prediction = { id: 'p', status: 'PROCESSING', progress };
    expect(withProgress(prediction, { all: step }).progress).toEqual({ ...progress, ...step });
    const later = { ...step, started_at: 'y' };
    expect(withProgress(prediction, { all: later }).progress).toEqual({ ...progress, ...later });
  });

  it('gives what waits its new place, also what has to wait again, and leaves ended traits alone', () => {
    const queued = { ...begun, stage: 'queued', done: 0, total: 0, runs_before: 3 };
    const waiting = { ...model, progress: { yield: queued, height: { ...begun, ...step }, ended: null } };
    const place = { ...queued, runs_before: 2 };
    expect(withPlace(waiting, 2).progress).toEqual({ yield: place, height: place, ended: null });
    expect(withPlace({ id: 'f', status: 'UPLOADED', progress: queued }, 0).progress).toEqual({
      ...queued,
      runs_before: 0,
    });
  });
});
