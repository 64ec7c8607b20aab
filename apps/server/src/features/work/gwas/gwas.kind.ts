import type { Gwas, GwasDetail } from '@heterosis/contracts/work/gwas';
import { sql } from 'kysely';
import type { Services } from '../../../platform/http/app.ts';
import { beginStep, inputs, type RunKindDefinition } from '../runs/kind/index.ts';
import { leftOut, perTrait, provenanceOf } from '../runs/results/index.ts';
import { progressOf, type Run } from '../runs/work/index.ts';
import { type GwasRow, type GwasTraitRow, gwasSelection, parametersOf, updateGwasTrait } from './gwas.queries.ts';
import { gwasReport } from './gwas-report.ts';
import { runGwasJob } from './jobs.ts';
import { lociOfLines, significantEffects } from './loci-of-lines.ts';
import { methodsParagraph, modelInWords } from './methods-paragraph.ts';
import { readAssociations } from './overview-associations.queries.ts';

const TESTS_STEP = 'gwas';

export const gwas: RunKindDefinition<GwasRow, Gwas, GwasDetail, 'gwas'> = {
  ...gwasSelection,
  firstStep: () => ({ job: runGwasJob, step: TESTS_STEP }),
  toItem: toGwas,

  async toDetail(services, row, all) {
    const runs = all.filter(isOfTests);
    const item = await toGwas(services, row, runs);
    return {
      ...item,
      description: row.description,
      ...inputs.references(row, 'genotype', 'phenotype'),
      model: modelInWords(row),
      image: item.image_urls[row.traits[0] ?? ''] ?? null,
      chromosomes: perTrait.values(row.trait_rows, ({ chromosomes }) => chromosomes),
      methods: methodsParagraph(row),
      ...(await leftOut.ofRun(
        services.storage,
        row,
        row.trait_rows.map(({ summary, result_keys }) => ({ report: summary?.left_out, key: result_keys.left_out })),
      )),
      provenance: provenanceOf(runs, {
        createdBy: row.creator,
        seed: row.parameters.permutations === undefined ? null : row.seed,
        parameters: parametersOf(row),
      }),
    };
  },

  toBundle({ trait_rows }, detail) {
    const { summary: results, provenance } = detail;
    const names = inputs.names(detail, 'genotype', 'phenotype');
    const files = perTrait
      .files(trait_rows, { csv: 'gwas.csv', clumps_csv: 'clumps.csv', image: 'manhattan.svg' })
      .concat(leftOut.file(trait_rows));
    return { inputs: names, results, provenance, files };
  },

  methods: methodsParagraph,

  outcome: ({ trait_rows }) => perTrait.outcome(trait_rows, ({ status }) => status === 'PROCESSING', figuresInWords),

  overviewResults: readAssociations,

  reportParts: gwasReport,

  lociOf: (services, row, names) => lociOfLines(services, row, names),
  effectsAt: ({ tables }, row, markers) => significantEffects(tables, row, markers),

  keyFigure: sql`(
    select sum((summary ->> 'hits')::int) || case sum((summary ->> 'hits')::int) when 1 then ' hit' else ' hits' end
    from gwas_traits
    where gwas_id = one.id and summary is not null and summary -> 'gene_action' is null)`,

  /** The failed traits, on the same inputs. */
  async repeat(services, trx, row, requested) {
    const failed = perTrait.failed(row.trait_rows, (status) => status === 'PROCESSING');
    for (const { trait } of failed) await updateGwasTrait(trx, row.id, trait, { status: 'PROCESSING' });
    await beginStep(services, trx, gwas, { row, by: requested });
  },
};

function figuresInWords({ summary }: GwasTraitRow): string {
  if (summary === null) return 'done';
  const { hits, lambda, top } = summary;
  const best = top === null ? '' : `, smallest p ${top.p.toExponential(1)} at ${top.id}`;
  return `${hits} ${hits === 1 ? 'marker' : 'markers'} above the Bonferroni threshold${best}, λ ${lambda.toFixed(2)}`;
}

/** Fine mappings of regions are runs of the GWAS too. */
const isOfTests = ({ step }: Run): boolean => step === TESTS_STEP;

/** Null where each trait was tested alone. */
function jointTestOf({ parameters: { multi_trait: test } }: GwasRow): Gwas['multi_trait'] {
  return test === 'any' || test === 'specific' ? test : null;
}

async function toGwas({ storage }: Services, row: GwasRow, runs: readonly Run[]): Promise<Gwas> {
  const run = runs.find(isOfTests);
  const progress = progressOf(run);
  return {
    ...perTrait.item(row),
    progress: perTrait.values(row.trait_rows, ({ status }) => (status === 'PROCESSING' ? progress : null)),
    result_urls: await perTrait.urls(storage, row, 'csv', {
      ending: '_gwas.csv',
      contentType: 'text/csv; charset=utf-8',
    }),
    image_urls: await perTrait.urls(storage, row, 'image', { ending: '_manhattan.svg', contentType: 'image/svg+xml' }),
    summary: perTrait.values(row.trait_rows, ({ summary }) => summary),
    fixed: row.fixed,
    covariates: row.parameters.covariates ?? [],
    condition_on: row.parameters.condition_on ?? [],
    dominance: row.parameters.dominance ?? false,
    loco: row.parameters.loco ?? false,
    gene_action: row.parameters.gene_action ?? [],
    multi_trait: jointTestOf(row),
    thresh_maf: row.thresh_maf,
    thresh_callrate: row.thresh_callrate,
    test: row.test,
  };
}
