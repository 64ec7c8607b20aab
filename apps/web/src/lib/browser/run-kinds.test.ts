import { RUN_KINDS, runKinds } from '@heterosis/contracts/work/run-kinds';
import { describe, expect, it } from 'vitest';
import { keys } from '../api/query-keys.ts';
import { createModalOf, isRunKind, RUN_MODAL_NAMES, runLink, runListLink, updateModalOf } from './run-kinds.ts';

describe('links to runs', () => {
  it('lead to the pages under which they have always been found', () => {
    expect(runLink('model', 'p', 'm')).toEqual({
      to: '/projects/$projectId/models/$modelId',
      params: { projectId: 'p', modelId: 'm' },
    });
    expect(runLink('crossing_simulation', 'p', 'c')).toEqual({
      to: '/projects/$projectId/crossingSimulation/$crossingSimulationId',
      params: { projectId: 'p', crossingSimulationId: 'c' },
    });
    expect(runListLink('gwas', 'p')).toEqual({ to: '/projects/$projectId/gwas', params: { projectId: 'p' } });
  });

  it('give every parameter of the address a value', () => {
    for (const kind of runKinds) {
      const { to, params } = runLink(kind, 'p', 'r');
      const wanted = [...String(to).matchAll(/\$(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(params as object).sort()).toEqual(wanted.sort());
      expect(String(to).startsWith(`${runListLink(kind, 'p').to}/`)).toBe(true);
    }
  });
});

describe('modals of runs', () => {
  it('have the names that addresses and bookmarks hold', () => {
    expect(createModalOf('crossing_simulation')).toBe('create-crossing-simulation');
    expect(updateModalOf('crossing_simulation')).toBe('update-crossing-simulation');
    expect(createModalOf('prediction')).toBe('create-prediction');
    expect(updateModalOf('gwas')).toBe('update-gwas');
  });

  it('are two for each kind, and no name serves two kinds', () => {
    expect(RUN_MODAL_NAMES).toHaveLength(2 * runKinds.length);
    expect(new Set(RUN_MODAL_NAMES).size).toBe(RUN_MODAL_NAMES.length);
  });
});

describe('isRunKind', () => {
  it('knows the kinds of the table and no other type of event', () => {
    for (const kind of runKinds) expect(isRunKind(kind)).toBe(true);
    for (const type of ['file', 'folder', 'project', 'session', 'models', 'toString'])
      expect(isRunKind(type)).toBe(false);
  });
});

describe('query keys of runs', () => {
  it('lie below their project, so that its invalidation reaches them, and apart from each other', () => {
    const all = runKinds.map((kind) => keys.runs(kind, 'p'));
    for (const key of all) expect(key.slice(0, 2)).toEqual(keys.project('p'));
    expect(new Set(all.map((key) => key.join(' '))).size).toBe(runKinds.length);
    expect(keys.runs('model', 'p')).not.toEqual(keys.runs('model', 'q'));
  });

  it('do not meet the keys of files, folders, uploads, the bin or the overview', () => {
    const others = [keys.files, keys.folders, keys.uploads, keys.bin, keys.overview, keys.match].map(
      (key) => key('p')[2],
    );
    for (const { path } of Object.values(RUN_KINDS)) expect(others).not.toContain(path);
  });
});
