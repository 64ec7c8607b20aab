import { kinshipCsv } from '@heterosis/analysis/inputs/panel-kinship';
import {
  inbreedingCsv,
  inverseCsv,
  pedigreeFigures,
  polyploidFigures,
  polyploidRelationshipsOf,
  relationshipsOf,
} from '@heterosis/analysis/pedigree/pedigree-figures';
import {
  equilibriumInbreeding,
  type PolyploidModel,
  ploidyOf,
  polyploidModelOf,
  polyploidRelationships,
} from '@heterosis/analysis/pedigree/polyploid-model';
import { blendedRelationships } from '@heterosis/analysis/prediction/single-step';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { PEDIGREE_OPTIONS } from '@heterosis/contracts/options/pedigrees';
import { type Command, type CommandIo, defineCommand, inputError } from '../command.ts';
import { withGenotype } from '../options/genotype-option.ts';
import { PEDIGREE_COLUMNS_OPTION, readPedigreeOption, refuseTogether } from '../options/model-options.ts';
import { writeOutput } from '../write-output.ts';

export const pedigreeCommand: Command = defineCommand({
  name: 'pedigree',
  summary: 'inbreeding, coancestry and relationship matrices of a pedigree',
  description: [
    'Inbreeding is exact (Quaas 1976; Colleau 2002), with coefficients of their own for generations of selfing, doubled haploids, fully inbred lines and clones. An unknown parent is a founder that is related to nobody.',
    'With --genotype, --out-relationships holds H: relationships by pedigree and markers together (Legarra and others 2009; Christensen and Lund 2010), as train --pedigree uses them. Genotyped individuals that the pedigree lacks are founders. Of the others, those named and the youngest generations are in it, up to 5,000 in all.',
    'The additive relationship is twice the coancestry, and 1 + F on the diagonal. --out-relationships writes a file that train --kinship-file and gwas --kinship-file take.',
    'Polyploids (--ploidy) descend as Kerr and others (2012) and Hamilton and Kerr (2018) say: A is the ploidy times the coancestry, 1 + (k − 1)F on the diagonal for k copies. Double reduction λ raises the inbreeding of progeny. Founders have F = 0, as in AGHmatrix; with --founders equilibrium they have what random mating leads to, as in polyAinv. H then is 0.95 G + 0.05 A among the genotyped, without further scaling unless --genomic-scale pedigree asks for it.',
    'The sparse inverse has no rows for individuals that others determine (clones, F1s of two fully inbred lines): with them the matrix has no inverse.',
  ],
  options: { ...flagsOf(PEDIGREE_OPTIONS), 'pedigree-columns': PEDIGREE_COLUMNS_OPTION },
  output: [
    '--out: CSV with id, female, male, selfings (generations after the cross, "inbred" or "clone"), generation (longest way down from a founder), inbreeding and mean_coancestry (with all individuals of the pedigree).',
    '--out-relationships: the first row is id and the names; each further row is a name and its relationships.',
    '--out-inverse: row, column, value of the lower triangle, by name.',
  ],
  examples: [
    'heterosis pedigree --pedigree pedigree.csv --out inbreeding.csv',
    'heterosis pedigree --pedigree pedigree.csv --individuals B73,Mo17,Oh43 --coancestry --out-relationships coancestry.csv',
    'heterosis pedigree --pedigree pedigree.csv --genotype panel.vcf.gz --out-relationships h.csv',
  ],
  takesPolyploids: true,
  usesMatrixProducts: true,
  async run(options, io) {
    const relationshipsFile = relationshipsFileOf(options);
    const inverseFile = options['out-inverse'];
    if (options.out === undefined && relationshipsFile === undefined && inverseFile === undefined) {
      throw inputError(
        'E-CLI-OPTION',
        'Nothing is to be written.',
        'Give --out, --out-relationships or --out-inverse.',
      );
    }
    const asked = optionsOfFlags(PEDIGREE_OPTIONS, { ...options, 'out-relationships': relationshipsFile });
    refuseTogether(PEDIGREE_OPTIONS, asked);
    const { individuals: chosen, coancestry, ...markers } = inputsOf(PEDIGREE_OPTIONS, asked);
    const table = await readPedigreeOption(options, io);
    const model = await polyploidModel(options, io);
    const diploid = model === null ? pedigreeFigures(table) : null;
    const polyploid = model === null ? null : polyploidFigures(table, model);
    const figures = diploid ?? polyploid;
    if (figures === null) throw new TypeError('no figures');
    const inbred = figures.coefficients.filter((f) => f > 0).length;
    const mean = figures.coefficients.reduce((sum, f) => sum + f, 0) / Math.max(1, table.names.length);
    const lines = [
      `${table.names.length} individuals, ${count(table.origins, 'founder')} founders without a row, ${count(table.origins, 'cross')} crosses from pedigree strings`,
      `inbreeding: ${inbred} individuals above 0, mean ${mean.toFixed(4)}`,
      ...(model === null ? [] : [modelLine(model)]),
    ];
    if (options.out !== undefined) {
      await writeOutput(options.out, inbreedingCsv(table, figures));
      lines.push(`written: ${options.out}`);
    }
    const relationshipsFrom = async (genotype: string | undefined) => {
      if (genotype === undefined && polyploid !== null)
        return { ...polyploidRelationshipsOf(table, polyploid, chosen), figures: undefined };
      if (genotype === undefined && diploid !== null)
        return { ...relationshipsOf(table, diploid, chosen), figures: undefined };
      return withGenotype(genotype ?? '', io, (panel) =>
        blendedRelationships(
          panel,
          table,
          {
            ...markers,
            ...(chosen === undefined ? {} : { chosen }),
            scale: genomicScale(options, model),
            ...(model === null
              ? {}
              : { relate: (pedigree, places) => polyploidRelationships(pedigree, places, model).matrix }),
          },
          io.context,
        ),
      );
    };
    let blended: Awaited<ReturnType<typeof relationshipsFrom>>['figures'];
    if (relationshipsFile !== undefined) {
      const related = await relationshipsFrom(options.genotype);
      const { individuals, matrix } = related;
      blended = related.figures;
      const data = coancestry ? matrix.data.map((value) => value / (model?.ploidy ?? 2)) : matrix.data;
      await writeOutput(relationshipsFile, kinshipCsv(individuals, data));
      lines.push(`${coancestry ? 'coancestries' : 'relationships'} of ${individuals.length}: ${relationshipsFile}`);
    }
    let leftOut: number | undefined;
    if (inverseFile !== undefined) {
      if (diploid === null) {
        throw inputError('E-CLI-OPTION', 'The sparse inverse is that of diploids.', 'Leave out --out-inverse.');
      }
      const inverse = inverseCsv(table, diploid);
      ({ leftOut } = inverse);
      await writeOutput(inverseFile, inverse.csv);
      lines.push(`inverse, without ${leftOut} individuals that others determine: ${inverseFile}`);
    }
    return {
      summary: {
        individuals: table.names.length,
        founders_without_row: count(table.origins, 'founder'),
        crosses_from_strings: count(table.origins, 'cross'),
        inbred,
        mean_inbreeding: mean,
        ...(model === null
          ? {}
          : {
              ploidy: model.ploidy,
              double_reduction: model.doubleReduction,
              founders: model.founders,
              founder_inbreeding: model.founders === 'equilibrium' ? equilibriumInbreeding(model) : 0,
            }),
        ...(leftOut === undefined ? {} : { without_row_in_inverse: leftOut }),
        ...(options.out === undefined ? {} : { out: options.out }),
        ...(relationshipsFile === undefined ? {} : { out_relationships: relationshipsFile }),
        ...(blended === undefined ? {} : { single_step: blended }),
        ...(inverseFile === undefined ? {} : { out_inverse: inverseFile }),
      },
      lines,
    };
  },
});

const count = (origins: readonly string[], origin: string): number => origins.filter((one) => one === origin).length;

interface PolyploidOptions {
  genotype?: string | undefined;
  ploidy?: string | undefined;
  'double-reduction': number;
  founders: string;
  'genomic-scale'?: string | undefined;
}

function relationshipsFileOf(options: {
  'out-relationships'?: string | undefined;
  relationships?: string | undefined;
}): string | undefined {
  const { 'out-relationships': written, relationships } = options;
  if (written !== undefined && relationships !== undefined) {
    throw inputError('E-CLI-OPTION', '--relationships and --out-relationships are one option.', 'Give one of them.');
  }
  return written ?? relationships;
}

/** How polyploids descend; null for diploids. The ploidy is that of the genotype unless it is said. */
async function polyploidModel(options: PolyploidOptions, io: CommandIo): Promise<PolyploidModel | null> {
  const { genotype, 'double-reduction': doubleReduction, founders } = options;
  const ploidy =
    options.ploidy === undefined
      ? genotype === undefined
        ? 2
        : await withGenotype(genotype, { ...io, report: () => {} }, async (panel) => ploidyOf(panel))
      : Number(options.ploidy);
  return polyploidModelOf(ploidy, {
    doubleReduction,
    founders: founders === 'equilibrium' ? 'equilibrium' : 'non-inbred',
  });
}

/** G of polyploids stays as the markers give it unless told. */
function genomicScale(options: PolyploidOptions, model: PolyploidModel | null): 'pedigree' | 'markers' {
  const { 'genomic-scale': given } = options;
  if (given === 'pedigree' || given === 'markers') return given;
  return model === null ? 'pedigree' : 'markers';
}

function modelLine(model: PolyploidModel): string {
  const inbreeding =
    model.founders === 'equilibrium' ? `F = ${equilibriumInbreeding(model).toFixed(6)}, at equilibrium` : 'F = 0';
  return `ploidy ${model.ploidy}, double reduction ${model.doubleReduction}, founders with ${inbreeding}`;
}
