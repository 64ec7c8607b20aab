import { RUN_KINDS, runKinds } from '@heterosis/contracts/work/run-kinds';
import { expect, it } from 'vitest';
import texts from '../../../public/locales/en/common.json' with { type: 'json' };

/** Written small within a name. */
const SMALL = /^(?:and|of|the)$/;
const isTitleCase = (name: string): boolean =>
  name.split(' ').every((word) => word.startsWith('$t(') || /^\P{Ll}/u.test(word) || SMALL.test(word));

it('writes the names of all pages in one case, as “Project Files”', () => {
  const { nav, operator } = texts;
  const names = [
    nav.overview,
    nav.files,
    nav.projectList,
    ...runKinds.map((kind) => nav[RUN_KINDS[kind].path]),
    ...Object.values(operator).flatMap((section) =>
      typeof section === 'object' && 'title' in section ? [section.title] : [],
    ),
  ];
  expect(names).toContain('Crossing Simulation');
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !isTitleCase(name))).toEqual([]);
});
