import { defineOptions } from './define-options.ts';

/** In the order of `heterosis parentage`. */
export const PARENTAGE_OPTIONS = defineOptions({
  pedigree: {
    kind: 'choice',
    choices: ['germplasm', 'file', 'none'],
    default: 'germplasm',
    about: '`germplasm`: the parents of the crop; `file`: those of `pedigree_id`; `none`: no comparison.',
    input: false,
    stored: 'always',
    cli: {
      kind: 'text',
      default: null,
      path: 'read',
      placeholder: 'FILE',
      help: 'The pedigree: three columns, Helium, or Purdy strings, as for heterosis pedigree.',
      why: 'It names a file; without it there is no comparison.',
    },
  },
  error_rate: {
    kind: 'number',
    min: 0.0001,
    max: 0.2,
    default: 0.01,
    about: 'Share of wrong calls.',
    stored: 'always',
  },
  seek: {
    kind: 'choice',
    choices: ['unconfirmed', 'all', 'none'],
    default: 'unconfirmed',
    about: 'Whose parents are sought among all genotyped individuals.',
    stored: 'always',
  },
});
