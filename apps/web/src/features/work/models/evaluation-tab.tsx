import { scatterOption, scatterWiderBy } from '@heterosis/charts/scatter';
import { stripOption } from '@heterosis/charts/strip';
import type { ModelDetail, ModelEvaluation } from '@heterosis/contracts/work/models';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { FigureSkeleton } from '../../../components/charts/figure-skeleton.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import classes from '../../../components/page/figures.module.css';
import { SelectionBar } from '../../../components/table/selection-bar.tsx';
import type { PageSelection } from '../../../components/table/use-selection.ts';
import { formatCount, formatMeanSd, formatStatistic } from '../../../lib/format/format.ts';
import { useUnitOf, withUnit } from '../../data/files/index.ts';
import { KeepAsList } from '../../data/lists/index.ts';
import { TraitSelect, useTraitInAddress } from '../runs/index.ts';
import { GroupAccuracy } from './group-accuracy.tsx';
import { modelEvaluationQuery } from './models.api.ts';

const HEIGHT = 420;

export function EvaluationTab({
  projectId,
  model,
  traits,
  selection,
}: {
  projectId: string;
  model: ModelDetail;
  traits: string[];
  selection: PageSelection;
}) {
  const { trait, choose } = useTraitInAddress(traits);
  const query = useQuery(modelEvaluationQuery(projectId, model.id, trait));
  return (
    <>
      <TraitSelect traits={traits} value={trait} onChange={choose} />
      <SelectionBar selection={selection} noun="individual" fileName={model.name}>
        <KeepAsList projectId={projectId} kind="germplasm" names={selection.ids} />
      </SelectionBar>
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && (
        <div className={classes.figures}>
          <FigureSkeleton height={HEIGHT} />
          <FigureSkeleton height={HEIGHT} />
        </div>
      )}
      {query.data && (
        <EvaluationFigures projectId={projectId} model={model} evaluation={query.data} selection={selection} />
      )}
    </>
  );
}

function EvaluationFigures(props: {
  projectId: string;
  model: ModelDetail;
  evaluation: ModelEvaluation;
  selection: PageSelection;
}) {
  const { projectId, model, evaluation, selection } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const { trait, points, per_repetition: repetitions, per_fold: folds } = evaluation;
  const { leave_out: leaveOut } = model.provenance.parameters;
  const unit = useUnitOf(projectId, model.phenotype)(trait);
  const { pearson_r: r, phenotype_r: phenotypeR, slope } = evaluation.evaluation;
  // An evaluation by an earlier version has its points with the fixed effects.
  const isCorrected = phenotypeR !== null && evaluation.evaluation.note === null;
  const observed = withUnit(t(isCorrected ? 'models.observedCorrected' : 'models.observed'), unit);
  const predicted = withUnit(t(isCorrected ? 'models.predictedGenetic' : 'models.predicted'), unit);
  const scatter = useMemo(() => {
    const names = [...new Set(points.map((point) => point.fold))].sort((a, b) => a - b);
    const groupOf = new Map(folds.map(({ fold, group }) => [fold, group]));
    return scatterOption(
      points.map((point) => ({
        x: point.predicted,
        y: point.observed,
        name: point.individual,
        // A point is the mean of all repetitions, and each draws its own folds; groups are the same in all of them.
        group: leaveOut === undefined ? 0 : names.indexOf(point.fold),
      })),
      {
        x: predicted,
        y: observed,
        ...(leaveOut === undefined
          ? {}
          : { groups: names.map((fold) => groupOf.get(fold) ?? t('models.fold', { fold })) }),
        identity: true,
        format: formatStatistic,
        selected: selection.ids,
      },
      colors,
    );
  }, [points, folds, leaveOut, observed, predicted, selection.ids, colors, t]);
  const spread = useMemo(
    () =>
      stripOption(
        repetitions.map((one) => ({
          name: String(one.repetition),
          values: folds.flatMap((fold) => (fold.repetition === one.repetition && fold.r !== null ? [fold.r] : [])),
        })),
        { x: t('models.repetition'), y: t('models.rPerFold'), format: formatStatistic },
        colors,
      ),
    [repetitions, folds, colors, t],
  );
  const reasons = Map.groupBy(
    folds.flatMap(({ reason }) => (reason === null ? [] : [reason])),
    (reason) => reason,
  );
  return (
    <div className={classes.figures}>
      <Figure
        title={t('models.scatterTitle', { trait })}
        caption={t(leaveOut === undefined ? 'models.scatterCaption' : 'models.scatterGroupsCaption', {
          r: formatMeanSd(r),
          slope: formatStatistic(slope.mean),
          repetitions: model.n_repetition,
        })}
        meaning={t('models.slopeHint')}
        label={t('models.scatterLabel', { trait, r: formatStatistic(r.mean) })}
        option={scatter}
        height={HEIGHT}
        widerBy={scatterWiderBy(leaveOut !== undefined)}
        onBrush={(from, to) =>
          selection.select(
            points.flatMap((point) => (point.predicted >= from && point.predicted <= to ? [point.individual] : [])),
          )
        }
        fileName={`${model.name} ${trait} evaluation`}
        pictureNote={`${model.name} · n = ${formatCount(points.length)} · r = ${formatMeanSd(r)}`}
        table={{
          head: [t('word.individual'), observed, predicted],
          rows: points.map((point) => [point.individual, point.observed, point.predicted]),
          format: formatStatistic,
        }}
      />
      {leaveOut === undefined ? (
        <>
          <Figure
            title={t('models.spreadTitle')}
            caption={t('models.spreadCaption', { seed: evaluation.seed })}
            label={t('models.spreadTitle')}
            option={spread}
            height={HEIGHT}
            fileName={`${model.name} ${trait} folds`}
            table={{
              head: [
                t('models.repetition'),
                t('models.foldHead'),
                'n',
                'r',
                ...(reasons.size > 0 ? [t('models.noRWhy')] : []),
              ],
              rows: folds.map((fold) => [
                fold.repetition,
                fold.fold,
                fold.n,
                fold.r,
                ...(reasons.size > 0 ? [fold.reason ?? ''] : []),
              ]),
              format: formatStatistic,
            }}
          />
          {[...reasons].map(([reason, { length: count }]) => (
            <p key={reason} className="hx-muted">
              {t('models.foldsWithoutR', { count, total: folds.length, reason })}
            </p>
          ))}
        </>
      ) : (
        <GroupAccuracy evaluation={evaluation} column={leaveOut} fileName={`${model.name} ${trait} groups`} />
      )}
    </div>
  );
}
