import { describe, expect, it } from 'vitest';
import { keysToInvalidate, withProgress } from './apply-event.ts';

const step = { stage: 'cross-validate', done: 23, total: 50 };

describe('keysToInvalidate', () => {
  it('names the things of that kind and the overview of the project', () => {
    expect(keysToInvalidate({ type: 'model', id: 'm', project_id: 'p', organization_id: 'o' })).toEqual([
      ['projects', 'p', 'models'],
      ['projects', 'p', 'overview'],
    ]);
  });

  it('reaches the unfinished uploads when one of them becomes a file', () => {
    const event = { type: 'file', id: 'f', project_id: 'p', organization_id: 'o' } as const;
    expect(keysToInvalidate(event)).toContainEqual(['projects', 'p', 'uploads']);
  });

  it('reaches the lists when a membership changes', () => {
    const event = { type: 'organization', id: 'o', project_id: null, organization_id: 'o' } as const;
    expect(keysToInvalidate(event)).toEqual([['organizations']]);
  });
});

describe('withProgress', () => {
  const model = {
    id: 'm',
    status: { yield: 'EVALUATING', height: 'TRAINING' },
    progress: { yield: null, height: null },
  };

  it('moves the progress of one trait in a detail', () => {
    expect(withProgress(model, 'm', { yield: step })).toEqual({
      ...model,
      progress: { yield: { started_at: null, ...step }, height: null },
    });
  });

  it('finds the row in the pages of an endless list and leaves the others the same objects', () => {
    const other = { id: 'n', status: {}, progress: {} };
    const pages = { pages: [{ data: [other] }, { data: [other, model] }], pageParams: [undefined, 'c'] };
    const changed = withProgress(pages, 'm', { height: step }) as typeof pages;
    expect(changed.pages[0]).toBe(pages.pages[0]);
    expect(changed.pages[1]?.data[1]).toMatchObject({ progress: { height: step } });
    expect(changed.pages[1]?.data[0]).toBe(other);
  });

  it('keeps one progress for all traits where there is one, and when it began', () => {
    const prediction = {
      id: 'p',
      status: 'PROCESSING',
      progress: { stage: 'read', done: 0, total: 1, started_at: 'x' },
    };
    expect(withProgress(prediction, 'p', { all: step })).toEqual({
      ...prediction,
      progress: { ...step, started_at: 'x' },
    });
  });

  it('returns the same object when it holds nothing of the kind', () => {
    const cached = { data: [{ id: 'x' }] };
    expect(withProgress(cached, 'm', { yield: step })).toBe(cached);
    expect(withProgress(undefined, 'm', { yield: step })).toBeUndefined();
  });
});
