import { defineOptions } from './define-options.ts';

const ON_SERVERS =
  'A server holds the genotypes of all markers up to p2 in memory beside other runs; the command line has a machine to itself.';

/** How hits in LD are put together. The defaults are those of plink --clump. */
export const CLUMPING_OPTIONS = defineOptions({
  p1: {
    kind: 'number',
    min: 0,
    max: 0.05,
    default: 0.0001,
    about: 'Largest p of the marker that a clump is named after.',
    label: 'p of the first marker, at most',
    step: 0.0001,
    cli: { name: 'clump-p1', max: 1, why: ON_SERVERS, help: 'Largest p of the first marker of a clump.' },
  },
  p2: {
    kind: 'number',
    min: 0,
    max: 0.05,
    default: 0.01,
    about: 'Largest p of its other markers.',
    label: 'p of the others, at most',
    step: 0.001,
    cli: { name: 'clump-p2', max: 1, why: ON_SERVERS },
  },
  r2: {
    kind: 'number',
    min: 0,
    max: 1,
    default: 0.5,
    about: 'Smallest r² of them with it.',
    label: 'r² with the first, at least',
    step: 0.1,
    cli: { name: 'clump-r2' },
  },
  kb: {
    kind: 'number',
    min: 0,
    max: 1e9,
    default: 250,
    about: 'Largest distance from it, in kilobases.',
    label: 'Distance from the first, at most (kb)',
    step: 50,
    cli: { name: 'clump-kb' },
  },
});
