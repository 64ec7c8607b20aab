import type { Model } from '@heterosis/contracts/work/models';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable, type Grouping } from '../../../../components/table/data-table.tsx';
import { rowsOf } from '../../../../components/table/rows-of.ts';
import { runLink } from '../../../../lib/browser/run-kinds.ts';
import { formatDecimals } from '../../../../lib/format/format.ts';
import { useTraitOrder } from '../../../people/projects/index.ts';
import type { OtherListProps, WithState } from '../../runs/index.ts';
import { abilityOf, shadesOf } from './model-matrix.ts';
import classes from './models-matrix.module.css';

type Row = WithState<Model>;
const R_DECIMALS = 2;
const NAME_PX = 128;
/** Room for −0.49 ± 0.02. */
const CELL_PX = 132;

/** Models in rows, traits in columns, predictive ability in the cells; models that can be compared stand together. */
export function ModelsMatrix({ projectId, runs, views, empty }: OtherListProps<Model>) {
  const { t } = useTranslation();
  const inOrder = useTraitOrder(projectId);
  const models = runs.data ?? [];
  const traits = inOrder(models.flatMap((model) => model.traits));
  const columns: DataColumn<Row>[] = [
    { id: 'name', header: t('column.name'), value: (model) => model.name, minWidth: NAME_PX },
    ...traits.map((trait) => traitColumn(projectId, models, trait, t)),
  ];
  return (
    <>
      <DataTable
        id="models-matrix"
        label={t('models.matrix')}
        columns={columns}
        {...rowsOf(runs)}
        rowId={(model) => model.id}
        inAddress
        keepsColumns
        rowLink={(model) => runLink('model', projectId, model.id)}
        groupings={[bySameFolds(t)]}
        filters={views}
        empty={empty}
      />
      {models.length > 0 && <p className="hx-muted">{t('models.matrixNote')}</p>}
    </>
  );
}

function traitColumn(projectId: string, models: readonly Row[], trait: string, t: TFunction): DataColumn<Row> {
  const shadeOf = shadesOf(models, trait);
  const r = (model: Row) => abilityOf(model, trait);
  return {
    id: `r ${trait}`,
    header: trait,
    value: (model) => r(model)?.mean,
    exported: [
      { header: `${t('models.r')} ${trait}`, value: (model) => r(model)?.mean },
      { header: `${t('models.rSd')} ${trait}`, value: (model) => r(model)?.sd },
    ],
    cell: (model) => {
      const ability = r(model);
      if (ability === undefined) return <span className="hx-muted">{withoutFigure(model, trait, t)}</span>;
      return (
        <Link
          {...({ ...runLink('model', projectId, model.id), search: { trait } } as LinkProps)}
          className={classes.cell}
          style={{ '--shade': shadeOf(ability.mean) } as CSSProperties}
          aria-label={t('models.matrixCell', { model: model.name, trait, r: inWords(ability) })}
        >
          {formatDecimals(ability.mean, R_DECIMALS)}
          {ability.sd !== null && <span className={classes.sd}> ± {formatDecimals(ability.sd, R_DECIMALS)}</span>}
        </Link>
      );
    },
    numeric: true,
    width: CELL_PX,
  };
}

const inWords = ({ mean, sd }: NonNullable<ReturnType<typeof abilityOf>>): string =>
  [mean, ...(sd === null ? [] : [sd])].map((value) => formatDecimals(value, R_DECIMALS)).join(' ± ');

/** Why a model has no r for a trait; a dash where it was not trained for it. */
function withoutFigure({ status }: Row, trait: string, t: TFunction): string {
  const state = status[trait];
  return state === undefined || state === 'EVALUATED' ? '–' : t(`runs.state.${state}`);
}

/** Models of a trait that were evaluated on the same records in the same folds. */
function bySameFolds(t: TFunction): Grouping<Row> {
  return {
    id: 'folds',
    label: t('models.sameFolds'),
    key: (model) => model.evaluated_on.key,
    title: (model) => <span className={classes.shared}>{t('models.comparable', { what: sharedBy(model, t) })}</span>,
  };
}

function sharedBy(model: Row, t: TFunction): string {
  const { seed, leave_out, fixed_effects, chosen_individuals } = model.evaluated_on;
  const files = [model.genotype_name, model.phenotype_name].map((name) => name ?? t('runs.deletedFile'));
  return [
    [...files, ...(model.pedigree_name === null ? [] : [model.pedigree_name])].join(' × '),
    leave_out === null
      ? t('models.foldsOfSeed', { folds: model.n_fold, repetitions: model.n_repetition, seed })
      : t('models.leftOut', { column: leave_out }),
    ...(fixed_effects.length > 0 ? [t('models.withFixed', { names: fixed_effects.join(', ') })] : []),
    ...(chosen_individuals ? [t('models.chosenIndividuals')] : []),
  ].join(' · ');
}
