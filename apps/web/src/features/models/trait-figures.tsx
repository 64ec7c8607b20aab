import type { ModelDetail } from '@heterosis/contracts/models';
import { useTranslation } from 'react-i18next';
import { formatCount, formatMeanSd, formatStatistic } from '../../lib/format.ts';
import classes from '../runs/run-parts.module.css';

/** The figures of every trait side by side: accuracy, bias, variances, size. */
export function TraitFigures({ model, traits }: { model: ModelDetail; traits: string[] }) {
  const { t } = useTranslation();
  const hasDominance = traits.some(
    (trait) => model.variance[trait]?.dominance !== null && model.variance[trait]?.dominance !== undefined,
  );
  return (
    <section className={classes.scrollX} tabIndex={0} aria-label={t('models.figures')}>
      <table className={classes.keyFigures}>
        <thead>
          <tr>
            <th scope="col">{t('runs.trait')}</th>
            <th scope="col" title={t('models.rHint')}>
              {t('models.r')}
            </th>
            <th scope="col">{t('models.rmse')}</th>
            <th scope="col" title={t('models.slopeHint')}>
              {t('models.slope')}
            </th>
            <th scope="col">h²</th>
            {hasDominance && <th scope="col">H²</th>}
            <th scope="col">σ²a</th>
            {hasDominance && <th scope="col">σ²d</th>}
            <th scope="col">σ²e</th>
            <th scope="col">{t('models.individuals')}</th>
            <th scope="col">{t('models.markers')}</th>
            <th scope="col">{t('models.imputed')}</th>
          </tr>
        </thead>
        <tbody>
          {traits.map((trait) => {
            const fit = model.fit[trait];
            const variance = model.variance[trait];
            const evaluation = model.evaluation[trait] ?? undefined;
            return (
              <tr key={trait}>
                <th scope="row">
                  {trait}
                  {fit && !fit.converged && <span className="hx-muted"> {t('models.notConverged')}</span>}
                  {fit && fit.at_boundary.length > 0 && (
                    <span className="hx-muted">
                      {' '}
                      {t('models.atBoundary', { components: fit.at_boundary.join(', ') })}
                    </span>
                  )}
                </th>
                <td>{formatMeanSd(evaluation?.pearson_r)}</td>
                <td>{formatMeanSd(evaluation?.rmse)}</td>
                <td>{formatMeanSd(evaluation?.slope)}</td>
                <td>{formatStatistic(variance?.h2)}</td>
                {hasDominance && <td>{formatStatistic(fit?.H2)}</td>}
                <td>{formatStatistic(variance?.additive)}</td>
                {hasDominance && <td>{formatStatistic(variance?.dominance)}</td>}
                <td>{formatStatistic(variance?.residual)}</td>
                <td>{formatCount(fit?.n)}</td>
                <td>{formatCount(fit?.m)}</td>
                <td>{formatCount(fit?.imputed_calls)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
