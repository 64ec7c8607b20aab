import type { ModelDetail } from '@heterosis/contracts/work/models';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { formatMeanSd, formatStatistic } from '../../../lib/format/format.ts';
import { withUnit } from '../../data/files/index.ts';

const COUNT_PX = 108;
/** Room for −0.074 ± 0.068. */
const MEAN_SD_PX = 142;
/** Room for “H² entry-mean 0.712”. */
const ACCURACY_PX = 160;

type Column = DataColumn<string>;
/** A figure of a trait, for a column. */
interface Figure<Id extends string = string> {
  id: Id;
  header: string;
  hint: string;
  value: (trait: string) => number | null | undefined;
}

/** The figures of a model, in a column each; the rows are its traits. */
export function traitColumns(
  model: ModelDetail,
  traits: readonly string[],
  unitOf: (trait: string) => string | undefined,
  t: TFunction,
): Column[] {
  const hasDominance = traits.some((trait) => typeof model.variance[trait]?.dominance === 'number');
  return [
    {
      id: 'trait',
      header: t('word.trait'),
      value: (trait) => trait,
      cell: (trait) => <TraitName model={model} trait={trait} unit={unitOf(trait)} />,
    },
    ...correlationColumns(model, t),
    ...accuracyColumns(model, t),
    ...(traits.some((trait) => model.evaluation[trait]?.phenotype_r)
      ? meanSdColumns(model, t, 'phenotype_r', t('models.phenotypeR'), t('models.phenotypeRHint'))
      : []),
    ...meanSdColumns(model, t, 'rmse', t('models.rmse'), t('models.rmseHint')),
    ...meanSdColumns(model, t, 'slope', t('models.slope'), t('models.slopeHint')),
    ...varianceColumns(model, hasDominance, t),
    ...bandwidthColumn(model, t),
    ...sizeColumns(model, t),
  ];
}

/** h of a Gaussian kernel, where it was chosen. */
function bandwidthColumn(model: ModelDetail, t: TFunction): Column[] {
  if (model.model_type !== 'GAUSSIAN') return [];
  const value = (trait: string) => model.fit[trait]?.kernel?.bandwidths[0];
  return [
    {
      id: 'bandwidth',
      header: 'h',
      hint: t('models.bandwidthHint'),
      value,
      cell: (trait) => <NumberCell value={value(trait)} />,
      numeric: true,
      width: COUNT_PX,
    },
  ];
}

function correlationColumns(model: ModelDetail, t: TFunction): Column[] {
  const first = (column: Column, at: number): Column => (at === 0 ? { ...column, narrow: true } : column);
  if (model.provenance.parameters.leave_out === undefined)
    return meanSdColumns(model, t, 'pearson_r', t('models.r'), t('models.rHint')).map(first);
  return [
    ...meanSdColumns(model, t, 'within_group_r', t('models.rWithin'), t('models.rWithinHint')).map(first),
    ...meanSdColumns(model, t, 'pearson_r', t('models.rPooled'), t('models.rPooledHint')),
  ];
}

/** A figure of the evaluation as mean ± sd over its repetitions, and the sd alone. */
function meanSdColumns(
  model: ModelDetail,
  t: TFunction,
  id: 'pearson_r' | 'phenotype_r' | 'within_group_r' | 'rmse' | 'slope',
  header: string,
  hint: string,
): Column[] {
  return [
    {
      id,
      header,
      hint,
      value: (trait) => model.evaluation[trait]?.[id]?.mean,
      cell: (trait) => formatMeanSd(model.evaluation[trait]?.[id] ?? undefined),
      numeric: true,
      width: MEAN_SD_PX,
    },
    {
      id: `${id}_sd`,
      header: t('models.sdOf', { what: header }),
      value: (trait) => model.evaluation[trait]?.[id]?.sd,
      cell: (trait) => <NumberCell value={model.evaluation[trait]?.[id]?.sd} />,
      numeric: true,
      width: MEAN_SD_PX,
      hidden: true,
    },
  ];
}

function accuracyColumns(model: ModelDetail, t: TFunction): Column[] {
  const basisName = (basis: Basis | undefined) => (basis === undefined ? undefined : t(`models.basis.${basis}`));
  return [
    {
      id: 'accuracy',
      header: t('models.accuracy'),
      hint: t('models.accuracyHint'),
      value: (trait) => model.evaluation[trait]?.accuracy?.value,
      cell: (trait) => <Accuracy accuracy={model.evaluation[trait]?.accuracy} />,
      numeric: true,
      width: ACCURACY_PX,
    },
    {
      id: 'accuracy_basis',
      header: t('models.accuracyBasis'),
      value: (trait) => basisName(model.evaluation[trait]?.accuracy?.basis),
      width: ACCURACY_PX,
      hidden: true,
    },
  ];
}

type VarianceFigure = Figure<keyof NonNullable<NonNullable<ModelDetail['variance'][string]>['standard_errors']>>;

function varianceColumns(model: ModelDetail, hasDominance: boolean, t: TFunction): Column[] {
  const of = (trait: string) => model.variance[trait];
  const shares: VarianceFigure[] = [
    { id: 'h2', header: 'h²', hint: t('models.h2Hint'), value: (trait) => of(trait)?.h2 },
    { id: 'H2', header: 'H²', hint: t('models.broadH2Hint'), value: (trait) => model.fit[trait]?.H2 },
    {
      id: 'kinship_pve',
      header: t('word.pve'),
      hint: t('models.pveHint'),
      value: (trait) => of(trait)?.kinship_pve,
    },
    {
      id: 'dominance_pve',
      header: t('models.dominancePve'),
      hint: t('models.dominancePveHint'),
      value: (trait) => of(trait)?.dominance_pve,
    },
  ];
  const lines = (trait: string) => model.fit[trait]?.errors?.residual_lines;
  const components: VarianceFigure[] = [
    { id: 'additive', header: 'σ²a', hint: t('models.additiveVariance'), value: (trait) => of(trait)?.additive },
    { id: 'dominance', header: 'σ²d', hint: t('models.dominanceVariance'), value: (trait) => of(trait)?.dominance },
    { id: 'residual', header: 'σ²e', hint: t('models.residualVariance'), value: (trait) => of(trait)?.residual },
  ];
  const isShown = ({ id }: VarianceFigure): boolean => hasDominance || !OF_DOMINANCE.has(id);
  return [
    ...shares.filter(isShown).flatMap((figure) => withErrorColumns(model, t, figure)),
    ...components.filter(isShown).flatMap((figure) => hide(withErrorColumns(model, t, figure))),
    ...(model.provenance.parameters.residual_lines
      ? [
          {
            id: 'residual_lines',
            header: 'σ²r',
            hint: t('runs.linesVariance'),
            value: (trait: string) => lines(trait)?.value,
            cell: (trait: string) =>
              formatMeanSd({ mean: lines(trait)?.value ?? null, sd: lines(trait)?.standard_error ?? null }),
            numeric: true,
            width: MEAN_SD_PX,
          },
        ]
      : []),
  ];
}

/** What a model without dominance has not, or has as another figure. */
const OF_DOMINANCE: ReadonlySet<string> = new Set(['H2', 'dominance_pve', 'dominance']);

/** A figure from the variance components with its standard error, which a component at zero has not. */
function withErrorColumns(model: ModelDetail, t: TFunction, { id, header, hint, value }: VarianceFigure): Column[] {
  const errorOf = (trait: string) => model.variance[trait]?.standard_errors?.[id];
  return [
    {
      id,
      header,
      hint,
      value,
      cell: (trait) => formatMeanSd({ mean: value(trait) ?? null, sd: errorOf(trait) ?? null }),
      numeric: true,
      width: MEAN_SD_PX,
    },
    {
      id: `${id}_se`,
      header: t('word.seOf', { what: header }),
      value: errorOf,
      cell: (trait) => <NumberCell value={errorOf(trait)} />,
      numeric: true,
      width: MEAN_SD_PX,
      hidden: true,
    },
  ];
}

function sizeColumns(model: ModelDetail, t: TFunction): Column[] {
  const of = (trait: string) => model.fit[trait];
  return [
    countColumn({
      id: 'n',
      header: t('word.individuals'),
      hint: t('models.individualsHint'),
      value: (trait) => of(trait)?.n,
    }),
    // The note below the table says them where they are the same for all traits.
    ...hide([
      countColumn({
        id: 'm',
        header: t('models.markersUsed'),
        hint: t('models.markersUsedHint'),
        value: (trait) => of(trait)?.m,
      }),
      countColumn({
        id: 'imputed',
        header: t('models.imputed'),
        hint: t('models.imputedHint'),
        value: (trait) => of(trait)?.imputed_calls,
      }),
    ]),
  ];
}

const countColumn = (figure: Figure): Column => ({
  ...figure,
  cell: (trait) => <NumberCell value={figure.value(trait)} kind="count" />,
  numeric: true,
  width: COUNT_PX,
});

const hide = (columns: readonly Column[]): Column[] => columns.map((column) => ({ ...column, hidden: true }));

type Estimate = NonNullable<ModelDetail['evaluation'][string]>['accuracy'];
type Basis = NonNullable<Estimate>['basis'];

/** r/√H², above the heritability that it uses. */
function Accuracy({ accuracy }: { accuracy: Estimate | undefined }) {
  const { t } = useTranslation();
  if (!accuracy) return <NumberCell value={undefined} />;
  return (
    <>
      {formatStatistic(accuracy.value)}
      <br />
      <span className="hx-muted">{t(`models.basisShort.${accuracy.basis}`, { h2: formatStatistic(accuracy.h2) })}</span>
    </>
  );
}

function TraitName({ model, trait, unit }: { model: ModelDetail; trait: string; unit: string | undefined }) {
  const { t } = useTranslation();
  const fit = model.fit[trait];
  return (
    <>
      {withUnit(trait, unit)}
      {fit && !fit.converged && <span className="hx-muted"> {t('models.notConverged')}</span>}
      {fit && fit.at_boundary.length > 0 && (
        <span className="hx-muted"> {t('models.atBoundary', { components: fit.at_boundary.join(', ') })}</span>
      )}
    </>
  );
}
