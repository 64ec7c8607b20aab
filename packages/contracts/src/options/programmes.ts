import { defineOptions } from './define-options.ts';
import { CSV, WRITTEN } from './inputs.ts';
import { SEED } from './shared.ts';

const TABLE = { kind: 'text', input: false, cli: { path: 'read', placeholder: 'FILE', required: true } } as const;

/** In the order of `heterosis simulate`. */
export const PROGRAMME_OPTIONS = defineOptions({
  scheme: { ...TABLE, about: 'The programme: a JSON file of stages.' },
  haplotypes: {
    ...TABLE,
    about:
      'Founders: locus, then a column of alleles 0 and 1 for each inbred line, or two columns NAME:1 and NAME:2 for a plant.',
  },
  map: {
    ...TABLE,
    about:
      'Loci: locus, chromosome, position_cM, and optionally kind: qtl, chip (genotyped), neutral (counted for diversity).',
  },
  effects: {
    kind: 'text',
    input: false,
    cli: { path: 'read', placeholder: 'FILE' },
    about:
      'True effects of allele 1: locus, TRAIT_a and optionally TRAIT_d for each trait. This or --model is required.',
    not: {
      model: {
        message: 'The truth comes from --effects or from --model.',
        action: 'Leave out one of the two.',
      },
    },
  },
  model: {
    kind: 'text',
    input: false,
    cli: { path: 'read', placeholder: 'FILE' },
    about:
      'The model.json of heterosis train: true effects are drawn from its posterior, anew in each replicate, so that results carry what the model does not know. Allele 1 is A2 of its markers.',
    needs: {
      genotype_train: {
        message: 'Effects are drawn with the genotypes that the model was trained on.',
        action: 'Give --genotype-train.',
      },
    },
  },
  genotype_train: {
    kind: 'text',
    input: false,
    cli: { path: 'genotype', placeholder: 'G' },
    about: 'The genotype that --model was trained on.',
    needs: {
      model: { message: '--genotype-train belongs to --model.', action: 'Give --model, or leave it out.' },
    },
  },
  intercepts: {
    kind: 'text',
    input: false,
    cli: { path: 'read', placeholder: 'FILE' },
    about:
      'With --effects, trait,intercept: the value with allele 0 everywhere. Default: such that the mean of the founders is 0.',
  },
  replicates: {
    kind: 'integer',
    min: 1,
    max: 100_000,
    default: 200,
    about: 'How often the programme is simulated.',
  },
  seed: { ...SEED, about: 'Equal stages of two schemes draw the same numbers with the same seed.' },
  out: { ...CSV },
  replicates_out: { ...WRITTEN, about: 'CSV of every quantity in every replicate, to compare schemes in pairs.' },
});
