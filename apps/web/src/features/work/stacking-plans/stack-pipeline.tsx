import type { StackingReport, StackStep } from '@heterosis/contracts/work/stacking-plans';
import { useTranslation } from 'react-i18next';
import pipeline from '../../../components/page/pipeline.module.css';
import { formatCount, formatDecimals, formatShare, formatStatistic } from '../../../lib/format/format.ts';
import classes from './stack-pipeline.module.css';

/** The populations of a schedule, by generation. */
export function StackPipeline({ report }: { report: StackingReport }) {
  const { t } = useTranslation();
  const generations = [...Map.groupBy(report.steps, ({ generation }) => generation)];
  return (
    <ol className={pipeline.times}>
      {generations.map(([generation, steps]) => (
        <li key={generation} className={pipeline.time}>
          <div className={pipeline.head}>
            <span>{t('stacking_plans.generation', { generation })}</span>
            <span>{t('stacking_plans.costOf', { cost: formatCount(Math.round(costOf(steps))) })}</span>
          </div>
          <ol className={pipeline.steps}>
            {steps.map((step) => (
              <Step key={step.step} step={step} targets={report.targets.length} />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

const costOf = (steps: readonly StackStep[]): number => steps.reduce((sum, { cost }) => sum + cost, 0);

function Step({ step, targets }: { step: StackStep; targets: number }) {
  const { t } = useTranslation();
  const { kind, parents, plants, carriers, probability, wanted, recurrent_share: share } = step;
  return (
    <li className={`${pipeline.step} ${classes.step}`}>
      <div className={classes.name}>
        <span>{step.step}</span>
        <span>{t('stacking_plans.plants', { count: plants, plants: formatCount(plants) })}</span>
      </div>
      <div>{t(`stacking_plans.kinds.${kind}`, { parents: parents.join(' × ') })}</div>
      {probability !== null && probability < 1 && (
        <div className={classes.quiet}>
          {t('stacking_plans.wanted', { count: carriers, probability: formatStatistic(probability) })}
        </div>
      )}
      {wanted && <Haplotypes wanted={wanted} targets={targets} />}
      {wanted === null && <div className={classes.quiet}>{t('stacking_plans.bestKept')}</div>}
      {share !== null && kind !== 'cross' && (
        <div className={classes.quiet}>
          {t('stacking_plans.share', { share: formatShare(share), drag: formatDecimals(step.drag_cm ?? 0, 1) })}
          {step.random_share !== null && ` ${t('stacking_plans.atRandom', { share: formatShare(step.random_share) })}`}
        </div>
      )}
    </li>
  );
}

/** How many targets the plant that is kept has on either haplotype; their names as a hint. */
function Haplotypes({ wanted, targets }: { wanted: NonNullable<StackStep['wanted']>; targets: number }) {
  const { t } = useTranslation();
  return (
    <div className={classes.haplotypes}>
      {wanted.map((names, k) => (
        <div key={String(k)} className={classes.haplotype} title={names.join(', ')}>
          <span className={classes.bar} style={{ width: `${(100 * names.length) / targets}%` }} />
          <span className={classes.count}>{t('stacking_plans.onHaplotype', { count: names.length, of: targets })}</span>
        </div>
      ))}
    </div>
  );
}
